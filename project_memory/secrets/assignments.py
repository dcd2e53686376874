"""Values that a word before them gives away: assignments, prose, headers, command lines.

Each occurrence of a keyword is looked at once: the identifier around it, then what follows it. All
repetitions are bounded, so that a text full of keywords takes time in proportion to its length.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import pairwise

from project_memory.secrets.formats import Found
from project_memory.secrets.keywords import Keyword, keywords
from project_memory.secrets.values import (
    is_fake,
    is_hex,
    is_mixed,
    is_password,
    is_random,
    is_stand_in,
)

_OPERATOR = re.compile(
    r"""\\{0,2}["'`]?\]?[*_]{0,2}[ \t]{0,8}
    (?:
        :[ \t]{0,4}[A-Za-z_][\w.\[\]|?]{0,30}[ \t]{0,4}=   # name: type =
      | ["'][ \t]{1,4}value=                               # key="name" value=
      | (?<=["']),[ \t]{0,4}(?=["'])                       # define("name", "value")
      | ["']\s{1,4}\{[^{}]{0,200}?default\s{0,8}=          # variable "name" { default =
      | =>|:=|\?=|[!=]?={1,2}|->|[:|>：=]|[是为為]|\((?=\s{0,8}["'`])
    )
    [*_]{0,2}[ \t]{0,12}(?:[|>][+-]?)?(?:\r?\n[ \t]{1,12})?
    """,
    re.VERBOSE,
)
_CALLED = re.compile(r"\(\s{0,8}[\"'][\w.-]{0,40}$")
_PROSE = re.compile(
    r"(?:[ \t]{1,3}[\w'()./@-]{1,24}){0,6}?[ \t]{0,3}"
    r"(?:[:：=]|\b(?:is|was|are|to|as|ist|lautet|est|es|é)\b:?|[是为為])[ \t]{0,3}",
)
_ADJACENT = re.compile(r"[\"'`]?[ \t]{1,4}(?=[^ \t])")
_NEAR = re.compile(r"[^\n]{0,240}")
_WORD = re.compile(r"(?<![\w/+.#=-])[\w+/=.~-]{20,200}+")
_UNLIKE = re.compile(
    r"ssh-|ecdsa|hash|digest|checksum|fingerprint|integrity|sha-?\d|commit|etag|uuid|nonce|public|trace|revision",
    re.IGNORECASE,
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_VALUE = re.compile(
    r"""[bfrBFRuU$@]{0,2}(?:
        \\{1,2}["'](?P<escaped>[^\\"'\n]{1,400})
      | "(?P<double>[^"\n]{1,400})
      | '(?P<single>[^'\n]{1,400})
      | `(?P<code>[^`\n]{1,400})
    ) | (?P<bare>[^\s"'`<>,;|。，；、）」]{1,400})
    """,
    re.VERBOSE,
)
_BEFORE_WORD = re.compile(r"[^\s\"'`]+")
_NEXT_PARAMETER = re.compile(r"&[\w.-]{1,60}=")
_HEADER = re.compile(
    r"\b(?P<scheme>bearer|basic)[ \t]{1,3}[\"'`]?(?P<value>[\w.~+/-]{8,2000}+={0,2})",
    re.IGNORECASE | re.ASCII,
)
_PROGRAMS = ("curl", "wget", "http", "mysql", "sshpass", "redis-cli", "docker", "mongo", "psql")
_COMMAND = re.compile(
    r"\b(?:curl|wget|https?|mysql\w*|sshpass|redis-cli|docker login|mongo\w*|psql)\b"
    r"[^\n]{0,200}?[ ](?:-p[ ]?|-[aw][ ]|(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}:)"
    r"(?P<value>[^\s]{6,200})"
)


def assigned(text: str) -> Iterator[Found]:
    """Yield values that a keyword announces: assigned, told in a sentence, or close by."""
    for word in keywords(text):
        found = _assignment(word) or _sentence(word) or _told_before(word) or _nearby(word)
        if found:
            yield found


def headers(text: str) -> Iterator[Found]:
    """Yield what follows ``Bearer`` and ``Basic`` in an Authorization header."""
    lowered = text.lower()
    if "bearer " not in lowered and "basic " not in lowered:
        return
    for match in _HEADER.finditer(text):
        value = match["value"]
        if match["scheme"].lower() == "basic":
            if _holds_password(value):
                yield Found(*match.span("value"), "basic-authorization")
        elif len(value) >= 16 and is_random(value) and not is_stand_in(value):
            yield Found(*match.span("value"), "bearer-token")


def commands(text: str) -> Iterator[Found]:
    """Yield passwords given to a program by a short option."""
    if not (" -" in text and any(program in text for program in _PROGRAMS)):
        return
    for match in _COMMAND.finditer(text):
        if is_password(_trimmed(match["value"].strip("\"'`"))):
            yield Found(*match.span("value"), "command-line-password")


def _assignment(word: Keyword) -> Found | None:
    operator = _OPERATOR.match(word.text, word.end)
    value = operator and _value(word.text, operator.end())
    if not value or (operator and "," in operator[0] and not _CALLED.search(word.before)):
        return None
    text = word.text[slice(*value)]
    if _accepts(word, text) or (word.word == "auth" and _holds_password(text)):
        rule = "password-assignment" if word.personal else "secret-assignment"
        return Found(*value, rule)
    return None


def _accepts(word: Keyword, value: str) -> bool:
    """Return whether the value, assigned to this word, is a secret."""
    if word.personal or word.word in {"secret", "credential", "credentials", "creds"}:
        return is_password(value)
    if word.word in {"token", "auth"} and _UUID.fullmatch(value):
        return False  # tokens are often told by an id; keys and secrets are not
    least = 20 if word.word == "_key" else 12
    return len(value) >= least and is_random(value) and not is_stand_in(value)


def _sentence(word: Keyword) -> Found | None:
    """Find "the password for the box is ...", "with token ..."."""
    told = _PROSE.match(word.text, word.end) or _ADJACENT.match(word.text, word.end)
    for step in (told, _ADJACENT.match(word.text, word.end)):
        value = step and _value(word.text, step.end())
        if value and _is_telling(word, word.text[slice(*value)]):
            return Found(*value, _prose_rule(word))
    return None


def _told_before(word: Keyword) -> Found | None:
    """Find "... is the password", "use ... as the admin token"."""
    start = max(0, word.start - 160)
    before = list(_BEFORE_WORD.finditer(word.text[start : word.start]))[-5:]
    for value, link in pairwise(before):
        text = _trimmed(value[0])
        if link[0] in {"is", "as"} and _is_telling(word, text):
            return Found(
                start + value.start(), start + value.start() + len(text), _prose_rule(word)
            )
    return None


def _nearby(word: Keyword) -> Found | None:
    window = _NEAR.match(word.text, word.end)
    for match in _WORD.finditer(word.text, word.end, window.end() if window else word.end):
        value, between = match[0], word.text[word.end : match.start()]
        if _UNLIKE.search(between) or not is_mixed(value):
            return None
        if is_random(value) and not is_stand_in(value):
            whole = _WORD.match(word.text, match.start())
            return Found(
                match.start(), whole.end() if whole else match.end(), "secret-near-keyword"
            )
    return None


def _is_telling(word: Keyword, value: str) -> bool:
    """Return whether a value without an operator before it must be the secret."""
    if word.personal:
        return is_password(value)
    strict = (is_hex(value) and len(value) >= 32) or (is_mixed(value) and len(value) >= 16)
    return strict and is_random(value) and not is_stand_in(value)


def _prose_rule(word: Keyword) -> str:
    return "password-in-prose" if word.personal else "secret-in-prose"


def _value(text: str, start: int) -> tuple[int, int] | None:
    """Return the span of the value that begins here, without quotes and closing punctuation."""
    match = _VALUE.match(text, start)
    if not match:
        return None
    begin, end = match.span(match.lastgroup or 0)
    if match.lastgroup == "bare":
        end = begin + len(_trimmed(match["bare"]))
    return begin, end


def _trimmed(value: str) -> str:
    query = _NEXT_PARAMETER.search(value)
    return (value[: query.start()] if query else value).rstrip(".,:;)]}\\'\"`")


def _holds_password(encoded: str) -> bool:
    """Return whether Base64 text decodes to ``user:password`` with a real password."""
    if is_fake(encoded):
        return False
    try:
        user, colon, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(user and colon) and user.isprintable() and is_password(password)
