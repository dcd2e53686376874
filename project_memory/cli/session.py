"""Open the store that the global options name, as the actor who is speaking."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from project_memory import access
from project_memory.cli.settings import settings
from project_memory.model import Actor

if TYPE_CHECKING:  # a command that opens no store must not pay for the index
    from project_memory.app import ProjectMemory

PATIENCE = 0.1
"""Seconds that a command waits for git, which runs while the answer is worked out."""


@contextmanager
def opened(url: str | None = None) -> Iterator[ProjectMemory]:
    """Yield the project at hand in the store given here, else in that of the global options.

    A missing one is an error and stays missing.
    """
    from project_memory.app import ProjectMemory  # noqa: PLC0415

    with ProjectMemory.open(url or settings().store, project=project(), actor=actor()) as memories:
        yield memories


def project() -> str:
    """Return the project's name or repository id: as given, else of the working directory."""
    given = settings().project
    if given is not None:
        return given
    from project_memory.checkout.identity import project_identity  # noqa: PLC0415

    return project_identity(Path.cwd()).id


def checkout() -> Path | None:
    """Return the top of the working directory's repository, if it is the project at hand."""
    from project_memory.checkout.identity import project_identity  # noqa: PLC0415

    here = project_identity(Path.cwd())
    return here.root if settings().project in {None, here.id} else None


def actor() -> Actor:
    """Return who is speaking: a person only where both ends are a terminal."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    authority = access.terminal_authority(os.environ, terminal=terminal)
    return Actor(settings().actor or f"local:{_login()}", authority)


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's numeric user has no name
        return "unknown"
