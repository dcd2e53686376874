"""``affected``: the lessons that a change of the code touches."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from project_memory.cli import paths, touched
from project_memory.cli.command import command
from project_memory.cli.options import checkout_option, form_option
from project_memory.cli.session import checkout as repository
from project_memory.cli.session import opened
from project_memory.errors import InvalidInput

if TYPE_CHECKING:  # the application is imported when it runs
    from project_memory.app import Affected, ProjectMemory


@command(
    "affected",
    output="affected",
    examples=(
        "project-memory affected --diff origin/main",
        "project-memory affected --staged",
        "project-memory affected src/store/sqlite.py src/sync",
        "project-memory affected --diff origin/main --format markdown",
    ),
)
@click.argument("files", nargs=-1, metavar="[FILES...]")
@click.option(
    "--diff",
    "base",
    metavar="BASE",
    help="What the commits here changed since they left this branch, tag or commit.",
)
@click.option("--staged", is_flag=True, help="What the next git commit changes.")
@form_option(touched.WRITERS)
@checkout_option()
def affected(
    files: tuple[str, ...],
    *,
    base: str | None,
    staged: bool,
    form: str,
    checkout: Path | None,
) -> None:
    """List the lessons that a change of the code touches, and why.

    A change is told by --diff, --staged or FILES, which are files and folders, as seen from here,
    of which anything may have changed. Lessons with pitfalls come first, then by how directly the
    change touches them: a file that they name, a path of their checks, a glob, a name of the code
    in a changed line; last, those that depend on one of these. Those to validate again say why.

    Exit status 0, whatever is found.
    """
    if (base is not None) + staged + bool(files) != 1:
        raise InvalidInput("a change is told by one of --diff BASE, --staged and FILES; give one")
    folder = checkout or repository()
    with opened() as memories:
        touched.WRITERS[form](_found(memories, files, base, staged, folder))


def _found(
    memories: ProjectMemory,
    files: Iterable[str],
    base: str | None,
    staged: bool,  # noqa: FBT001  # as click has it
    folder: Path | None,
) -> Affected:
    if base is not None:
        return memories.affected_since(base, folder)
    if staged:
        return memories.affected_staged(folder)
    return memories.affected_files(paths.from_top(files, _top(folder)), folder)


def _top(folder: Path | None) -> Path | None:
    from project_memory.checkout.git import checkout_at  # noqa: PLC0415  # only files need it

    return None if folder is None else checkout_at(folder).root
