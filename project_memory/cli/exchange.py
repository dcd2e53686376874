"""``export`` and ``import``: a folder of files, or one file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.options import change_options
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views import exchange as views

FORMATS = (
    *("project-memory", "mcp-memory", "agents-md", "cursor", "obsidian", "basic-memory"),
    *("project-memory-mcp", "schist", "mem0", "markdown-list"),
)
"""Names of what can be imported; a test holds them to the importers, which load only when used."""


@command(
    "export",
    output="export",
    examples=(
        "project-memory export .project-memory",
        "project-memory export backup.json",
        "project-memory export backup.json --no-history",
    ),
)
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["directory", "json"]),
    help="Folder or one file; by default a PATH that ends in .json is a file.",
)
@click.option("--history/--no-history", default=True, help="Put history into the file or not.")
@click.option(
    "--overwrite", is_flag=True, help="Replace files that hold what this project never held, too."
)
def export(path: Path, *, form: str | None, history: bool, overwrite: bool) -> None:
    """Write memories to a folder or a file.

    A folder has one file for each memory, made to be committed and reviewed; one file holds
    everything, history too. Edits by hand are not written over: import them first.
    """
    form = form or ("json" if path.suffix == ".json" else "directory")
    with opened() as memories:
        if form == "json":
            emit(
                memories.export_file(path, with_history=history, overwrite=overwrite), views.EXPORT
            )
        else:
            emit(memories.export_directory(path, overwrite=overwrite), views.EXPORT)


@command(
    "import",
    output="import",
    examples=(
        "project-memory import .project-memory --dry-run",
        "project-memory import backup.json --strict",
        "project-memory import CLAUDE.md --dry-run",
        "project-memory import notes.md --from markdown-list",
    ),
)
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "form",
    type=click.Choice(FORMATS),
    help="Format of PATH, where it does not show by itself.",
)
@click.option("--strict", is_flag=True, help="Refuse unknown labels instead of adding them.")
@click.option(
    "--take-older",
    is_flag=True,
    help="Take documents that are older than what is here, too; else they are only named.",
)
@change_options
@click.pass_context
def import_(context: click.Context, /, path: Path, **choices: Any) -> None:
    """Read memories from a folder or a file, of this program or another.

    Everything is validated first and applied in one transaction. Nothing is deleted, whatever
    the folder lacks, and nothing older replaces what is newer here unless you ask. What another
    program remembers comes in as an import, with its file and line as evidence; off a terminal a
    line holds: source, what it is called there, outcome, memory. Exit status 1 means that items
    were refused, and all others went in.
    """
    with opened() as memories:
        report = memories.import_path(path, shown=_shown(path), **choices)
    emit(report, views.IMPORT)
    context.exit(0 if report.passed else 1)


def _shown(path: Path) -> str:
    """Return a path as evidence may name it: within the working directory, else its name alone."""
    absolute, here = Path(os.path.abspath(path)), Path.cwd()  # noqa: PTH100  # links stay links
    inside = absolute.is_relative_to(here) and absolute != here
    return absolute.relative_to(here).as_posix() if inside else absolute.name
