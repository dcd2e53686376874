"""Write memories for other programs: a file of theirs, or a section of a file that is people's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from project_memory.documents import tokens
from project_memory.errors import Conflict, InvalidInput, StorageError
from project_memory.exchange import agents_section, server_graph, writing
from project_memory.model import Project
from project_memory.ports import Reader
from project_memory.services.brief import Brief, Entry
from project_memory.services.exporting import ExportReport

LEAST = 200
"""Tokens that a section is given at least."""


def knowledge_graph(
    reader: Reader, project: Project, path: Path, *, overwrite: bool
) -> ExportReport:
    """Write the file of the reference MCP memory server, without what is archived.

    Raises:
        Conflict: there is another file, and `overwrite` is false.
        StorageError: the file cannot be written.
    """
    held = [m.document for m in reader.memories(project.key) if not m.archived]
    content = "".join(server_graph.lines(held))
    before = _text(path)
    if before not in {None, "", content} and not overwrite:
        raise Conflict(
            f"'{path}' is there already and holds something else; name another file, or write "
            "over it (--overwrite)"
        )
    changed = before != content
    if changed:
        _write(path, content, mode=0o600)
    return ExportReport(str(path), len(held), 0, int(changed))


def section(path: Path, told: Callable[[int], Brief], *, budget: int) -> ExportReport:
    """Write what to know at the start of work into its section of a file; the rest stays.

    Args:
        path: Such as ``AGENTS.md``; made where it is missing.
        told: Tokens -> brief.
        budget: Tokens that the section may cost, markers and headings included.

    Raises:
        InvalidInput: `budget` is below `LEAST`, or the file is a symbolic link or no UTF-8.
        Conflict: the markers in the file are not one pair.
        StorageError: the file cannot be read or written.
    """
    if budget < LEAST:
        raise InvalidInput(f"budget {budget} is below {LEAST}; a section needs {LEAST} tokens")
    if path.is_symlink():
        raise InvalidInput(f"'{path}' is a symbolic link; name the file that it leads to")
    parts = _parts(told(budget))
    while tokens(agents_section.render(parts)) > budget:
        parts = _shorter(parts)
    before = _text(path) or ""
    text = agents_section.render(parts)
    if "\r\n" in before:
        text = text.replace("\n", "\r\n")
    try:
        after = agents_section.placed(before, text)
    except ValueError as error:
        raise Conflict(
            f"the markers of the lessons in '{path}' are not one pair; remove what is between "
            "them and both, and export again"
        ) from error
    if after != before:
        _write(path, after, mode=_mode(path))
    return ExportReport(
        str(path), len({name for _, e in parts for name, _ in e}), 0, int(after != before)
    )


Parts = list[tuple[str, list[tuple[str, str]]]]


def _parts(brief: Brief) -> Parts:
    rules = [*brief.standing, *(Entry(name, "(see it)") for name in brief.standing_left_out)]
    several = (
        ("Always", rules),
        ("Most important", brief.central),
        ("Latest", brief.recent),
        ("Beware", brief.pitfalls),
    )
    return [(f"### {heading}", [(e.id, e.text) for e in entries]) for heading, entries in several]


def _shorter(parts: Parts) -> Parts:
    """Return parts without the last entry; of what is nothing there is nothing left to take."""
    for place in range(len(parts) - 1, -1, -1):
        heading, entries = parts[place]
        if entries:
            return [*parts[:place], (heading, entries[:-1]), *parts[place + 1 :]]
    raise AssertionError("an empty section is within every budget")


def _text(path: Path) -> str | None:
    if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe may never be written to
        raise InvalidInput(f"'{path}' is no regular file; name another")
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise InvalidInput(f"'{path}' is not UTF-8; save it as UTF-8") from error
    except OSError as error:
        raise StorageError(f"cannot read '{path}' ({error.strerror})") from error


def _write(path: Path, content: str, *, mode: int) -> None:
    try:
        writing.replace(path, content, mode=mode)
    except OSError as error:
        raise StorageError(f"cannot write '{path}' ({error.strerror})") from error


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777 if path.exists() else 0o644
