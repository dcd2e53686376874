"""``doctor``: what is wrong with this installation, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from project_memory.cli.boundary import FOUND
from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.session import project
from project_memory.cli.settings import settings
from project_memory.cli.views.setup import DOCTOR


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """Every check that was made; `ok` is False where something is to be done."""

    checks: Any
    ok: bool


@command("doctor", output="doctor", examples=("project-memory doctor",))
@click.pass_context
def doctor(context: click.Context) -> None:
    """Check the installation, the store, and what clients are told.

    Exit status 1 when something is to be done; each finding says what.
    """
    from project_memory.app import check_store  # noqa: PLC0415
    from project_memory.checkout.identity import project_identity  # noqa: PLC0415
    from project_memory.clients.checkup import checkup  # noqa: PLC0415

    found = project_identity(Path.cwd())
    checks = [*check_store(settings().store, project()), *checkup(found.root, Path.home())]
    report = DoctorReport(checks, all(check.ok for check in checks))
    emit(report, DOCTOR)
    if not report.ok:
        context.exit(FOUND)
