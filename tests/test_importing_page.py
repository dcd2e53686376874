"""What the page about importing shows is what happens, and its tables are those of the code."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from project_memory.cli.exchange import FORMATS, FORMS
from project_memory.cli.group import cli
from project_memory.exchange.foreign import IMPORTERS, OWN
from project_memory.exchange.foreign.item import MAX_FILE, MAX_FILES, MAX_ITEMS
from project_memory.exchange.foreign.rows import MAX_BYTES
from project_memory.exchange.foreign.tree import MAX_DEPTH
from project_memory.resources import schema
from project_memory.services import relating

PAGE = (Path(__file__).parents[1] / "docs" / "importing.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def first_cells(heading: str) -> list[tuple[str, ...]]:
    """Return the cells of the first table below a heading."""
    section = PAGE.partition(f"\n{heading}")[2]
    table = section.partition("\n|---")[2].partition("\n\n")[0].splitlines()[1:]
    return [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in table]


def test_every_format_is_told() -> None:
    told = [(name, what) for name, what, _ in first_cells("## Import")]
    assert told == [(name, importer.what) for name, importer in IMPORTERS.items()]
    assert [row[0] for row in first_cells("## What becomes what")] == list(IMPORTERS)
    assert [row[0] for row in first_cells("## Export")] == list(FORMS)
    assert list(FORMATS) == [OWN, *IMPORTERS]


def test_every_outcome_is_told() -> None:
    items = schema("output/import")["properties"]["items"]["items"]
    assert [row[0] for row in first_cells("The outcome is one of")] == (
        items["properties"]["outcome"]["enum"]
    )


def test_the_bounds_are_told() -> None:
    told = PAGE.partition("One import takes")[2].partition("## Export")[0]
    bounds = (MAX_FILE // 2**20, MAX_BYTES // 2**20, MAX_ITEMS, MAX_FILES, MAX_DEPTH)
    assert re.findall(r"\d+(?:,\d{3})*", told) == [f"{bound:,}" for bound in bounds]


def test_the_relations_that_are_told_are_known() -> None:
    told = re.findall(r"`([a-z_]+)`", PAGE.partition("Names of relations")[2].partition("all")[0])
    kinds = {name: relating.KINDS[name.replace("_", " ") if name not in relating.KINDS else name]
             for name in told}  # fmt: skip
    assert kinds == {
        "depends_on": "depends_on",
        "requires": "depends_on",
        "replaces": "supersedes",
        "contrasts_with": "contradicts",
        "part_of": "specializes",
    }


def test_what_is_shown_is_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROJECT_MEMORY_STORE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("PROJECT_MEMORY_PROJECT", "demo")
    (tmp_path / "CLAUDE.md").write_text(blocks("markdown")[0], encoding="utf-8")

    def run(line: str) -> str:
        with pytest.raises(SystemExit) as ended:
            cli.main(shlex.split(line)[1:])
        assert ended.value.code in (0, None), line
        return capsys.readouterr().out

    run("project-memory init")
    imports, exports = (block.splitlines() for block in blocks("sh"))
    assert [run(line) for line in imports] == blocks("text") * 2
    for line in exports:
        run(line)
    assert {path.name for path in tmp_path.iterdir()} >= {
        "notes", "lessons.jsonl", "memory.jsonl", "AGENTS.md"
    }  # fmt: skip
