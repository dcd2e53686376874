"""Configurations with TOML tables ``[mcp_servers.NAME]``.

Our table is put behind everything else, and taken out as the lines that it is. Only a file that
holds it in another way is edited by tomlkit, which keeps comments and order, too, but not always
each blank line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import tomlkit

from project_memory.clients.entry import SERVER_NAME, Entry, Format, words
from project_memory.clients.jsonc import MARK
from project_memory.errors import InvalidInput

_SERVERS = "mcp_servers"
_HEADER = re.compile(
    rf"""^[ \t]*\[[ \t]*{_SERVERS}[ \t]*\.[ \t]*(["']?){SERVER_NAME}\1[ \t]*\][^\n]*(?:\n|\Z)""",
    re.MULTILINE,
)
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_BLANK_LINE = re.compile(r"(?<=\n)\r?\n\Z")
_TWO_ENDS = re.compile(r"\r?\n\r?\n\Z")


def servers() -> Format:
    """Return the format."""
    return Format(_with_server, _without_server, _words)


def _with_server(text: str | None, entry: Entry) -> str:
    """See `Format.with_server`.

    Raises:
        InvalidInput: the text is not TOML, or `mcp_servers` is no table.
    """
    held = _read(text or "").get(_SERVERS, {})
    if not isinstance(held, dict):
        raise InvalidInput(f"'{_SERVERS}' is not a table; correct it by hand and run this again")
    wanted = {"command": entry.command, "args": list(entry.args)}
    if text is not None and SERVER_NAME in held:
        return text if _agrees(text, wanted) else _with_change(text, wanted)
    written = _appended(text, wanted)
    # a table in one line, `mcp_servers = {...}`, takes no more tables behind it
    return written if _is_toml(written) else _changed(text or "", wanted)


def _without_server(text: str) -> str | None:
    held = _read(text).get(_SERVERS, {})
    if not isinstance(held, dict) or SERVER_NAME not in held:
        return text
    for start, end in _tables(text):
        left = _without_lines(text, start, end)
        if left is None or _lacks_only_ours(left, text):
            return left
    return _without_key(text)


def _with_change(text: str, wanted: Mapping[str, Any]) -> str:
    for start, end in _tables(text):
        # only our lines go through tomlkit, which may put others in another order
        changed = text[:start] + _changed(text[start:end], wanted) + text[end:]
        if _agrees(changed, wanted):
            return changed
    return _changed(text, wanted)


def _agrees(text: str, wanted: Mapping[str, Any]) -> bool:
    if not _is_toml(text):
        return False
    server = _read(text)[_SERVERS][SERVER_NAME]
    return isinstance(server, dict) and {**server, **wanted} == server


def _words(text: str) -> tuple[str, ...]:
    held = _read(text).get(_SERVERS, {})
    server = held.get(SERVER_NAME) if isinstance(held, dict) else None
    return words(server) if isinstance(server, dict) else ()


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix(MARK))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at (.*)\)", str(error))
        where = place[1].replace(",", "") if place else "it"
        raise InvalidInput(
            f"{where} is not TOML; correct it by hand and run this again"
        ) from error
    except RecursionError as error:
        raise InvalidInput(
            "it is nested too deep to be read; correct it by hand and run this again"
        ) from error


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text.removeprefix(MARK))
    except tomllib.TOMLDecodeError:
        return False
    return True


def _appended(text: str | None, wanted: Mapping[str, Any]) -> str:
    """Return a text with our table behind it.

    It ends in a line end only if the text did, or there was no text; so that it can be seen.
    """
    line_end = "\r\n" if "\r\n" in (text or "") else "\n"
    rows = [f"[{_SERVERS}.{SERVER_NAME}]", *(f"{k} = {_written(v)}" for k, v in wanted.items())]
    table = line_end.join(rows)
    if text is None:
        return table + line_end
    if not text.removeprefix(MARK):
        return text + table
    if text.endswith("\n"):
        return f"{text}{line_end}{table}{line_end}"
    return f"{text}{line_end}{line_end}{table}"


def _written(value: Any) -> str:
    return str(tomlkit.item(value).as_string())


def _tables(text: str) -> Iterator[tuple[int, int]]:
    """Yield where our table may begin and end, the last first: a text in quotes may look so."""
    for header in reversed(list(_HEADER.finditer(text))):
        yield header.start(), _end_of_table(text, header.end())


def _without_lines(text: str, start: int, end: int) -> str | None:
    """Return a text without the lines of our table and the blank line before it."""
    before, after = text[:start], text[end:]
    ended = text[:end].endswith("\n")
    if not after and not before and ended:
        return None
    blank = _BLANK_LINE if ended else _TWO_ENDS
    return blank.sub("", before) + after


def _end_of_table(text: str, place: int) -> int:
    """Return where the last line that says something of a table ends."""
    begun = ""
    for line in _LINES.findall(text, place):
        if not begun and line.lstrip(" \t")[:1] in {"[", "#", "\r", "\n", ""}:
            break
        begun += line
        place += len(line)
        if _is_toml(begun):  # else a value goes on in the next line
            begun = ""
    return place


def _lacks_only_ours(left: str, text: str) -> bool:
    if not _is_toml(left):
        return False
    expected, found = _read(text), _read(left)
    del expected[_SERVERS][SERVER_NAME]
    return {_SERVERS: {}, **found} == {_SERVERS: {}, **expected}


def _changed(text: str, wanted: Mapping[str, Any]) -> str:
    mark = MARK if text.startswith(MARK) else ""
    config: Any = tomlkit.parse(text.removeprefix(MARK))
    server = config[_SERVERS].setdefault(SERVER_NAME, tomlkit.inline_table())
    for name, value in wanted.items():
        if server.get(name) != value:
            server[name] = value
    return mark + tomlkit.dumps(config)


def _without_key(text: str) -> str:
    mark = MARK if text.startswith(MARK) else ""
    config: Any = tomlkit.parse(text.removeprefix(MARK))
    del config[_SERVERS][SERVER_NAME]
    return mark + tomlkit.dumps(config)
