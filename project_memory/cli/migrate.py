"""``migrate``: a store moves between a file and a database."""

from __future__ import annotations

import click

from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.progress import progress
from project_memory.cli.settings import settings
from project_memory.cli.views.migrate import VIEW


@command(
    "migrate",
    output="migrate",
    examples=(
        "project-memory migrate --to postgresql://db.example.org/memory",
        "project-memory --store postgresql://db.example.org/memory migrate --to copy.db",
    ),
)
@click.option("--to", required=True, metavar="URL", help="Where there is no store yet.")
def migrate(*, to: str) -> None:
    """Copy the whole store to another file or database.

    Every project with its history, counters, proposals and settings arrives as it is, is read
    back and compared; all of it, or nothing. Nobody can write meanwhile. The store that was
    copied stays as it is: point every client to the copy, then remove it.
    """
    from project_memory.app import migrate_store  # noqa: PLC0415

    with progress("copying") as tell:
        done = migrate_store(settings().store, to=to, tell=tell)
    emit(done, VIEW)
