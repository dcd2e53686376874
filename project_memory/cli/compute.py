"""``compute``: what runs in the background beside a server; it only reports."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path

import click

from project_memory.cli.boundary import OUR_FAILURE
from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.parameters import COUNT
from project_memory.cli.session import checkout, opened
from project_memory.cli.views.compute import LISTED, VIEW
from project_memory.cli.working import backup_options, wanted_backups
from project_memory.errors import InvalidInput
from project_memory.jobs import Kind, Plan


@command(
    "compute",
    output="compute",
    examples=(
        "project-memory compute --once",
        "project-memory compute --once --kind audit",
        "project-memory compute --every 30 --backup-dir backups",
        "project-memory compute --list",
    ),
)
@click.option("--once", is_flag=True, help="Do it once, due or not, and end.")
@click.option("--list", "listed", is_flag=True, help="Show what was done, and what fails.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([kind.value for kind in Kind]),
    help="What to do; repeat. By default all that can be done here.",
)
@click.option(
    "--every",
    type=COUNT,
    default=60,
    show_default=True,
    metavar="MINUTES",
    help="How long after one time the next is due.",
)
@backup_options
@click.pass_context
def compute(
    context: click.Context,
    /,
    *,
    once: bool,
    listed: bool,
    kinds: tuple[str, ...],
    every: int,
    backup_dir: Path | None,
    backup_interval: timedelta | None,
    backup_keep: int | None,
) -> None:
    """Do background work now and then, and report what is new.

    index prepares recall; audit, duplicates and, in a checkout of the project's code, staleness
    make the checks of project-memory audit; backup copies the store. Nothing is acted on: see
    project-memory audit --apply. Of all who share a store one at most is at a job. With --json a
    report is one JSON document. Exit status 3 with --once when something failed. Ctrl-C ends it.
    Off a terminal a line of --list holds: kind, project, state, started, succeeded, due, failures,
    error.
    """
    if listed:
        with opened() as memories:
            emit(memories.jobs(), LISTED)
        return
    backups = wanted_backups(backup_dir, backup_interval, backup_keep)
    plan = _plan(kinds, timedelta(minutes=every), Plan(backups=backups))
    pause = threading.Event()
    while True:
        with opened() as memories:
            report = memories.compute(plan, early=once)
        if once or report.jobs:
            emit(report, VIEW)
        if once:
            context.exit(OUR_FAILURE if any(job.failures for job in report.jobs) else 0)
        if pause.wait(min(60, 60 * every)):
            return


def _plan(kinds: tuple[str, ...], every: timedelta, base: Plan) -> Plan:
    here = checkout()
    code = here if here is not None and (here / ".git").exists() else None
    named = {Kind(kind) for kind in kinds}
    usual = base.kinds | ({Kind.STALENESS} if code else set())
    if Kind.BACKUP in named and base.backups is None:
        raise InvalidInput("--kind backup needs a folder; name it with --backup-dir")
    chosen = (named or usual) - {Kind.BACKUP}
    backups = base.backups if not named or Kind.BACKUP in named else None
    return Plan(frozenset(chosen), every, code, backups)
