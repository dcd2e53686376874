"""Projects on the command line: listed by anybody, changed by a person."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from project_memory import resources


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(type(stream), "isatty", lambda _: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")


def git(folder: Path, *line: str) -> None:
    subprocess.run(["git", *line], cwd=folder, check=True, capture_output=True)


def test_an_agent_only_lists(store) -> None:
    assert store("project", "list") == (0, "demo\t4\t\t\n", "")
    assert store("project", "archive") == (
        2, "", "error: only a person can archive a project; do it at a terminal\n"
    )  # fmt: skip


def test_a_person_archives_and_brings_back(store, terminal: None) -> None:
    code, out, _ = store("project", "archive", "--json")
    shown = json.loads(out)
    jsonschema.validate(shown, resources.schema("output/project"))
    assert (code, "archived_at" in shown) == (0, True)
    assert json.loads(store("project", "list", "--json")[1])["projects"] == []
    listed = json.loads(store("project", "list", "--archived", "--json")[1])
    jsonschema.validate(listed, resources.schema("output/project-list"))
    assert listed["projects"][0]["archived_at"] == shown["archived_at"]
    out = store("project", "list", "--archived")[1]
    assert f"demo: revision 4, archived since {shown['archived_at']}" in out
    assert shown["archived_at"] in store("project", "show")[1]
    code, _, err = store("note", "a thought")
    assert (code, err) == (
        2,
        "error: project 'demo' is archived and takes no changes; bring it back with "
        "`project-memory --project demo project unarchive`\n",
    )
    assert store("project", "unarchive")[0] == 0
    assert store("note", "a thought")[0] == 0


def test_a_person_removes_and_is_told_where_it_is_kept(
    store, tmp_path: Path, terminal: None
) -> None:
    assert store("project", "remove", "demo") == (
        2,
        "",
        "error: project 'demo' has 2 memories and 4 revisions; repeat with --yes to remove them "
        "all\n",
    )
    line = ("project", "remove", "demo", "--yes", "--backup-dir", "backups")
    code, out, err = store(*line)
    (kept,) = (tmp_path / "backups").iterdir()
    assert (code, out.splitlines()[0]) == (0, "demo is gone, with memories: 2, revisions: 4")
    assert err == f"the store as it was before is in '{kept}'\n"
    store("init")
    code, out, _ = store(*line, "--json")
    jsonschema.validate(json.loads(out), resources.schema("output/project-remove"))


def test_repositories_are_added_by_any_address(store, terminal: None) -> None:
    store("project", "add-repo", "git@github.com:Acme/till.git", "https://host.example/a/b.git")
    shown = json.loads(store("project", "show", "--json")[1])
    assert shown["repository_ids"] == ["github.com/Acme/till", "host.example/a/b"]
    store("project", "remove-repo", "ssh://git@github.com/Acme/till")
    shown = json.loads(store("project", "show", "--json")[1])
    assert shown["repository_ids"] == ["host.example/a/b"]


def test_two_repositories_of_one_name_are_apart_and_worktrees_are_not(
    run, tmp_path: Path, terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROJECT_MEMORY_PROJECT")
    for owner in ("a", "b"):
        folder = tmp_path / owner / "shop"
        folder.mkdir(parents=True)
        git(folder, "init", "-q")
        git(folder, "-c", "user.name=a", "-c", "user.email=a@b.c",
            "commit", "-q", "--allow-empty", "-m", "begin")  # fmt: skip
        monkeypatch.chdir(folder)
        assert run("init", "--json")[0] == 0
    names = [each["name"] for each in json.loads(run("project", "list", "--json")[1])["projects"]]
    assert (names[0], names[1][:5], len(names)) == ("shop", "shop-", 2)
    git(tmp_path / "b" / "shop", "worktree", "add", "-q", str(tmp_path / "wt"), "-b", "wt")
    monkeypatch.chdir(tmp_path / "wt")
    assert json.loads(run("project", "show", "--json")[1])["name"] == names[1]
    moved = tmp_path / "c" / "shop"
    moved.parent.mkdir()
    (tmp_path / "a" / "shop").rename(moved)
    monkeypatch.chdir(moved)
    assert run("project", "show")[0] == 2  # a folder without an origin is known by its place
    assert run("--project", "shop", "project", "add-repo")[0] == 0
    assert json.loads(run("project", "show", "--json")[1])["name"] == "shop"
    assert run("--project", "shop", "project", "rename", "store", "--json")[0] == 0
    assert json.loads(run("project", "show", "--json")[1])["name"] == "store"


def test_init_says_what_becomes_of_a_project_that_exists(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    named = ("--project", "shop", "init")
    run(*named)
    said = (
        f"error: project 'shop' exists already in 'sqlite://{tmp_path}/memory.db'; it is as it was"
    )
    assert run(*named) == (2, "", f"{said} (--force accepts that)\n")
    assert run("--project", "shop", "project")[1] == "name\tshop\n"
    monkeypatch.delenv("PROJECT_MEMORY_PROJECT")
    assert run("init") == (
        2, "", f"{said}, and this repository leads to it (--force accepts that)\n",
    )  # fmt: skip
    assert run("project", "show")[1].startswith("name\tshop\nrepository\tlocal:shop:")
