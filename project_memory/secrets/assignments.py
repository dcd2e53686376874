"""Values that a keyword gives away: assigned to it, told in a sentence, or close to it.

Each occurrence of a keyword is looked at once: the identifier around it, then what follows it. All
repetitions are bounded, so that a text full of keywords takes time in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from project_memory.secrets.formats import Found
from project_memory.secrets.keywords import Keyword, keywords
from project_memory.secrets.values import (
    holds_password,
    is_hex,
    is_mixed,
    is_password,
    is_random,
    is_stand_in,
    trimmed,
)

_OPERATOR = re.compile(
    r"""\\{0,2}["'`]?\]?[*_]{0,2}[ \t]{0,8}
    (?:
        :[ \t]{0,4}[A-Za-z_][\w.\[\]|?]{0,30}[ \t]{0,4}=   # name: type =
      | ["'>]{0,2},?\s{0,20}["']?value["']?\s{0,3}[:=]      # name: NAME, value:
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
    r"(?:[ \t]{1,3}+[\w'()./@\[\]-]{1,24}+){0,6}?"
    r"(?:[ \t]{0,3}(?:[:：=]\n?|\b(?:is|was|are|to|as|ist|lautet|est|es|é)\b(?::\n?)?|[是为為])"
    r"|[ \t][-–—](?=[ \t]))[ \t]{0,3}(?:(?:now|currently|still|simply|just|set to)[ ])?",
)
_PAIR = re.compile(r"[ :=]{1,3}(?:are |is )?[\w.@-]{1,40} ?[/:|] ?")
_WRAPPED = re.compile(r"(?:new )?(?P<name>[A-Za-z][\w.:-]{0,40})[( ]\s{0,4}(?=[\"'])")
_FETCH = re.compile(r"get|read|env|fetch|load|lookup|decrypt|hash|conf|find|input", re.IGNORECASE)
_LONG_HEX = re.compile(r"(?:0x)?(?=[a-f]*[0-9])[0-9a-f]{32,128}", re.IGNORECASE)
_ADJACENT = re.compile(r"[\"'`]?[ \t]{1,4}(?=[^ \t])")
_NEAR = re.compile(r"[^\n]{0,240}")
_WORD = re.compile(r"(?<![\w/+.#=-])[\w+/=.~-]{20,200}+")
_UNLIKE = re.compile(
    r"ssh-|ecdsa|hash|digest|checksum|fingerprint|integrity|sha-?\d|commit|etag|uuid|nonce|public"
    r"|trace|revision",
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
_LINK = re.compile(r"\b[ai]s\b")
_BEFORE_WORD = re.compile(r"[^\s\"'`]+")


def assigned(text: str) -> Iterator[Found]:
    """Yield values that a keyword announces: assigned, told in a sentence, or close by."""
    for word in keywords(text):
        found = _assignment(word) or _sentence(word) or _told_before(word) or _nearby(word)
        if found:
            yield found


def _assignment(word: Keyword) -> Found | None:
    operator = _OPERATOR.match(word.text, word.end)
    if not operator or (operator[0].strip("\"' ") == "," and not _CALLED.search(word.before)):
        return None
    wrapper = _WRAPPED.match(word.text, operator.end())
    inside = wrapper and not _FETCH.search(wrapper["name"])
    for start in (operator.end(), wrapper.end() if wrapper and inside else None):
        value = None if start is None else _value(word.text, start)
        if value and _accepts(word, word.text[slice(*value)]):
            return Found(*value, "password-assignment" if word.personal else "secret-assignment")
    return None


def _accepts(word: Keyword, value: str) -> bool:
    """Return whether the value, assigned to this word, is a secret."""
    if word.word == "auth" and holds_password(value):
        return True
    if word.personal or word.word in {"secret", "credential", "credentials", "creds"}:
        return is_password(value)
    if word.stands_alone and word.word in {"token", "auth"} and _UUID.fullmatch(value):
        return False  # a token is often told by an id; an `api_token` is not
    least = 20 if word.word == "_key" else 12
    return len(value) >= least and is_random(value) and not is_stand_in(value)


def _sentence(word: Keyword) -> Found | None:
    """Find "the password for the box is ...", "with token ..."."""
    if word.word == "pass":  # mostly a verb
        return None
    ways = () if _OPERATOR.match(word.text, word.end) else (_PROSE, _ADJACENT)
    if word.word.startswith("cred"):
        ways = (*ways, _PAIR)
    for step in [way.match(word.text, word.end) for way in ways]:
        value = step and _value(word.text, step.end())
        if value and _is_telling(word, word.text[slice(*value)]):
            return Found(*value, _prose_rule(word))
    return None


def _told_before(word: Keyword) -> Found | None:
    """Find "... is the password", "use ... as the admin token"."""
    start = max(0, word.start - 160)
    if not _LINK.search(word.text, start, word.start):  # the rule, and words take time to tell
        return None
    before = list(_BEFORE_WORD.finditer(word.text[start : word.start]))[-5:]
    for value, link in pairwise(before):
        text = trimmed(value[0])
        if link[0] in {"is", "as"} and _is_telling(word, text):
            return Found(
                start + value.start(), start + value.start() + len(text), _prose_rule(word)
            )
    return None


def _nearby(word: Keyword) -> Found | None:
    window = _NEAR.match(word.text, word.end)
    for match in _WORD.finditer(word.text, word.end, window.end() if window else word.end):
        value, between = match[0], word.text[word.end : match.start()]
        if _UNLIKE.search(between):
            return None
        if "=" in value.rstrip("=") or not is_mixed(value):
            continue
        if is_random(value) and not is_stand_in(value):
            whole = _WORD.match(word.text, match.start())
            return Found(
                match.start(), whole.end() if whole else match.end(), "secret-near-keyword"
            )
    return None


def _is_telling(word: Keyword, value: str) -> bool:
    """Return whether a value without an operator before it must be the secret."""
    if is_hex(value) and _UNLIKE.search(word.before):
        return False
    if word.personal or word.word.startswith("cred"):
        return is_password(value)
    strict = _LONG_HEX.fullmatch(value) or (is_mixed(value) and len(value) >= 16)
    return bool(strict) and is_random(value) and not is_stand_in(value)


def _prose_rule(word: Keyword) -> str:
    return "password-in-prose" if word.personal else "secret-in-prose"


def _value(text: str, start: int) -> tuple[int, int] | None:
    """Return the span of the value that begins here, without quotes and closing punctuation."""
    match = _VALUE.match(text, start)
    if not match:
        return None
    begin, end = match.span(match.lastgroup or 0)
    if match.lastgroup == "bare":
        end = begin + len(trimmed(match["bare"]))
    return begin, end
