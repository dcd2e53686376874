"""``init``: a store and this repository's project."""

from __future__ import annotations

from pathlib import Path

import click

from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.session import actor
from project_memory.cli.settings import settings
from project_memory.cli.views.setup import INIT
from project_memory.errors import InvalidInput


@command(
    "init",
    output="init",
    examples=("project-memory init", "project-memory --project shop init --force"),
)
@click.option("--force", is_flag=True, help="Be content with a project that exists already.")
def init(*, force: bool) -> None:
    """Make a store and this repository's project, with the starter labels.

    The project is known by the repository's origin, so that every clone shares it. A project
    that exists already stays as it is; without --project, this repository leads to it then.
    """
    from project_memory.app import init_store  # noqa: PLC0415
    from project_memory.checkout.identity import project_identity  # noqa: PLC0415

    found = project_identity(Path.cwd())
    given = settings().project
    ready = init_store(
        settings().store,
        project=given or found.name,
        actor=actor(),
        repository_ids=() if given else (found.id,),
    )
    if not ready.created and not force:
        kept = "it is as it was" if given else "it is as it was, and this repository leads to it"
        raise InvalidInput(
            f"project '{ready.project}' exists already in '{ready.store}'; {kept} "
            "(--force accepts that)"
        )
    emit(ready, INIT)
