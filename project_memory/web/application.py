"""The application: every route, and what stands around all of them."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from project_memory import roles
from project_memory.errors import ProjectMemoryError
from project_memory.hosting import Host
from project_memory.mcp_server.turns import Turns
from project_memory.roles import Right
from project_memory.web import admission, agents, enrolling, metrics
from project_memory.web.address import Gates
from project_memory.web.agents import Agents
from project_memory.web.api import BASE, Api
from project_memory.web.enrolling import Enrolling
from project_memory.web.guard import Guard
from project_memory.web.limiting import Attempts
from project_memory.web.metrics import Metrics
from project_memory.web.observer import Observer
from project_memory.web.oidc import Provider
from project_memory.web.oidc.resource import Resource
from project_memory.web.pages import Pages
from project_memory.web.refusals import PLAIN, Refusal

logger = logging.getLogger(__name__)

HEALTHY, READY, METRICS = "/healthz", "/readyz", "/metrics"
ROUTES = (agents.PATH, enrolling.PATH, HEALTHY, READY, METRICS)
"""Every route but those of the API."""

_DESCRIBED = f"{BASE}/openapi.json"


def application(
    host: Host,
    gates: Gates,
    provider: Provider | None = None,
    *,
    page: Pages | None = None,
    watch: float = agents.WATCH,
    turns: Turns | None = None,
) -> Starlette:
    """Return the application over an open store, which is closed with it.

    Args:
        host: The store.
        gates: Which requests are looked at.
        provider: Whose tokens the host accepts beside those of the store.
        page: The page for browsers; None for none.
        watch: Seconds between two looks at whether who listens may still do so.
        turns: Those that agents' tools and the API take, shared with nothing else by default.
    """
    counted, turns = Metrics(), turns or Turns()
    answering = Agents(host, counted, turns, watch=watch)
    states, attempts = _States(host, counted), Attempts()
    resource = Resource(provider, agents.PATH) if provider is not None else None
    known = (*ROUTES, *resource.paths) if resource is not None else ROUTES

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with answering.endpoint.running():
            yield
        # a change that was asked for is made by its thread, whatever became of its asker
        await anyio.to_thread.run_sync(host.close)

    routes = [
        Route(agents.PATH, answering),
        *Api(host, attempts, turns).routes(),
        Route(enrolling.PATH, Enrolling(host, attempts).redeem, methods=["POST"]),
        Route(HEALTHY, states.healthy),
        Route(READY, states.ready),
        Route(METRICS, states.metrics),
        *(resource.routes() if resource is not None else ()),
        *(page.routes() if page is not None else ()),
    ]
    around = [
        Middleware(
            Observer,
            metrics=counted,
            routes=known,
            challenge=resource.challenge if resource is not None else None,
        ),
        Middleware(Guard, gates=gates),
    ]
    return Starlette(
        routes=routes,
        middleware=around,
        exception_handlers={HTTPException: _unrouted},
        lifespan=lifespan,
    )


class _States:
    """What tells of the server itself."""

    def __init__(self, host: Host, counted: Metrics) -> None:
        self._host, self._counted = host, counted

    async def healthy(self, _: Request) -> Response:
        return JSONResponse({"status": "alive"}, headers=PLAIN)

    async def ready(self, _: Request) -> Response:
        try:
            await anyio.to_thread.run_sync(self._host.check_ready)
            # a server whose store is not backed up must still answer
            warnings = await anyio.to_thread.run_sync(self._host.warnings)
        except ProjectMemoryError as error:
            # anybody may ask: where the store is belongs into the log
            logger.warning("the store cannot be read", extra={"fields": {"code": error.code}})
            raise Refusal(503, "not-ready", "the store cannot be read; see the log") from error
        body = {"status": "ready", **({"warnings": warnings} if warnings else {})}
        return JSONResponse(body, headers=PLAIN)

    async def metrics(self, request: Request) -> Response:
        token = admission.token(request.scope)
        speaker = await anyio.to_thread.run_sync(self._host.identify, token)
        roles.authorize(speaker, Right.ADMINISTER, None)
        jobs = await anyio.to_thread.run_sync(self._host.jobs)
        text = self._counted.text() + metrics.of_jobs(jobs)
        return Response(text, headers={**PLAIN, "Content-Type": metrics.CONTENT_TYPE})


def _unrouted(_: Request, error: Exception) -> Response:
    """Return the answer where no route, or no method of one, is meant."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        text = f"there is nothing here; routes: {', '.join((*ROUTES, _DESCRIBED))}"
        return Refusal(404, "no-route", text).response()
    methods = (error.headers or {}).get("Allow", "").split(", ")
    text = f"this method is not for this route; use {', '.join(sorted(methods))}"
    return Refusal(error.status_code, "no-method", text, error.headers).response()
