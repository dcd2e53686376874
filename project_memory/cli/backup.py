"""``backup`` and ``restore``: a whole store goes into a file, and comes back."""

from __future__ import annotations

from pathlib import Path

import click

from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.parameters import COUNT
from project_memory.cli.progress import progress
from project_memory.cli.session import actor
from project_memory.cli.settings import settings
from project_memory.cli.views import backup as views


@command(
    "backup",
    output="backup",
    examples=(
        "project-memory backup",
        "project-memory backup backups --keep 7",
        "project-memory backup before-the-move.db",
    ),
)
@click.argument(
    "place", required=False, metavar="[FOLDER|FILE.db]", type=click.Path(path_type=Path)
)
@click.option(
    "--keep", type=COUNT, metavar="N", help="Remove the oldest backups of this store beyond N."
)
def backup(*, place: Path | None, keep: int | None) -> None:
    """Copy the whole store to a folder or a file.

    The copy holds every project with history, counters, proposals and the digests of tokens, and
    no token. The store may be in use. It is read back, is for its owner only, and has its name
    only when it is whole. Without a place it goes to the folder backups beside the default store.
    """
    from project_memory.app import backup_store  # noqa: PLC0415

    emit(backup_store(settings().store, place, keep=keep), views.BACKUP)


@command(
    "restore",
    output="restore",
    examples=(
        "project-memory restore --from backups/project-memory-5f0c9a3e1b2d-20261201T040000Z-1.db",
        "project-memory --store postgresql://db.example.org/memory restore --from copy.db --yes",
    ),
)
@click.option(
    "--from",
    "file",
    required=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="What backup wrote, of a file or of a database.",
)
@click.option("--yes", is_flag=True, help="Replace the store that is there.")
def restore(*, file: Path, yes: bool) -> None:
    """Put a backup in the place of the store, or where there is none.

    The backup is read through first. Then everything is replaced in one transaction, read back and
    compared, or nothing is. What the store held before is kept in a file that is named; only a
    person at a terminal can replace a store. Tokens that were revoked since stay revoked.
    """
    from project_memory.app import restore_store  # noqa: PLC0415

    with progress("restoring") as tell:
        done = restore_store(settings().store, file, actor=actor(), replace=yes, tell=tell)
    emit(done, views.RESTORED)
