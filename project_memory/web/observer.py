"""Around everything: one line and one count for each request, and an answer to a defect."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from project_memory.errors import ProjectMemoryError
from project_memory.web.logs import REQUESTS
from project_memory.web.metrics import Metrics
from project_memory.web.refusals import Refusal, refusal

logger = logging.getLogger(REQUESTS)

TOLD = "project_memory.told"
"""Where in a scope its endpoint leaves what the line should tell; `route` where it has several."""

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_LEFT = 499
"""What is counted where the client went away before its answer began."""


class Observer:
    """Passes requests on, and tells of each when it ends."""

    def __init__(
        self,
        app: ASGIApp,
        metrics: Metrics,
        routes: Collection[str],
        challenge: Callable[[Scope], str] | None = None,
    ) -> None:
        """Answer with `app`; `challenge` tells who has no token where there is one."""
        self._app, self._metrics, self._routes = app, metrics, frozenset(routes)
        self._challenge = challenge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; whatever was raised on the way becomes an answer too."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, told = time.monotonic(), _LEFT, dict[str, Any]()
        scope[TOLD] = told

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._answer(scope, receive, sent)
        except ClientDisconnect:
            pass  # nobody is there to be told
        finally:
            self._tell(scope, status, time.monotonic() - began, told)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except Refusal as refused:
            await refused.response()(scope, receive, send)
        except ProjectMemoryError as error:
            await self._refusal(error, scope).response()(scope, receive, send)
        except ClientDisconnect:
            raise
        except Exception:
            # the outermost loop of a request: the server must outlive a defect in one
            logger.exception("a request failed")
            failed = Refusal(500, "internal", "internal error; the server's log says more")
            await failed.response()(scope, receive, send)

    def _refusal(self, error: ProjectMemoryError, scope: Scope) -> Refusal:
        told = refusal(error)
        if told.status == 401 and self._challenge is not None:
            told.headers["WWW-Authenticate"] += f", {self._challenge(scope)}"
        return told

    def _tell(self, scope: Scope, status: int, seconds: float, told: dict[str, Any]) -> None:
        route = told.pop("route", scope["path"] if scope["path"] in self._routes else "other")
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._metrics.answered(route, method, status, seconds)
        fields = {"method": method, "route": route, "status": status, **told}
        fields["ms"] = round(1000 * seconds, 1)
        logger.info("request", extra={"fields": fields})
