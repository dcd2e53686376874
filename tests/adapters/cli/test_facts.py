"""``validate --facts`` holds the checks of memories against the code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from factories import document, draft
from repositories import Repository

from project_memory import resources
from project_memory.cli import validate

ROOT = Path(__file__).resolve().parents[3]
SARIF = ROOT / "tests" / "sarif" / "sarif-2.1.0-rtm.5.json"
CHECKS = [
    {"type": "text_absent", "path": "src/*.py", "text": "DEFERRED"},
    {"type": "dependency", "requirement": "requests>=2"},
    {"type": "text_present", "path": "../x", "text": "x"},
    {"type": "file_exists", "path": "src/a.py"},
]
FIX = "see which is wrong, and correct the lesson with its check, or the code"
HOLDS = "line 2 of 'src/a.py' holds 'DEFERRED'"
NOWHERE = "no dependency 'requests>=2': no file is there that could name it"
VERDICT = "1 memory checked, 3 checks of facts: 2 errors, 0 warnings\n"


@pytest.fixture
def code(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "code")
    repository.root.mkdir()
    repository.git("init", "--quiet", "--initial-branch=main")
    repository.commit("2026-03-01", {"src/a.py": "one\nDEFERRED\n"})
    return repository


@pytest.fixture
def store(run, code: Repository, tmp_path: Path, monkeypatch) -> Callable:
    """Return `run` in a checkout, over a store with a memory that it contradicts twice."""
    monkeypatch.delenv("PROJECT_MEMORY_PROJECT")
    monkeypatch.chdir(code.root)
    text = draft(id="first", checks=[CHECKS[0], CHECKS[1], CHECKS[3]])
    (tmp_path / "first.json").write_text(json.dumps(text))
    run("init")
    assert run("add", str(tmp_path / "first.json"))[0] == 0
    return run


@pytest.fixture
def folder(run, code: Repository) -> Callable:
    """Return `run` beside an exported folder in a checkout."""
    memories = code.root / ".project-memory" / "memories"
    memories.mkdir(parents=True)
    held = document(id="first", checks=[CHECKS[0], CHECKS[1], CHECKS[3]])
    (memories / "first.json").write_text(json.dumps(held, indent=2))
    return run


def test_a_store_is_held_against_the_repository_at_hand(store: Callable) -> None:
    assert store("validate", "--facts") == (
        1,
        f"error\tsrc/a.py:2 first $.checks[0]\tcheck-contradicted\t{HOLDS}; {FIX}\n"
        f"error\tfirst $.checks[1]\tcheck-contradicted\t{NOWHERE}; {FIX}\n",
        VERDICT,
    )
    assert store("validate")[0] == 0


def test_a_folder_is_held_against_the_repository_that_it_is_in(folder: Callable) -> None:
    file = "memories/first.json"
    code, out, err = folder("validate", "code/.project-memory", "--facts")
    assert (code, err) == (1, VERDICT)
    first, second = out.splitlines()
    assert first.startswith(f"error\tsrc/a.py:2 {file}:")
    assert first.endswith(f" $.checks[0]\tcheck-contradicted\t{HOLDS}; {FIX}")
    assert second.endswith(f" $.checks[1]\tcheck-contradicted\t{NOWHERE}; {FIX}")
    one = folder("validate", "code/.project-memory/memories/first.json", "--facts")
    assert (one[0], one[2]) == (1, VERDICT)


def test_the_code_can_be_elsewhere(folder: Callable, code: Repository, tmp_path: Path) -> None:
    (code.root / ".project-memory").rename(tmp_path / "moved")
    line = ("validate", "moved", "--facts", "--checkout", "code/src")
    assert folder(*line)[2] == VERDICT
    code.write({"src/a.py": "one\n", "requirements.txt": "requests\n"})
    assert folder(*line) == (
        0, "", "1 memory checked, 3 checks of facts: 0 errors, 0 warnings\n",
    )  # fmt: skip


def test_json_tells_both_places(store: Callable, code: Repository) -> None:
    exit_code, out, _ = store("validate", "--facts", "--json")
    report = json.loads(out)
    jsonschema.validate(report, resources.schema("output/validate"))
    assert exit_code == 1
    assert report["facts"] == {"checkout": str(code.root), "checks": 3}
    assert [each.get("at") for each in report["problems"]] == [
        {"file": "src/a.py", "line": 2}, None,
    ]  # fmt: skip


def test_annotations_stand_in_the_code(folder: Callable) -> None:
    out = folder("validate", "code/.project-memory", "--facts", "--format", "github")[1]
    first, second = out.splitlines()
    assert first == (
        "::error file=code/src/a.py,line=2,title=check-contradicted::first $.checks[0]: "
        f"{HOLDS}; {FIX}"
    )
    assert second.startswith("::error file=code/.project-memory/memories/first.json,line=")
    assert second.endswith(f",title=check-contradicted::first $.checks[1]: {NOWHERE}; {FIX}")


def test_sarif_locates_it_in_the_code(store: Callable) -> None:
    out = store("validate", "--facts", "--format", "sarif")[1]
    log = json.loads(out)
    jsonschema.validate(log, json.loads(SARIF.read_text()))
    places = [
        result["locations"][0].get("physicalLocation") for result in log["runs"][0]["results"]
    ]
    assert places == [
        {"artifactLocation": {"uri": "src/a.py"}, "region": {"startLine": 2}}, None,
    ]  # fmt: skip


def test_only_what_readers_take_for_true_is_held_to_it(store: Callable) -> None:
    assert store("status", "first", "wrong", "--reason", "it is not so")[0] == 0
    assert store("validate", "--facts")[::2] == (
        0, "1 memory checked, 0 checks of facts: 0 errors, 0 warnings\n",
    )  # fmt: skip


def test_a_check_that_leads_out_is_refused_and_never_made(
    folder: Callable, code: Repository
) -> None:
    held = document(id="first", checks=[CHECKS[2], CHECKS[0]])
    place = code.root / ".project-memory" / "memories" / "first.json"
    place.write_text(json.dumps(held, indent=2))
    exit_code, out, err = folder("validate", "code/.project-memory", "--facts")
    assert exit_code == 1
    assert out.endswith(
        " $.checks[0].path\tschema-pattern\t'../x' is no path or glob relative to the "
        "repository, with forward slashes\n"
    )
    assert err == "1 memory checked, 0 checks of facts: 1 error, 0 warnings\n"


def test_what_cannot_be_decided_is_a_warning(store: Callable, code: Repository) -> None:
    (code.root / "src/a.py").unlink()
    (code.root / "src/a.py").symlink_to("nowhere")
    (code.root / "requirements.txt").write_text("requests\n")
    exit_code, out, err = store("validate", "--facts")
    told = "is a symbolic link, and none is followed; name the file that it leads to\n"
    assert exit_code == 0
    assert out == (f"warning\tfirst $.checks[2]\tcheck-undecided\t'src/a.py' {told}")
    assert err == "1 memory checked, 3 checks of facts: 0 errors, 1 warning\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("validate --facts --staged .",
         "--facts reads files as they are; leave out --staged and --fix"),
        ("validate --facts --fix .",
         "--facts reads files as they are; leave out --staged and --fix"),
        ("validate --checkout .",
         "--checkout says where --facts looks; add --facts, or leave it out"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_told(run: Callable, line: str, message: str) -> None:
    assert run(*line.split()) == (2, "", f"error: {message}\n")


def test_without_code_at_hand_it_is_asked_for(
    store: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validate, "repository", lambda: None)
    assert store("validate", "--facts") == (
        2, "", "error: the project's code is not at hand; name it with --checkout DIR\n",
    )  # fmt: skip
    (tmp_path / "bare").mkdir()
    assert store("validate", "--facts", "--checkout", str(tmp_path / "bare")) == (
        2, "", f"error: '{tmp_path / 'bare'}' is in no checkout of git; name the project's "
        "repository\n",
    )  # fmt: skip


def test_facts_and_expectations_are_reported_together(store: Callable) -> None:
    assert store("expect", "add", "nothing of the kind", "first")[0] == 0
    exit_code, out, _ = store("validate", "--facts", "--recall", "--json")
    codes = [problem["code"] for problem in json.loads(out)["problems"]]
    assert exit_code == 1
    assert codes.count("check-contradicted") == 2
    assert len(codes) == 3
