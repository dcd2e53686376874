"""``export`` and ``import``: a folder of files, or one file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.options import change_options
from project_memory.cli.output import emit
from project_memory.cli.parameters import COUNT
from project_memory.cli.session import opened
from project_memory.cli.views import exchange as views

FORMS = ("directory", "markdown", "json", "jsonl", "mcp-memory", "agents-md")
"""Names of what can be exported."""
AGENT_FILES = frozenset({"agents.md", "claude.md", "claude.local.md", "gemini.md"})
"""Names, in lower case, of files in which an export writes a section unless it is told else."""
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
        "project-memory export notes --format markdown",
        "project-memory export AGENTS.md --budget 800",
    ),
)
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="By default what PATH ends in: .json, .jsonl, the name of an agent's file, or a folder.",
)
@click.option(
    "--history/--no-history", default=True, help="Put history into json and jsonl or not."
)
@click.option(
    "--overwrite", is_flag=True, help="Replace files that hold what this project never held, too."
)
@click.option(
    "--budget",
    type=COUNT,
    default=1000,
    show_default=True,
    metavar="N",
    help="Tokens of the section that agents-md writes.",
)
def export(path: Path, *, form: str | None, history: bool, overwrite: bool, budget: int) -> None:
    """Write memories to a folder or a file.

    A folder has one file for each memory: in JSON, made to be committed and reviewed, or in
    Markdown, made to be read and edited in Obsidian. One file holds everything, history too, as
    json or jsonl. mcp-memory is the file of the reference MCP memory server; agents-md writes
    one section of a file such as AGENTS.md and leaves the rest as it is. Edits by hand are not
    written over: import them first.
    """
    chosen = form or _form_of(path)
    with opened() as memories:
        match chosen:
            case "json" | "jsonl":
                report = memories.export_file(
                    path, with_history=history, overwrite=overwrite, in_lines=chosen == "jsonl"
                )
            case "mcp-memory":
                report = memories.export_graph(path, overwrite=overwrite)
            case "agents-md":
                report = memories.export_section(path, budget=budget)
            case _:
                report = memories.export_directory(path, form=chosen, overwrite=overwrite)
    emit(report, views.EXPORT)


def _form_of(path: Path) -> str:
    """Return the form that the name of a file or folder asks for."""
    if path.name.lower() in AGENT_FILES:
        return "agents-md"
    return {".json": "json", ".jsonl": "jsonl"}.get(path.suffix, "directory")


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
