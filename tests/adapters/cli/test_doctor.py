"""Doctor tells what is wrong, and what to do about it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority
from project_memory.services import snapshots


def told(ran: tuple[int, str, str]) -> dict[str, tuple[str, str]]:
    """Return name -> (ok or found, detail)."""
    rows = [line.split("\t") for line in ran[1].splitlines()]
    return {name: (mark, detail) for mark, name, detail in rows}


def test_a_sound_installation_has_no_finding(store, tmp_path: Path) -> None:
    ran = store("doctor")
    assert ran[0] == 0
    checks = told(ran)
    assert {mark for mark, _ in checks.values()} == {"ok"}
    assert list(checks) == ["versions", "command", "git", "store", "project"]
    assert checks["versions"][1].startswith("project-memory 0.1.0, Python 3.")
    assert checks["git"][1] == (
        f"'{tmp_path}' has no origin, and is known by its place on this machine alone"
    )


def test_a_repository_is_told_by_its_origin(store, tmp_path: Path) -> None:
    for line in (["init", "-q"], ["remote", "add", "origin", "git@github.com:acme/shop.git"]):
        subprocess.run(["git", *line], cwd=tmp_path, check=True)
    assert told(store("doctor"))["git"] == ("ok", f"'{tmp_path}' is github.com/acme/shop")


def test_without_git_that_is_told(store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    ran = store("doctor")
    assert ran[0] == 1
    assert told(ran)["git"] == (
        "found", "git is not there; install it, so that a repository is known by its origin"
    )  # fmt: skip


def test_a_damaged_index_is_told_and_written_anew(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(snapshots, "folder", lambda: tmp_path / "cache")
    url = str(tmp_path / "memory.db")
    ada = Actor("ada", Authority.USER)
    with ProjectMemory.open(url, project="demo", actor=ada, create=True) as memories:
        for place in range(snapshots.WORTH):
            memories.create(
                draft(id=f"lesson-{place}", description=f"lesson {place} of many others"),
                allow_duplicate=True,
            )
        memories.recall(query="lesson")
    (index,) = (tmp_path / "cache").glob("*.index")
    assert run("doctor")[0] == 0
    index.write_bytes(index.read_bytes()[:-8])
    ran = run("doctor")
    assert ran[0] == 1
    assert told(ran)["index"] == (
        "found", f"'{index}' is damaged; remove it, it is written anew"
    )  # fmt: skip
    index.unlink()
    assert run("recall", "lesson")[0] == 0
    assert index.exists()
    assert run("doctor")[0] == 0


def test_tokens_and_clients_are_looked_at_too(store, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    token = tmp_path / "config/project-memory/tokens/memory.example.org"
    token.parent.mkdir(parents=True)
    token.write_text("x")
    token.chmod(0o644)
    (tmp_path / ".mcp.json").write_text(
        '{"mcpServers": {"project-memory": {"command": "gone", "args": ["serve"]}}}'
    )
    code, out, _ = store("doctor", "--json")
    report = json.loads(out)
    assert (code, report["ok"]) == (1, False)
    assert [check["detail"] for check in report["checks"] if not check["ok"]] == [
        f"'{tmp_path}/.mcp.json' starts 'gone', which is not there; "
        "run `project-memory connect claude`",
        f"others can read '{token}'; run `chmod 600 {token}`",
    ]


def test_a_store_that_others_can_write_is_told(store, tmp_path: Path) -> None:
    (tmp_path / "memory.db").chmod(0o666)
    ran = store("doctor")
    assert ran[0] == 1
    assert told(ran)["store"][0] == "found"
    assert "chmod" in told(ran)["store"][1]
