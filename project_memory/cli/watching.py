"""Do something again whenever a folder, or the project, has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from project_memory.errors import InvalidInput

PAUSE = 400
"""Milliseconds without a change after which a folder is looked at."""
EVERY = 2000
"""Milliseconds after which the project is asked whether it has changed, if the folder has not."""


def moments(path: Path, revision: Callable[[], int]) -> Iterator[None]:
    """Yield when files of a folder have changed and settled, or the project's revision has.

    It never ends by itself.

    Args:
        path: The folder.
        revision: Returns the revision of the project.

    Raises:
        InvalidInput: what tells of changes is not installed, or the folder is gone.
    """
    try:
        from watchfiles import watch  # noqa: PLC0415  # an extra
    except ModuleNotFoundError as error:
        raise InvalidInput(
            "--watch needs watchfiles; install it with `pip install 'project-memory[watch]'`"
        ) from error
    known = revision()
    ticks = watch(path, debounce=PAUSE, rust_timeout=EVERY, yield_on_timeout=True)
    for turn, changes in enumerate(ticks):
        if not path.exists():
            raise InvalidInput(f"'{path}' is gone; bring it back, and watch it again")
        # once in any case: what changed before the system was asked to tell is not told
        if turn == 0 or changes or revision() != known:
            yield
            known = revision()
