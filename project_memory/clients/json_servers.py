"""Configurations in JSON, with or without comments: an object of servers by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from project_memory.clients import jsonc_edits
from project_memory.clients.entry import SERVER_NAME, Entry, Format, words

Place = Callable[[str], tuple[str, ...]]
Form = Callable[[Entry], Mapping[str, Any]]

_OF_TRANSPORT = ("type", "command", "args", "url", "serverUrl", "httpUrl", "headers")


def servers_in(key: str, form: Form) -> Format:
    """Return the format whose servers stand in the top member `key`."""
    return _format(lambda _: (key,), form)


def opencode() -> Format:
    """Return the format of opencode: version 2 has ``mcp.servers``, both read them in ``mcp``."""
    return _format(_opencode_place, local)


def plain(entry: Entry) -> Mapping[str, Any]:
    """Return ``{command, args}``."""
    return {"command": entry.command, "args": list(entry.args)}


def typed(entry: Entry) -> Mapping[str, Any]:
    """Return ``{type: stdio, command, args}``."""
    return {"type": "stdio", **plain(entry)}


def local(entry: Entry) -> Mapping[str, Any]:
    """Return ``{type: local, command}``, the command being all words."""
    return {"type": "local", "command": [entry.command, *entry.args]}


def _format(place: Place, form: Form) -> Format:
    return Format(
        partial(_with_server, place, form), partial(_without_server, place), partial(_words, place)
    )


def _with_server(place: Place, form: Form, text: str | None, entry: Entry) -> str:
    """See `Format.with_server`; what a person added to our entry stays in it.

    Raises:
        InvalidInput: the text is no JSON object, or what should hold the servers is none.
    """
    path = (*place(text or ""), SERVER_NAME)
    present, wanted = jsonc_edits.found(text or "", path), form(entry)
    if text is None or not isinstance(present, dict):
        return jsonc_edits.put(text, path, wanted)
    for key, value in wanted.items():
        if present.get(key) != value:
            text = jsonc_edits.put(text, (*path, key), value)
    for key in _OF_TRANSPORT:
        if key in present and key not in wanted:  # of another way to reach a server
            text = jsonc_edits.without(text, (*path, key)) or ""
    return text


def _without_server(place: Place, text: str) -> str | None:
    return jsonc_edits.without(text, (*place(text), SERVER_NAME))


def _words(place: Place, text: str) -> tuple[str, ...]:
    server = jsonc_edits.found(text, (*place(text), SERVER_NAME))
    return words(server) if isinstance(server, dict) else ()


def _opencode_place(text: str) -> tuple[str, ...]:
    servers = jsonc_edits.found(text, ("mcp", "servers"))
    return ("mcp", "servers") if isinstance(servers, dict) and "type" not in servers else ("mcp",)
