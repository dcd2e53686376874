"""Driver errors as this package's errors, each naming the database and the remedy."""

from __future__ import annotations

import re

import psycopg

from project_memory.errors import (
    InvalidInput,
    NotFound,
    ProjectMemoryError,
    StorageError,
    StoreUnreadable,
)
from project_memory.storage import refusals
from project_memory.storage.server import Server

# https://www.postgresql.org/docs/current/errcodes-appendix.html
_BUSY = {
    "55P03",  # lock_not_available
    "57014",  # query_canceled, by a statement timeout
    "40001",  # serialization_failure
    "40P01",  # deadlock_detected
    "53300",  # too_many_connections
}
_GONE = {"57P01", "57P02", "57P03", "57P05", "25P03"}  # shut down, starting up, idle for too long
_NOT_LET_IN = {"28000", "28P01", "42501"}
_OTHERS = {
    "25006": (
        "store '{place}' is on a server that takes no changes; name the primary server, or add "
        "`?target_session_attrs=read-write` to the URL"
    ),
    "53100": (
        "no space is left for store '{place}', nothing was changed; free some disk space of the "
        "server and repeat"
    ),
    "42P01": "the tables of store '{place}' are gone; put a backup in their place",
    "3F000": "the tables of store '{place}' are gone; put a backup in their place",
}
_REFUSED = {
    "28P01": re.compile("password authentication failed|no password supplied"),
    "28000": re.compile(r"role \".*\" does not exist|no pg_hba.conf entry"),
    "3D000": re.compile(r"database \".*\" does not exist"),
    "53300": re.compile("too many clients|remaining connection slots"),
}
"""What the driver has only as text, since there is no session yet."""

_UNFORESEEN = "store '{place}' failed ({error}); run `project-memory doctor`"


def translated(error: psycopg.Error, server: Server) -> ProjectMemoryError:
    """Return what a driver error means for the store on this server."""
    code = _code(error)
    if code in _BUSY:
        return refusals.busy(server)
    if code == "3D000":
        return NotFound(
            f"no database for store '{server}'; check the URL, or create it with `createdb`"
        )
    if code in _NOT_LET_IN:
        return StoreUnreadable(
            f"store '{server}' does not let you in ({_said(error)}); check the user, the password "
            "in PGPASSWORD or ~/.pgpass, and what the user is granted"
        )
    if is_lost(error):
        return StorageError(
            f"the connection to store '{server}' was lost, nothing was changed; repeat the "
            "command when the server is up"
        )
    said = _OTHERS.get(code or "", _UNFORESEEN)
    return StorageError(said.format(place=server, error=_said(error)))


def unreachable(error: psycopg.Error, server: Server) -> ProjectMemoryError:
    """Return what it means that no connection could be made."""
    code = _code(error)
    if code is not None and code not in _GONE:
        return translated(error, server)
    return StoreUnreadable(
        f"store '{server}' is out of reach ({_said(error)}); check the URL, and that the server "
        "is up"
    )


def uncertain(server: Server) -> StorageError:
    """Return the error for a connection that broke while a change was being committed."""
    return StorageError(
        f"the connection to store '{server}' was lost while a change was being committed, so that "
        "it may have been made or not; look before you repeat it"
    )


def is_lost(error: psycopg.Error) -> bool:
    """Return whether the connection is gone, so that only a new one helps."""
    code = _code(error)
    if code is None:
        return isinstance(error, psycopg.OperationalError)
    return code in _GONE or code.startswith("08")


def unusable(server: Server) -> InvalidInput:
    """Return the error for options that libpq does not take; they are not repeated."""
    return InvalidInput(
        f"store '{server}' is named with an option that PostgreSQL does not know, or a value that "
        "it does not take; check what follows the question mark"
    )


def _code(error: psycopg.Error) -> str | None:
    """Return the SQLSTATE; from the words where the server refuses the session itself."""
    if error.sqlstate is not None:
        return error.sqlstate
    return next((code for code, words in _REFUSED.items() if words.search(str(error))), None)


def _said(error: psycopg.Error) -> str:
    """Return the first line of what the server, or the driver, says."""
    text = error.diag.message_primary or str(error).rpartition("FATAL: ")[2]
    return text.strip().partition("\n")[0]
