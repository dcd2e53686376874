"""A text in the user's editor, opened again until it can be stored; never lost."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click

from project_memory.cli.boundary import explain, report
from project_memory.cli.source import read_text
from project_memory.errors import InvalidInput, ProjectMemoryError


def edit_until_stored(
    text: str,
    name: str,
    store: Callable[[str], None],
    *,
    otherwise: str = "use --set FIELD=JSON or --patch FILE",
) -> bool:
    """Let a text be edited and stored, and return whether it was; False if it was left alone.

    `otherwise` says what to do where there is no editor to open. Whoever gives up finds what they
    wrote in the file that the error names.

    Raises:
        InvalidInput: there is no editor to open, or the user gave up.
    """
    if not (sys.stdin.isatty() or os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise InvalidInput(
            f"editing '{name}' opens an editor and standard input is no terminal; {otherwise}"
        )
    handle, path = tempfile.mkstemp(prefix=f"{name}-", suffix=".json")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    while True:
        click.edit(filename=path)
        try:
            edited = read_text(path)
            changed = edited.strip() != text.strip()
            if changed:
                store(edited)
        except ProjectMemoryError as error:
            report(explain(error), as_document=False)
            if not _again():
                raise InvalidInput(
                    f"'{name}' is as it was; what you wrote is kept in '{path}'"
                ) from error
        else:
            Path(path).unlink()
            return changed


def _again() -> bool:
    """Ask; the end of input is a no, so that nobody's text goes with it."""
    try:
        return click.confirm("edit it again?", default=True, err=True)
    except click.Abort:
        click.echo(err=True)
        return False
