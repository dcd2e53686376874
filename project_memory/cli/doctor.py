"""``doctor``: what is wrong with this installation, and how to mend it."""

from __future__ import annotations

import platform
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from project_memory.cli.boundary import FOUND
from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.session import project
from project_memory.cli.settings import settings
from project_memory.cli.views.setup import DOCTOR
from project_memory.model import Check

if TYPE_CHECKING:
    from project_memory.checkout.identity import Identity

NAME = "project-memory"


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """Every check that was made; `ok` is False where something is to be done."""

    checks: Any
    ok: bool


@command("doctor", output="doctor", examples=("project-memory doctor",))
@click.pass_context
def doctor(context: click.Context) -> None:
    """Check the installation, the store, and what clients are told.

    The store is read through: its pages, its modes, the file system that it is on, the index that
    is kept of it. Then the repository's identity, the command that clients start, their
    configurations, hooks and skills, here and in your home folder, and tokens that are kept.

    Exit status 1 when something is to be done; each finding says what.
    """
    from project_memory.app import check_store  # noqa: PLC0415
    from project_memory.checkout.identity import project_identity  # noqa: PLC0415
    from project_memory.cli.join import tokens_folder  # noqa: PLC0415
    from project_memory.clients import checkup  # noqa: PLC0415

    found = project_identity(Path.cwd())
    this = version(NAME)
    checks = [
        Check("versions", f"{NAME} {this}, Python {platform.python_version()}", ok=True),
        checkup.command_check(this),
        _identity_check(found),
        *check_store(settings().store, project()),
        *checkup.checkup(found.root, Path.home()),
        *checkup.token_checks(tokens_folder()),
    ]
    report = DoctorReport(checks, all(check.ok for check in checks))
    emit(report, DOCTOR)
    if not report.ok:
        context.exit(FOUND)


def _identity_check(found: Identity) -> Check:
    """Return how the repository at hand is known."""
    if shutil.which("git") is None:
        detail = "git is not there; install it, so that a repository is known by its origin"
        return Check("git", detail, ok=False)
    if found.id.startswith("local:"):
        detail = f"'{found.root}' has no origin, and is known by its place on this machine alone"
        return Check("git", detail, ok=True)
    return Check("git", f"'{found.root}' is {found.id}", ok=True)
