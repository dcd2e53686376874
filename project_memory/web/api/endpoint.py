"""Answer a request to the API: who asks, whether that one may, what with, and then the call."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import anyio.to_thread
from starlette import routing
from starlette.requests import Request
from starlette.responses import Response

from project_memory import roles
from project_memory.hosting import Host
from project_memory.mcp_server.turns import Turns
from project_memory.model import as_json
from project_memory.roles import Right
from project_memory.web import admission, bodies, cookies
from project_memory.web.api import arguments, openapi
from project_memory.web.api.route import Entry, Route, Visit
from project_memory.web.api.routes import ROUTES
from project_memory.web.guard import LARGEST, too_large
from project_memory.web.limiting import Attempts
from project_memory.web.observer import TOLD
from project_memory.web.refusals import PLAIN, Refusal

_SAFE = frozenset({"GET", "HEAD"})
_JSON = "application/json"


class Api:
    """Answers people's pages and programs."""

    def __init__(self, host: Host, attempts: Attempts, turns: Turns) -> None:
        self._host, self._attempts, self._turns = host, attempts, turns

    def routes(self) -> list[routing.Route]:
        """Return every route, those of one path together."""
        paths: dict[str, dict[str, Route]] = {}
        for route in (*ROUTES, openapi.ROUTE):
            paths.setdefault(route.whole_path, {})[route.method] = route
        return [
            routing.Route(path, partial(self._answer, of), methods=list(of))
            for path, of in paths.items()
        ]

    async def _answer(self, of: Mapping[str, Route], request: Request) -> Response:
        scope = request.scope
        route = of["GET" if request.method == "HEAD" else request.method]
        scope[TOLD]["route"] = route.whole_path
        if route.is_attempt:
            self._attempts.check(scope)
        call = await anyio.to_thread.run_sync(self._admitted, route, request)
        _check_media(route, request)
        body = await bodies.whole(request.receive, LARGEST, too_large)
        response = await self._turn(route)(partial(_answered, route, call, request, body))
        if route.is_attempt:
            self._attempts.succeeded(scope)
        return response

    def _turn(self, route: Route) -> Callable[[Callable[[], Response]], Awaitable[Response]]:
        """Return what lets a call run: one of a project takes turns with those of agents."""
        if not route.of_project:
            return anyio.to_thread.run_sync
        return self._turns.read if route.method in _SAFE else self._turns.write

    def _admitted(self, route: Route, request: Request) -> Any:
        """Return what the call of a route is made on, or raise why not."""
        scope = request.scope
        if route.is_open:
            return Visit(self._host)
        who = admission.identified(self._host, scope)
        scope[TOLD]["actor"] = who.speaker.name
        if who.session is not None and request.method not in _SAFE:
            _check_page(request)
        if route.of_project:
            name = admission.asked_project(scope)
            right = route.right or Right.ADMINISTER
            entered = admission.entered(self._host, who.speaker, name, right)
            scope[TOLD]["project"] = entered.project.name
            return entered.memories
        if route.right is not None:
            roles.authorize(who.speaker, route.right, None)
        return Visit(self._host, who.speaker, who.session, who.expires_at)


def _answered(route: Route, called_on: Any, request: Request, body: bytes) -> Response:
    given = arguments.read(route, request.path_params, request.scope["query_string"], body)
    named = [given.pop(name) for name in route.named]
    answer = route.call(called_on, *named, **given)
    headers = dict(PLAIN)
    if isinstance(answer, Entry):
        request.scope[TOLD] |= answer.told
        headers["Set-Cookie"] = cookies.changed(request.scope, answer.session, answer.seconds)
        answer = answer.answer
    return Response(_text(answer), headers=headers, media_type=_JSON)


def _text(answer: Any) -> bytes:
    if isinstance(answer, bytes):
        return answer
    return json.dumps(as_json(answer), ensure_ascii=False).encode()


def _check_media(route: Route, request: Request) -> None:
    """Refuse what a form of another site can send; the body is nothing else anyway."""
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if route.has_body and given != _JSON:
        raise Refusal(
            415,
            "unsupported-media-type",
            f"the body is '{given[:80]}'; send JSON, with Content-Type: {_JSON}",
        )


def _check_page(request: Request) -> None:
    """Refuse a change in a browser's session that no page says it makes; the guard knows which."""
    if "origin" not in request.headers:
        raise Refusal(
            403,
            "no-origin",
            "a session changes something only for a page of this server, which Origin names; "
            "without a browser, send a token",
        )
