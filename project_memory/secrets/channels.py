"""Credentials in HTTP headers and on command lines, where no keyword names them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from project_memory.secrets.formats import Found
from project_memory.secrets.values import (
    holds_password,
    is_password,
    is_random,
    is_stand_in,
    trimmed,
)

_HEADER = re.compile(
    r"\b(?P<scheme>bearer|basic)[ \t]{1,3}[\"'`]?(?P<value>[\w.~+/-]{8,2000}+={0,2})",
    re.IGNORECASE | re.ASCII,
)
_USER_OPTION = re.compile(r"[ ](?:-u|--user)[ =]?[\"']?[^\s:\"']{0,64}+:(?P<value>\S{6,200})")
_PASSWORD_OPTION = re.compile(r"[ ](?:-p[ ]?|-[aw][ ])(?P<value>\S{6,200})")
_TAKES_USER = ("curl", "wget", "http")
_TAKES_PASSWORD = ("mysql", "sshpass", "redis-cli", "docker login", "mongo", "ldap", "mariadb")
_REACH = 200  # characters between a program's name and the option


def headers(text: str) -> Iterator[Found]:
    """Yield what follows ``Bearer`` and ``Basic`` in an Authorization header."""
    lowered = text.lower()
    if "bearer " not in lowered and "basic " not in lowered:
        return
    for match in _HEADER.finditer(text):
        value = match["value"]
        if match["scheme"].lower() == "basic":
            if holds_password(value):
                yield Found(*match.span("value"), "basic-authorization")
        elif len(value) >= 16 and is_random(value) and not is_stand_in(value):
            yield Found(*match.span("value"), "bearer-token")


def commands(text: str) -> Iterator[Found]:
    """Yield passwords given to a program by a short option."""
    if " -" not in text:
        return
    for option, programs in ((_USER_OPTION, _TAKES_USER), (_PASSWORD_OPTION, _TAKES_PASSWORD)):
        if any(program in text for program in programs):
            for match in option.finditer(text):
                line = text[max(0, match.start() - _REACH) : match.start()].rpartition("\n")[2]
                named = any(program in line for program in programs)
                if named and is_password(trimmed(match["value"].strip("\"'`"))):
                    yield Found(*match.span("value"), "command-line-password")
