"""The architecture that tools can check: layers, and what a quick command may import."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from factories import document, draft

from project_memory import services
from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

REPOSITORY = Path(__file__).parents[1]
HEAVY = ("mcp", "scipy", "numpy", "pyparsing", "rich", "pyroaring")
OF_OTHERS = (
    *(
        "mcp",
        "scipy",
        "numpy.ma",
        "pyparsing",
        "rich",
        "jsonschema",
        "jsonschema_rs",
        "tomlkit",
        "asyncio",
    ),
    *("importlib.metadata", "project_memory.audit", "project_memory.clients"),
    *("project_memory.exchange", "project_memory.reports", "project_memory.secrets"),
    *("project_memory.validation", "project_memory.duplicates", "project_memory.storage.memory"),
    *("project_memory.services.transaction", "project_memory.services.curate"),
)
REPORT = (
    "import sys; from project_memory.__main__ import main\n"
    "watched = sys.argv.pop(1).split()\n"
    "try: main()\n"
    "except SystemExit as end: code = end.code\n"
    "heavy = [name for name in watched if name in sys.modules]\n"
    "print(code, *heavy, file=sys.stderr)"
)


def heavy_imports(*arguments: str, watched: tuple[str, ...] = HEAVY) -> tuple[str, str]:
    """Run a command; return its output, and its exit code with the watched modules it imported."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT, " ".join(watched), *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, done.stderr.splitlines()[-1]


def test_imports_keep_to_the_layers() -> None:
    if importlib.util.find_spec("importlinter") is None:
        pytest.skip("import-linter comes with the extra `dev`; `make check` runs it")
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_help_imports_nothing_heavy() -> None:
    output, imported = heavy_imports("--help")
    assert "recall" in output
    assert imported == "0"


@pytest.mark.parametrize("status", ["active", "nonsense"])
def test_validating_a_document_imports_nothing_heavy(tmp_path: Path, status: str) -> None:
    memories = tmp_path / "memories"
    memories.mkdir()
    written = document(id="sqlite-locked", status=status)
    (memories / "sqlite-locked.json").write_text(json.dumps(written), encoding="utf-8")
    output, imported = heavy_imports("validate", str(tmp_path), "--json")
    assert json.loads(output)["checked"] == 1
    assert imported == ("0" if status == "active" else "1")


@pytest.mark.parametrize("asked", [["recall", "a locked database"], ["show", "sqlite-locked"]])
def test_to_read_imports_nothing_that_others_need(tmp_path: Path, asked: list[str]) -> None:
    url = str(tmp_path / "memory.db")
    actor = Actor("ada", Authority.USER)
    with ProjectMemory.open(url, project="demo", actor=actor, create=True) as store:
        store.create(draft(id="sqlite-locked", description="the database is locked by a writer"))
    command, words = asked
    output, imported = heavy_imports(
        command, "--store", url, "--project", "demo", words, watched=OF_OTHERS
    )
    assert "sqlite-locked" in output
    assert imported == "0"


def test_an_import_of_ours_loads_no_parser_of_other_programs(tmp_path: Path) -> None:
    url = str(tmp_path / "memory.db")
    actor = Actor("ada", Authority.USER)
    with ProjectMemory.open(url, project="demo", actor=actor, create=True) as store:
        store.create(draft(id="sqlite-locked"))
        store.export_directory(tmp_path / "lessons")
        store.export_file(tmp_path / "all.json")
    for path in ("lessons", "all.json"):
        line = ("import", "--store", url, "--project", "demo", "--json", str(tmp_path / path))
        output, imported = heavy_imports(*line, watched=("yaml", "markdown_it"))
        assert json.loads(output)["unchanged"] == 1
        assert imported == "0"


def test_a_use_case_that_does_not_exist_is_no_attribute() -> None:
    with pytest.raises(AttributeError) as error:
        _ = services.nothing_like_it
    assert str(error.value) == "project_memory.services has no module 'nothing_like_it'"
