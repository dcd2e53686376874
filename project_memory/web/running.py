"""Listen, serve until a signal comes, and finish what was asked before that."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket

import uvicorn

from project_memory.errors import InvalidInput
from project_memory.hosting import Host
from project_memory.jobs import Plan
from project_memory.web import certificates, logs
from project_memory.web.address import Address, Gates
from project_memory.web.application import application
from project_memory.web.oidc import Provider
from project_memory.web.pages import Pages

logger = logging.getLogger(__name__)

GRACE = 10
"""Seconds that requests may still take after a signal has come; streams are ended."""


def run(
    host: Host,
    address: Address,
    gates: Gates,
    plan: Plan,
    provider: Provider | None = None,
    *,
    page: Pages | None = None,
    debug: bool = False,
) -> None:
    """Serve until SIGINT or SIGTERM; a second one does not wait. Without a page there is none.

    Raises:
        InvalidInput: the address or the certificate cannot be used.
    """
    logs.configure(debug=debug)
    if address.certificate is not None:
        certificates.check(address.certificate, address.key)
    config = uvicorn.Config(
        application(host, gates, provider, page=page),
        http="h11",
        loop="asyncio",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.key,
    )
    listening = _listening(address)
    with listening:
        url = address.url(listening.getsockname()[1])
        logger.info("serving", extra={"fields": {"url": url, "store": host.store}})
        # uvicorn repeats the signal that ended it, which would be a failure of this process
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        host.begin_work(plan)
        gc.freeze()  # what is loaded now lives as long as the server
        uvicorn.Server(config).run(sockets=[listening])
    logger.info("ended", extra={"fields": {"url": url}})


def _listening(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family, backlog=256)
    except OSError as error:
        raise InvalidInput(
            f"'{address.host}:{address.port}' cannot be listened at ({_reason(error)}); "
            "use an address of this machine and a port that is free"
        ) from error


def _reason(error: OSError) -> str:
    # what the socket module adds to a reason is the address again
    return (os.strerror(error.errno) if error.errno else str(error)).lower()
