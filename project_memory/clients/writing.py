"""Write a client's configuration file without ever leaving half of one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from project_memory.clients import Client, Entry
from project_memory.errors import InvalidInput


def connect(client: Client, path: Path, entry: Entry, *, dry_run: bool = False) -> str:
    """Put our server into a configuration file; return added, updated or unchanged.

    Raises:
        InvalidInput: the file cannot be read, understood or written; the message names it.
    """
    try:
        old = path.read_text(encoding="utf-8") if path.exists() else None
        new = client.with_server(old or "", entry)
        if new == old:
            return "unchanged"
        if not dry_run:
            _replace(path, new)
    except InvalidInput as error:
        raise InvalidInput(f"'{path}': {error}") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"'{path}' is not UTF-8; correct it by hand and run this again"
        ) from error
    except OSError as error:
        raise InvalidInput(
            f"cannot change '{path}' ({error.strerror}); check its permissions"
        ) from error
    return "added" if old is None else "updated"


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(13, "read-only file", str(path))
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    if target.exists():
        Path(name).chmod(target.stat().st_mode & 0o777)
    else:
        Path(name).chmod(0o644)
    Path(name).replace(target)
