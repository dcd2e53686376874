"""``git-merge`` and ``git-textconv``: what git runs, as `setup --git` tells it."""

from __future__ import annotations

from pathlib import Path

import click

from project_memory.cli.command import command
from project_memory.cli.output import say, write
from project_memory.errors import InvalidInput

FILE = click.Path(path_type=Path, dir_okay=False)


@command(
    "git-merge",
    examples=("project-memory git-merge base.json ours.json theirs.json memories/a.json",),
)
@click.argument("base", type=FILE)
@click.argument("ours", type=FILE)
@click.argument("theirs", type=FILE)
@click.argument("name", metavar="PATH")
@click.pass_context
def git_merge(context: click.Context, /, base: Path, ours: Path, theirs: Path, name: str) -> None:
    """Merge three versions of a file of lessons into OURS, field by field.

    Git runs it where two branches changed the file that it has at PATH. Exit status 1 means that
    both changed one field, which stands twice in the file, between the usual markers.
    """
    from project_memory.exchange.versions import merged_text  # noqa: PLC0415

    merged = merged_text(*(_text(path) for path in (base, ours, theirs)))
    try:
        ours.write_bytes(merged.text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise InvalidInput(f"cannot write '{ours}' ({error.strerror}); name a file") from error
    if merged.conflicts:
        say(f"warning: both changed {', '.join(merged.conflicts)} in '{name}'; resolve it there")
    context.exit(1 if merged.conflicts else 0)


@command("git-textconv", examples=("project-memory git-textconv .project-memory/memories/a.json",))
@click.argument("file", type=FILE)
def git_textconv(file: Path) -> None:
    """Print a file of lessons as it is best compared: a document as a note.

    Git runs it to show differences; nothing else is changed by it.
    """
    from project_memory.exchange.versions import readable  # noqa: PLC0415

    write(readable(_text(file)))


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise InvalidInput(f"cannot read '{path}' ({error.strerror}); name a file") from error
