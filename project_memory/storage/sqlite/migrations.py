"""Bring a store to the schema version this package works with."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from project_memory.errors import StorageError, StoreUnreadable
from project_memory.storage.relational import bands
from project_memory.storage.relational.steps import Migration, check_version, load
from project_memory.storage.sqlite import pages

if TYPE_CHECKING:
    from project_memory.duplicates import Imprint

logger = logging.getLogger(__name__)

_FOLDER = Path(__file__).resolve().parent.parent / "sql"


def packaged() -> tuple[Migration, ...]:
    """Return the migrations that ship with the package, by number."""
    return load(_FOLDER)


def version(connection: sqlite3.Connection) -> int:
    """Return the schema version of a store."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def apply(connection: sqlite3.Connection, steps: Sequence[Migration]) -> None:
    """Run the steps that a store lacks, inside the caller's transaction.

    Raises:
        StorageError: the result breaks a foreign key.
    """
    connection.create_function("fact_values", 1, _fact_values, deterministic=True)
    connection.create_function("text_bands", 1, _text_bands, deterministic=True)
    connection.create_function("text_signs", 1, _text_signs, deterministic=True)
    connection.create_function("packed_bands", 1, _packed_bands, deterministic=True)
    for step in steps[version(connection) :]:
        for statement in _statements(step.sql):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {step.number:d}")
    broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise StorageError(
            f"upgrade to schema version {len(steps)} leaves {len(broken)} rows without their "
            "parent, nothing was changed; report this with the output of `project-memory doctor`"
        )


def upgrade(connection: sqlite3.Connection, path: Path, steps: Sequence[Migration]) -> None:
    """Bring an existing store to the newest version, in one transaction after a backup.

    The backup is ``<file>.v<old version>.backup`` beside the store, with a number added where
    that name is taken.

    Raises:
        SchemaVersionMismatch: another process has upgraded it beyond what is known here.
        sqlite3.Error: the driver's errors; nothing was changed then.
    """
    connection.execute("PRAGMA foreign_keys = OFF")  # without effect inside a transaction
    connection.execute("BEGIN IMMEDIATE")
    backup = None
    try:
        # Read again under the lock: another process may have just done it.
        old = version(connection)
        check_version(old, len(steps), path)
        if old < len(steps):
            backup = _back_up(path, old)
            apply(connection, steps)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if backup is not None:
            backup.unlink()
        raise
    connection.execute("PRAGMA foreign_keys = ON")
    if backup is not None:
        logger.warning(
            "store '%s' is upgraded from schema version %d to %d; the backup '%s' holds what it "
            "was",
            *(path, old, len(steps), backup),
        )


def _fact_values(document: str) -> str:
    """Return what a document's keyed facts say as JSON, for steps that enter what is stored."""
    from project_memory import documents  # noqa: PLC0415  # who upgrades nothing needs it not

    return json.dumps(documents.fact_values(json.loads(document)), ensure_ascii=False)


def _text_bands(document: str) -> str:
    """Return the text bands of a document as JSON, for steps that hash what is stored."""
    return json.dumps(_imprint(document).bands)


def _text_signs(document: str) -> bytes:
    """Return the signs of a document's text, for steps that hash what is stored."""
    return _imprint(document).signs


def _packed_bands(held: str) -> bytes:
    """Return bands in JSON as they are kept beside a memory."""
    return bands.packed(json.loads(held))


def _imprint(document: str) -> Imprint:
    from project_memory import documents, duplicates  # noqa: PLC0415  # see above

    held = json.loads(document)
    # a document without a text is for validate to report; it does not hold up an upgrade
    if "description" not in held:
        return duplicates.Imprint()
    return duplicates.imprint(documents.lesson(held))


def _back_up(path: Path, old: int) -> Path:
    target = _reserved(path, old)
    try:
        with closing(sqlite3.connect(path)) as source:
            _check_sound(pages.copied(source, target), path)
    except BaseException:
        target.unlink()
        raise
    return target


def _check_sound(verdict: str, path: Path) -> None:
    if verdict != pages.SOUND:
        raise StoreUnreadable(
            f"store '{path}' is damaged ({verdict}), it was not upgraded; "
            "put a backup in its place"
        )


def _reserved(path: Path, old: int) -> Path:
    """Create the file of the backup, readable by its owner only."""
    number = 1
    while True:
        suffix = "" if number == 1 else f".{number}"
        target = path.with_name(f"{path.name}.v{old}{suffix}.backup")
        try:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            number += 1
        except OSError as error:
            raise StorageError(
                f"store '{path}' cannot be upgraded, its backup cannot be written beside it "
                f"({error.strerror}); allow writing to its folder"
            ) from error
        else:
            return target


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script; `executescript` would commit before the first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    assert not statement.strip(), "a script ends with a semicolon"
