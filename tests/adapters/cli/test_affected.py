"""``affected`` at the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from factories import draft
from repositories import Repository

from project_memory import resources
from project_memory.cli import affected as command

DESCRIPTION = "Writers on one SQLite file see 'database is locked' under load"
VERDICT = "1 file since 'main': 1 lesson of 1 touched, 1 with pitfalls, 1 to validate again\n"
NAMED = "names 'src/a.py', which was changed"
AGAIN = "'src/a.py' changed after the validation of 2026-01-01"


@pytest.fixture
def code(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "code")
    repository.root.mkdir()
    repository.git("init", "--quiet", "--initial-branch=main")
    repository.commit("2026-03-01", {"src/a.py": "one\ntwo\nthree\n"})
    repository.git("checkout", "--quiet", "-b", "work")
    repository.commit("2026-03-05", {"src/a.py": "one\ntwo\n3\n"})
    return repository


@pytest.fixture
def store(run, code: Repository, tmp_path: Path, monkeypatch) -> Callable:
    """Return `run` in a checkout, over a store with a lesson that its branch touches."""
    monkeypatch.delenv("PROJECT_MEMORY_PROJECT")
    monkeypatch.chdir(code.root)
    evidence = {"created_from_task": "a test", "last_validated": "2026-01-01"}
    text = draft(id="first", scope={"files": ["src/a.py"]}, pitfalls=["a <b>timeout</b> hides it"],
                 evidence=evidence)  # fmt: skip
    (tmp_path / "first.json").write_text(json.dumps(text))
    run("init")
    assert run("add", str(tmp_path / "first.json"))[0] == 0
    return run


def test_a_line_tells_lesson_place_and_why(store: Callable) -> None:
    row = f"first\tfile\tsrc/a.py:3\t{NAMED}\t{AGAIN}\t{DESCRIPTION}\n"
    assert store("affected", "--diff", "main") == (0, row, VERDICT)


def test_json_keeps_to_its_schema(store: Callable, code: Repository) -> None:
    exit_code, out, err = store("affected", "--diff", "main", "--json")
    report = json.loads(out)
    jsonschema.validate(report, resources.schema("output/affected"))
    assert (exit_code, err) == (0, "")
    (lesson,) = report["lessons"]
    assert lesson["reasons"] == [
        {"kind": "file", "message": NAMED, "path": "src/a.py", "line": 3},
    ]  # fmt: skip
    assert lesson["revalidate"] == [AGAIN]
    assert (report["change"], report["checkout"]) == ("since 'main'", str(code.root))
    as_format = store("affected", "--diff", "main", "--format", "json")[1]
    assert json.loads(as_format) == report


def test_markdown_can_be_posted_as_it_is(store: Callable) -> None:
    assert store("affected", "--diff", "main", "--format", "markdown") == (
        0,
        "# Lessons that this change touches\n\n"
        f"{VERDICT}\n"
        "## Pitfalls\n\n"
        f"- **first** {DESCRIPTION}\n"
        f"  - line 3 of src/a.py: {NAMED}\n"
        f"  - validate it again: {AGAIN}\n"
        "  - pitfall: a \\<b\\>timeout\\</b\\> hides it\n",
        "",
    )


def test_annotations_stand_at_the_changed_line_as_seen_from_here(
    store: Callable, code: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ("affected", "--diff", "main", "--format", "github")
    told = f"first: {DESCRIPTION}; {NAMED}; {AGAIN}; pitfall: a <b>timeout</b> hides it\n"
    assert store(*line) == (0, f"::warning file=src/a.py,line=3,title=revalidate::{told}", VERDICT)
    monkeypatch.chdir(code.root / "src")
    assert store(*line)[1].startswith("::warning file=a.py,line=3,title=revalidate::first: ")


def test_what_is_staged_and_files_are_changes_too(
    store: Callable, code: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store("affected", "--staged")[::2] == (
        0, "0 files staged: 0 lessons of 1 touched, 0 with pitfalls, 0 to validate again\n",
    )  # fmt: skip
    code.write({"src/a.py": "one\n"})
    code.git("add", "src/a.py")
    assert store("affected", "--staged")[1].startswith("first\tfile\tsrc/a.py:1\t")
    monkeypatch.chdir(code.root / "src")
    for named in ("a.py", "../src/a.py", str(code.root / "src" / "a.py"), "."):
        assert store("affected", named)[1].startswith("first\t")


@pytest.mark.parametrize(
    "line", ["affected", "affected a.py --staged", "affected --diff main a.py",
             "affected --diff main --staged"],
)  # fmt: skip
def test_a_change_is_told_in_one_way(store: Callable, line: str) -> None:
    message = "a change is told by one of --diff BASE, --staged and FILES; give one"
    assert store(*line.split()) == (2, "", f"error: {message}\n")


def test_a_file_that_is_elsewhere_is_told(store: Callable, code: Repository) -> None:
    assert store("affected", "../other.py") == (
        2, "", f"error: '../other.py' is not in the checkout '{code.root}'; name files of it\n",
    )  # fmt: skip


def test_without_code_at_hand_files_are_paths_from_its_top(
    store: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "repository", lambda: None)
    assert store("affected", "src/../src/a.py")[1].startswith("first\tfile\tsrc/a.py\t")
    for name in ("../a.py", "/src/a.py"):
        assert store("affected", name) == (
            2, "", f"error: '{name}' leads out of the repository; write the path from its top, or "
            "stand in its checkout\n",
        )  # fmt: skip
    told = "error: the project's code is not at hand; name it with --checkout DIR\n"
    for change in (("--staged",), ("--diff", "main")):
        assert store("affected", *change) == (2, "", told)


def test_a_missing_base_is_told(store: Callable) -> None:
    assert store("affected", "--diff", "origin/main") == (
        2, "", "error: no commit 'origin/main' here; name a branch, tag or commit, or run "
        "`git fetch` first\n",
    )  # fmt: skip


def test_recall_takes_files_as_seen_from_here(
    store: Callable, code: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(code.root / "src")
    for named in (("--file", "a.py"), ("--file", "../other.py", "--file", ".")):
        exit_code, out, _ = store("recall", *named)
        assert (exit_code, out.split("\t")[0]) == (0, "first")
    assert store("recall", "--file", "b.py")[::2] == (0, "nothing relevant\n")
    found = json.loads(store("recall", "--file", "a.py", "locked", "--explain", "--json")[1])
    jsonschema.validate(found, resources.schema("output/recall"))
    assert found["answers"][0]["why"]["files"] == ["src/a.py"]
    assert store("recall", "--file", "../../x")[2] == (
        f"error: '../../x' is not in the checkout '{code.root}'; name files of it\n"
    )


def test_without_git_a_change_has_to_be_elsewhere(run: Callable, tmp_path: Path) -> None:
    run("init")
    (tmp_path / "plain").mkdir()
    told = "error: 'plain' is in no checkout of git; name the project's repository\n"
    for change in (["--staged"], ["--diff", "main"], ["a.py"]):
        assert run("affected", *change, "--checkout", "plain") == (2, "", told)


@pytest.mark.parametrize(
    "line", [("affected", ""), ("affected", "src", " "), ("recall", "--file", "")]
)
def test_a_file_without_a_name_is_refused(store: Callable, line: tuple[str, ...]) -> None:
    message = f"error: '{line[-1]}' names no file; name one, or a folder such as '.'\n"
    assert store(*line) == (2, "", message)
