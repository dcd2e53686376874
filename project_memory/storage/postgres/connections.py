"""Open a connection, and keep a bounded number of them for use by one thread at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolTimeout

from project_memory.errors import StoreUnreadable
from project_memory.storage import refusals
from project_memory.storage.postgres import failures
from project_memory.storage.postgres.texts import adaptation
from project_memory.storage.server import Server

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

SCHEMA = "project_memory"
"""All tables are in this schema of the database, beside whatever else is there."""

_SECONDS = 10
"""That a server has to answer to a new connection."""

_PATIENCE = 10.0
"""Seconds beyond the busy timeout that a connection is waited for: a server may be starting."""

_SETTINGS = f"""SET search_path = {SCHEMA};
    SET idle_in_transaction_session_timeout = '5min';
    SET client_min_messages = warning"""
"""A process that hangs in a transaction holds up others no longer than this."""


def options(server: Server) -> Mapping[str, Any]:
    """Return what a connection to a server is opened with.

    Raises:
        InvalidInput: the URL has options that libpq does not take.
    """
    try:
        given = conninfo_to_dict(server.url)
    except psycopg.ProgrammingError:
        # without the cause: it repeats what it does not understand, which may be a password
        raise failures.unusable(server) from None
    return {
        "connect_timeout": _SECONDS,
        "application_name": "project-memory",
        **given,
        "client_encoding": "UTF8",
        # transactions are ours to begin
        "autocommit": True,
        "context": adaptation(),
    }


def connect(server: Server) -> Connection:
    """Return a connection.

    Raises:
        InvalidInput: the URL has options that libpq does not take.
        NotFound: there is no such database.
        StoreUnreadable: the server is out of reach, or does not let the user in.
        StorageBusy: it has no connection left.
    """
    try:
        connection = psycopg.connect(**options(server))
    except psycopg.Error as error:
        raise failures.unreachable(error, server) from error
    try:
        configure(connection)
        check_encoding(connection, server)
    except psycopg.Error as error:
        connection.close()
        raise failures.translated(error, server) from error
    except BaseException:
        connection.close()
        raise
    return connection


def configure(connection: Connection) -> None:
    """Prepare a connection for use."""
    connection.execute(_SETTINGS)


def check_encoding(connection: Connection, server: Server) -> None:
    """Refuse a database that cannot hold every text.

    Raises:
        StoreUnreadable: its encoding is not UTF-8.
    """
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreUnreadable(
            f"the database of store '{server}' is of the encoding '{encoding}', which does not "
            "hold every text; create one with `createdb --encoding=UTF8 --template=template0`"
        )


class Pool:
    """Connections to one server, at most `size` at once, each used by one thread at a time.

    None is made before it is needed. One that broke while it was idle is replaced before it is
    lent, so that a server that was restarted is met as if nothing had happened.
    """

    def __init__(self, server: Server, size: int, seconds: float) -> None:
        self._server = server
        self._seconds = seconds + _PATIENCE
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            kwargs=dict(options(server)),
            configure=configure,
            check=self._check,
            min_size=0,
            max_size=size,
            num_workers=1,
            open=False,
        )
        self._process = os.getpid()
        self._closed = False

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Lend a connection, waiting for a free one, and for the server.

        Raises:
            StorageBusy: none was free in time.
            StorageError: the server is out of reach, the pool is closed, or was inherited by a
                forked process.
        """
        connection = self._taken()
        try:
            yield connection
        finally:
            self._pool.putconn(connection)

    def close(self) -> None:
        """Close the idle connections; those in use are closed when they come back."""
        self._closed = True
        if self._process == os.getpid():
            self._pool.close()

    def _taken(self) -> Connection:
        if self._closed:
            raise refusals.closed(self._server)
        if self._process != os.getpid():
            raise refusals.forked(self._server)
        try:
            self._pool.open()
            return self._pool.getconn(self._seconds)
        except PoolTimeout as error:
            # either the server is out of reach, which is told better here, or all are in use
            connect(self._server).close()
            raise refusals.busy(self._server) from error
        except psycopg.OperationalError as error:  # another thread has closed the pool meanwhile
            raise refusals.closed(self._server) from error

    def _check(self, connection: Connection) -> None:
        try:
            ConnectionPool.check_connection(connection)
        except psycopg.Error:
            # The others have broken with it; tried one by one, they would cost a pause each.
            self._pool.drain()
            raise
