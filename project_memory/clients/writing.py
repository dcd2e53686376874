"""Change a client's configuration files without ever leaving half of one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from project_memory.clients import Client, Entry, hooks
from project_memory.errors import InvalidInput

Edit = Callable[[str | None], str | None]
"""(text, or None where there is no file) -> what it shall be, or None where none shall be."""


def connect(client: Client, path: Path, entry: Entry, *, dry_run: bool = False) -> str:
    """Put our server into a configuration file; return added, updated or unchanged.

    Raises:
        InvalidInput: the file cannot be read, understood or written; the message names it.
    """
    return edited(path, lambda text: client.format.with_server(text, entry), dry_run=dry_run)


def disconnect(client: Client, path: Path, top: Path, *, dry_run: bool = False) -> str:
    """Take our server out of a configuration file; return removed or unchanged.

    A file that was made for it goes too, and with it the empty folders it leaves below `top`.

    Raises:
        InvalidInput: the file cannot be read, understood or written; the message names it.
    """
    return without(path, client.format.without_server, top, dry_run=dry_run)


def add_hooks(path: Path, entry: Entry, *, dry_run: bool = False) -> str:
    """Put our hooks into a file of hooks; return added, updated or unchanged.

    Raises:
        InvalidInput: the file cannot be read, understood or written; the message names it.
    """
    return edited(path, lambda text: hooks.with_hooks(text, entry), dry_run=dry_run)


def remove_hooks(path: Path, top: Path, *, dry_run: bool = False) -> str:
    """Take our hooks out of a file of hooks; return removed or unchanged. See `disconnect`.

    Raises:
        InvalidInput: the file cannot be read, understood or written; the message names it.
    """
    return without(path, hooks.without_hooks, top, dry_run=dry_run)


def without(path: Path, take_out: Callable[[str], str | None], top: Path, *, dry_run: bool) -> str:
    """Take something out of a file; return removed or unchanged. See `disconnect`.

    Raises:
        InvalidInput: the file cannot be read, understood or written; the message names it.
    """
    change = edited(path, lambda text: None if text is None else take_out(text), dry_run=dry_run)
    if change == "removed":
        _remove_empty(path.parent, top)
    return "unchanged" if change == "unchanged" else "removed"


def edited(path: Path, edit: Edit, *, dry_run: bool) -> str:
    """Edit a file; return added, updated, removed or unchanged.

    Links are followed and stay links; bytes that the edit does not change stay as they are.

    Raises:
        InvalidInput: the file cannot be read, understood or written; the message names it.
    """
    try:
        target = path.resolve()
        old = _text(target) if target.exists() else None
        new = edit(old)
        if new == old:
            return "unchanged"
        if not dry_run:
            _replace(target, new)
    except InvalidInput as error:
        raise InvalidInput(f"'{path}': {error}") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"'{path}' is not UTF-8; correct it by hand and run this again"
        ) from error
    except RuntimeError as error:  # of Python before 3.13, whose successors find a loop too
        raise InvalidInput(
            f"'{path}' is a link that leads in a circle; correct it by hand and run this again"
        ) from error
    except OSError as error:
        raise InvalidInput(
            f"cannot change '{path}' ({error.strerror}); check its permissions"
        ) from error
    return "added" if old is None else "removed" if new is None else "updated"


def _text(target: Path) -> str:
    if not target.is_file():  # a pipe may never be written to
        raise InvalidInput("it is no regular file; move it away and run this again")
    return target.read_bytes().decode()


def _replace(target: Path, text: str | None) -> None:
    # the mode is asked too: to root every file seems writable
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    if mode is not None and not (mode & 0o222 and os.access(target, os.W_OK)):
        raise PermissionError(13, "read-only file", str(target))
    if text is None:
        target.unlink()
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        Path(name).chmod(0o644 if mode is None else mode)
        Path(name).replace(target)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _remove_empty(folder: Path, top: Path) -> None:
    while folder != top and folder.is_relative_to(top) and folder.is_dir():
        if any(folder.iterdir()):
            return
        folder.rmdir()
        folder = folder.parent
