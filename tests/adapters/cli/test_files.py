"""Commands that run in the project's checkout say what became of its files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from factories import draft
from repositories import Repository

from project_memory import resources
from project_memory.cli import recall, show


@pytest.fixture
def here(run: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch) -> Callable:
    """Return `run` in a checkout whose file changed after a memory of it was validated."""
    monkeypatch.delenv("PROJECT_MEMORY_PROJECT")
    for module in (recall, show):
        monkeypatch.setattr(module, "PATIENCE", None)
    repository = Repository(tmp_path)
    repository.git("init", "--quiet", "--initial-branch=main")
    repository.commit("2026-03-01", {"src/a.py": "one\n", ".gitignore": "*.json\nmemory.db*\n"})
    repository.commit("2026-03-05", {"src/a.py": "two\n"})
    evidence = {"last_validated": "2026-03-02"}
    text = draft(id="first", scope={"files": ["src/a.py"]}, evidence=evidence)
    (tmp_path / "first.json").write_text(json.dumps(text))
    run("init")
    assert run("add", "first.json")[0] == 0
    return run


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("show first", "warning: file changed since validated: src/a.py\n"),
        ("recall database is locked",
         "warning: 'first': file changed since validated: src/a.py\n"),
    ],
)  # fmt: skip
def test_a_changed_file_is_remarked(here, line: str, remark: str) -> None:
    assert here(*line.split())[2] == remark
    code, out, _ = here(*line.split(), "--json")
    assert code == 0
    jsonschema.validate(json.loads(out), resources.schema(f"output/{line.split()[0]}"))
    assert "file changed since validated: src/a.py" in out


def test_an_audit_finds_it(here) -> None:
    code, out, err = here("audit", "--check", "file-changed")
    assert (code, out) == (
        0,
        "note\tfile-changed\tfirst\t'src/a.py' has changed since 2026-03-02; see whether the "
        "lesson still holds, and validate it again\t\n",
    )
    assert err.startswith("1 memory audited: 0 errors, 0 warnings, 1 note\n")
    assert here("touch", "first")[0] == 0
    assert here("audit", "--check", "file-changed")[1] == ""


def test_the_project_of_another_folder_is_not_compared(here, tmp_path: Path) -> None:
    elsewhere = json.loads(here("stats", "--json")[1])["store"]["project"]
    Repository(tmp_path).git("remote", "add", "origin", "https://example.org/acme/other.git")
    assert here("--project", elsewhere, "show", "first")[2] == ""


def test_an_audit_beside_what_is_no_checkout_says_so(here, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    Repository(tmp_path / "bare").git("init", "--quiet", "--bare")
    code, _, err = here("audit", "--check", "file-missing", "--checkout", "bare")
    assert (code, err) == (
        2,
        "error: 'bare' is in a repository without a work tree; name a checkout of it\n",
    )
