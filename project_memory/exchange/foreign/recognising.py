"""Tell of which format a file or folder is, by what it holds; where that is not certain, ask."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from project_memory.documents import printable
from project_memory.errors import InvalidInput, StoreUnreadable
from project_memory.exchange import frontmatter
from project_memory.exchange.foreign import (
    agent_files,
    basic_memory,
    cursor_rules,
    lists,
    mem0,
    project_memory_mcp,
    rows,
    schist,
    server_memory,
    tree,
    vault,
)

OWN = "project-memory"
"""What this program exports."""
_BEGINNING = 256 * 1024
_LOOKED_AT = 50  # notes of a folder


def recognised(path: Path) -> str:
    """Return the name of the format; what nothing speaks against is taken for our own.

    Raises:
        InvalidInput: it could be of several formats, or is of none.
        StoreUnreadable: it cannot be read.
    """
    try:
        return _folder(path) if path.is_dir() else _file(path)
    except OSError as error:
        raise StoreUnreadable(
            f"cannot read '{printable(str(path))}' ({error.strerror}); nothing was taken from it"
        ) from error


def _folder(path: Path) -> str:
    present = {entry.name for entry in os.scandir(path)}
    if present & {"memories", "archive", "labels.json", "meta.json"}:
        return OWN
    if ".obsidian" in present:
        return vault.NAME
    if any(name.lower() == "memory.md" for name in present):
        return agent_files.NAME
    names, _ = tree.files(path, lambda name: name.endswith((".md", ".mdc")))
    rules = [name for name in names if name.endswith(".mdc")]
    notes = [name for name in names if name.endswith(".md")]
    if rules and not notes:
        return cursor_rules.NAME
    if not names:
        return OWN
    if (
        all(basic_memory.is_note(_fields(path / name)) for name in notes[:_LOOKED_AT])
        and not rules
    ):
        return basic_memory.NAME
    raise _unclear(path, "folder", (vault.NAME, basic_memory.NAME, cursor_rules.NAME))


def _file(path: Path) -> str:
    name = path.name.lower()
    if name in agent_files.FILES:
        return agent_files.NAME
    if name.endswith(".mdc"):
        return cursor_rules.NAME
    if not path.is_file():  # a pipe may never be written to; it is told by who reads it
        return OWN
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING)
    if beginning.startswith(rows.HEADER):
        return _database(path)
    if name.endswith((".md", ".markdown", ".txt")):
        if basic_memory.is_note(_fields(path)):
            return basic_memory.NAME
        formats = (agent_files.NAME, lists.NAME, vault.NAME, basic_memory.NAME)
        raise _unclear(path, "file", formats)
    return _json(path, beginning)


def _database(path: Path) -> str:
    present = rows.tables(path)
    if present >= schist.TABLES:
        return schist.NAME
    if present >= project_memory_mcp.TABLES:
        return project_memory_mcp.NAME
    if {"memories", "projects", "history"} <= present:
        raise InvalidInput(
            f"'{printable(path.name)}' is a store; export it with --store first, and import that"
        )
    raise _unclear(path, "database", (schist.NAME, project_memory_mcp.NAME))


def _json(path: Path, beginning: bytes) -> str:
    """Return the format of JSON, be it one value or one to a line."""
    first = next(_objects(beginning), None)
    if first is not None and first.get("type") in {"entity", "relation"}:
        return server_memory.NAME
    if first is not None and "format" in first:
        return OWN
    if b'"memory"' in beginning and mem0.is_export(_value(path)):
        return mem0.NAME
    return OWN


def _objects(beginning: bytes) -> Iterator[dict[str, Any]]:
    text = beginning.decode("utf-8", "replace").removeprefix("\ufeff").lstrip()
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        yield value


def _value(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def _fields(path: Path) -> object:
    try:
        with path.open(encoding="utf-8-sig") as file:
            return frontmatter.parse(file.read(_BEGINNING)).fields
    except ValueError:  # broken, or no UTF-8: told when it is read
        return None


def _unclear(path: Path, what: str, formats: tuple[str, ...]) -> InvalidInput:
    return InvalidInput(
        f"the {what} '{printable(path.name)}' does not show of which format it is; "
        f"say it with --from: {', '.join(formats)}"
    )
