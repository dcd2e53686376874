"""The example store is sound and rich, and the example scripts run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from project_memory import documents, exchange, relations
from project_memory.app import ProjectMemory, validate_directory
from project_memory.model import Actor, Authority, Status

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
STORE = EXAMPLES / "store"
PACKAGE = exchange.read(STORE)
DOCUMENTS = [incoming.document for incoming in PACKAGE.memories]
AREAS = "sqlite postgresql packaging pyparsing numerics json-schema mcp pytest unicode git"


def test_the_store_has_no_problem_at_all() -> None:
    report = validate_directory(STORE)
    assert report.problems == ()
    assert report.checked >= 60


def test_it_speaks_of_everything_the_project_meets() -> None:
    carried = {label for document in DOCUMENTS for label in document["labels"]}
    assert {f"area:{area}" for area in AREAS.split()} <= carried


def test_it_has_every_status_and_every_kind_of_link() -> None:
    assert {document["status"] for document in DOCUMENTS} == {status.value for status in Status}
    kinds = {link.kind for document in DOCUMENTS for link in documents.links(document)}
    assert kinds == set(relations.KINDS)


def test_it_shows_what_a_store_can_mark() -> None:
    assert sum(incoming.archived for incoming in PACKAGE.memories) >= 2
    assert sum(bool(document.get("standing")) for document in DOCUMENTS) >= 2
    assert any(incoming.pinned for incoming in PACKAGE.memories)
    wrong = [document for document in DOCUMENTS if document["status"] == "wrong"]
    assert all(document["status_reason"] and document["pitfalls"] for document in wrong)
    registered = PACKAGE.registry.labels.values()
    assert any(label.broader for label in registered)
    assert any(label.aliases for label in registered)


def test_every_lesson_says_where_it_can_be_checked() -> None:
    assert all(document["evidence"].get("source") for document in DOCUMENTS)
    assert all(document["triggers"] for document in DOCUMENTS)


def test_it_comes_back_byte_for_byte(tmp_path: Path) -> None:
    ada = Actor("ada", Authority.USER)
    with ProjectMemory.open("inmemory://", project="demo", actor=ada, create=True) as memory:
        report = memory.import_path(STORE)
        assert (len(report.created), report.repairs) == (len(DOCUMENTS), ())
        memory.export_directory(tmp_path)
    for folder in ("memories", "archive"):
        files = {path.name: path.read_bytes() for path in (STORE / folder).iterdir()}
        copies = {path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()}
        assert copies == files
    for name in ("labels.json", "meta.json"):
        assert (tmp_path / name).read_bytes() == (STORE / name).read_bytes()


def script_environment() -> dict[str, str]:
    folder = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


SCRIPTS = sorted([*EXAMPLES.glob("*.py"), *EXAMPLES.glob("*.sh")])


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_an_example_script_runs(script: Path) -> None:
    start = [sys.executable] if script.suffix == ".py" else ["bash"]
    done = subprocess.run(
        [*start, str(script)],
        capture_output=True,
        text=True,
        check=False,
        env=script_environment(),
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_the_first_example_finds_its_lesson() -> None:
    script = EXAMPLES / "remember_and_recall.py"
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[0].split()[1] == "double-charge"
