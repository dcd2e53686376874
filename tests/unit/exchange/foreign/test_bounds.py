"""What is beyond what is read at once, or of no format, is told whole."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from malformed import database

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidDocument, InvalidInput, StoreUnreadable
from project_memory.exchange import foreign
from project_memory.exchange.foreign import reading, rows
from project_memory.model import Actor, Authority


def said(path: Path, name: str | None = None) -> str:
    """Return what keeps a file from being read."""
    try:
        found = foreign.read(path, name or foreign.recognised(path), path.name)
    except (InvalidInput, StoreUnreadable) as error:
        return str(error)
    return str(InvalidDocument(found.problems))


def test_a_database_of_nobody_and_a_store_of_ours_are_told(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as db:
        db.execute("CREATE TABLE notes (text TEXT)")
    assert said(tmp_path / "other.db") == (
        "the database 'other.db' does not show of which format it is; say it with --from: "
        "schist, project-memory-mcp"
    )
    actor = Actor("ada", Authority.USER)
    ProjectMemory.open(str(tmp_path / "s.db"), project="demo", actor=actor, create=True).close()
    assert said(tmp_path / "s.db") == (
        "'s.db' is a store; export it with --store first, and import that"
    )


def test_a_database_beyond_bounds_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "schist.db"
    database("schist")(path)
    monkeypatch.setattr(rows, "MAX_ITEMS", 2)
    assert said(path) == (
        "table 'agent_memory' of 'schist.db' has more than 2 rows; import a part of it"
    )
    monkeypatch.setattr(rows, "MAX_BYTES", 1024)
    assert said(path) == "'schist.db' is larger than 0 MiB; import a part of it"


def test_more_items_than_are_imported_at_once_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lessons.md"
    path.write_text("- the first lesson\n- the second lesson\n")
    monkeypatch.setattr(reading, "MAX_ITEMS", 1)
    assert said(path, "markdown-list") == (
        "lessons.md:1: $: there are more than 1 items; import it in parts [too-many]"
    )
    monkeypatch.setattr(foreign, "MAX_ITEMS", 1)
    (tmp_path / "more.md").write_text("# A\n\nwords\n\n# B\n\nwords\n")
    assert said(tmp_path, "agents-md") == (
        f"the folder '{tmp_path.name}' holds more than 1 items; import its folders one by one"
    )


def test_a_file_that_is_too_large_or_no_file_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lessons.md"
    path.write_text("- the first lesson\n")
    monkeypatch.setattr(reading, "MAX_FILE", 3)
    assert said(path, "markdown-list") == (
        "lessons.md: $: the file is larger than 0 MiB [oversize]"
    )
    os.mkfifo(tmp_path / "pipe")
    assert foreign.recognised(tmp_path / "pipe") == foreign.OWN
    assert said(tmp_path / "pipe", "markdown-list") == (
        "pipe: $: no regular file; save what it gives to a file [not-a-file]"
    )
