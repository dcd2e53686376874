"""Find what is wrong with the text of an expression before it is parsed: place and remedy."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from project_memory.errors import ExpressionSyntaxError
from project_memory.expression.values import FIELDS, expected

MAX_CHARACTERS = 4096
MAX_TERMS = 200
MAX_NESTING = 100

TERM = r"""=?[^\s()"|&!:=\-][^\s()"|&!:]*(?::(?:"(?:\\[\s\S]|[^"\\])*"|[^\s()"|&!]+)?)?"""
_TOKEN = re.compile(
    rf"""(?P<open>\()|(?P<close>\))
    |(?P<or>\||(?i:OR)(?=[\s()]|$))|(?P<and>&|(?i:AND)(?=[\s()]|$))
    |(?P<not>!|-(?=[^\s()"|&!\-])|(?i:NOT)(?=[\s()]|$))
    |(?P<term>{TERM.replace(" ", "")})""",
    re.VERBOSE,
)
_LABEL = re.compile(r"[a-z][a-z0-9]*:[a-z0-9*]+(?:-[a-z0-9*]+)*")
_OPERAND = "a label, a field or '('"
_OPERATOR = "AND, OR or the end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token: kind (open, close, or, and, not, term), text, place in the source."""

    kind: str
    text: str
    position: int


def check(source: str) -> None:
    """Refuse text that is no expression.

    Raises:
        ExpressionSyntaxError: with the place and what was expected there.
    """
    if len(source) > MAX_CHARACTERS:
        raise ExpressionSyntaxError(
            source, MAX_CHARACTERS, f"at most {MAX_CHARACTERS} characters, not {len(source)},"
        )
    opened: list[int] = []
    terms = negations = 0
    operand_next = True
    for token in _tokens(source):
        if not operand_next and token.kind in {"close", "and", "or"}:
            operand_next = _take_operator(source, token, opened)
            continue
        # two terms side by side mean AND, so an operand may stand in an operator's place
        operand_next = _take_operand(source, token, opened)
        terms += token.kind == "term"
        negations = negations + 1 if token.kind == "not" else 0
        _check_limits(source, token, terms, len(opened) + negations)
    if operand_next:
        raise ExpressionSyntaxError(source, len(source), _OPERAND)
    if opened:
        raise ExpressionSyntaxError(source, len(source), f"')' for the '(' at {opened[-1]}")


def _check_limits(source: str, token: Token, terms: int, nesting: int) -> None:
    if terms > MAX_TERMS:
        raise ExpressionSyntaxError(source, token.position, f"at most {MAX_TERMS} terms")
    if nesting > MAX_NESTING:
        raise ExpressionSyntaxError(source, token.position, f"at most {MAX_NESTING} levels")


def _tokens(source: str) -> Iterator[Token]:
    position = 0
    while position < len(source):
        if source[position].isspace():
            position += 1
            continue
        match = _TOKEN.match(source, position)
        if match is None or match.lastgroup is None:
            raise ExpressionSyntaxError(source, position, _unreadable(source, position))
        yield Token(match.lastgroup, match[0], position)
        position = match.end()


def _unreadable(source: str, position: int) -> str:
    if source[position] == '"':
        return 'a field before the quotes, such as text:"...",'
    if source[position] == "=":
        return "a label right after '='"
    return _OPERAND


def _take_operand(source: str, token: Token, opened: list[int]) -> bool:
    """Take the beginning of an operand; return whether more of it must follow."""
    match token.kind:
        case "open":
            opened.append(token.position)
        case "term":
            check_term(source, token.text, token.position)
            return False
        case "close" | "and" | "or":
            raise ExpressionSyntaxError(source, token.position, _OPERAND)
    return True


def _take_operator(source: str, token: Token, opened: list[int]) -> bool:
    """Take what may follow an operand; return whether an operand must follow."""
    if token.kind != "close":
        return True
    if not opened:
        raise ExpressionSyntaxError(source, token.position, f"{_OPERATOR}, not ')',")
    opened.pop()
    return False


def check_term(source: str, text: str, position: int) -> None:
    """Refuse a term that is neither a label nor a field with a value it takes.

    Raises:
        ExpressionSyntaxError: with the place and what was expected there.
    """
    prefix, colon, value = text.removeprefix("=").partition(":")
    if not colon:
        word = text.removeprefix("=")
        raise ExpressionSyntaxError(
            source, position, f'a label or a field; for words write text:"{word}",'
        )
    if not text.startswith("=") and prefix in FIELDS:
        _check_field(source, prefix, value, position + len(prefix) + 1)
    elif text.startswith("=") and "*" in text:
        raise ExpressionSyntaxError(source, position, "one whole label after '=', without '*',")
    elif not _LABEL.fullmatch(text.removeprefix("=")):
        raise ExpressionSyntaxError(source, position, _label_form(prefix, value))


def unquoted(value: str) -> str:
    """Return a field value without its quotes and escapes."""
    return re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL) if value[:1] == '"' else value


def _check_field(source: str, field: str, value: str, position: int) -> None:
    if value[:1] == '"' and (len(value) < 2 or value[-1] != '"'):
        raise ExpressionSyntaxError(source, len(source), "a closing '\"'")
    if value == "" and source[position : position + 1] == '"':
        raise ExpressionSyntaxError(source, len(source), "a closing '\"'")
    wanted = expected(field, unquoted(value))
    if wanted is not None:
        raise ExpressionSyntaxError(source, position, wanted)


def _label_form(prefix: str, value: str) -> str:
    near = difflib.get_close_matches(prefix.lower(), FIELDS, n=1, cutoff=0.75)
    hint = f"; did you mean {near[0]}:?" if near and near[0] != prefix else ""
    if not value:
        return f"a value after '{prefix}:'{hint}"
    return f"prefix:kebab-case, such as 'area:auth', or a field{hint}"
