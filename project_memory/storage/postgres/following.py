"""Be told of what others commit, for as long as somebody wants to know."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from threading import Event

import psycopg

from project_memory.errors import ProjectMemoryError
from project_memory.storage.postgres.connections import connect
from project_memory.storage.postgres.writer import CHANNEL
from project_memory.storage.server import Server

logger = logging.getLogger(__name__)

_PAUSE = 0.5
"""Seconds after which the end is noticed at the latest."""

_RETRY = 5.0
"""Seconds until a server that is out of reach is asked again."""


def followed(server: Server, end: Event) -> Iterator[int]:
    """Yield the key of each project that is changed, until the end; see `Storage.follow`."""
    while not end.is_set():
        try:
            with connect(server) as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                while not end.is_set():
                    for notice in connection.notifies(timeout=_PAUSE):
                        yield int(notice.payload.partition(":")[0])
        except (psycopg.Error, ProjectMemoryError) as error:
            logger.debug("nothing is told of store '%s' for a while: %s", server, error)
            end.wait(_RETRY)
