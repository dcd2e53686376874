"""``compute``: what runs in the background beside a server; it only reports."""

from __future__ import annotations

import threading

import click

from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.parameters import COUNT
from project_memory.cli.session import checkout, opened
from project_memory.cli.views.compute import VIEW


@command(
    "compute",
    output="compute",
    examples=("project-memory compute --once", "project-memory compute --every 30"),
)
@click.option("--once", is_flag=True, help="Do it once and end.")
@click.option(
    "--kind",
    type=click.Choice(["audit"]),
    default="audit",
    show_default=True,
    help="What to work out.",
)
@click.option(
    "--every",
    type=COUNT,
    default=60,
    show_default=True,
    metavar="MINUTES",
    help="How long to wait in between.",
)
def compute(*, once: bool, kind: str, every: int) -> None:
    """Audit the project now and then, and report what is new or resolved.

    Nothing is acted on: see project-memory audit --apply. A report is one JSON document with
    --json, so that there is one for each time. Ctrl-C ends it.
    """
    pause = threading.Event()
    while True:
        with opened() as memories:
            report = {"audit": memories.compute_audit}[kind](checkout())
        emit(report, VIEW)
        if once or pause.wait(60 * every):
            return
