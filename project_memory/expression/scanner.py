"""Find what is wrong with the text of an expression before it is parsed: place and remedy."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from project_memory.errors import ExpressionSyntaxError
from project_memory.expression.limits import MAX_CHARACTERS, MAX_NESTING, MAX_TERMS
from project_memory.expression.values import FIELDS, expected

TERM = r"""=?[^\s()"|&!:=\-][^\s()"|&!:]*(?::(?:"(?:\\[\s\S]|[^"\\])*"|[^\s()"|&!]+)?)?"""
_TOKEN = re.compile(
    rf"""(?P<open>\()|(?P<close>\))
    |(?P<or>\||(?i:OR)(?=[\s()]|$))|(?P<and>&|(?i:AND)(?=[\s()]|$))
    |(?P<not>!|-(?=[^\s()"|&!\-])|(?i:NOT)(?=[\s()]|$))
    |(?P<term>{TERM.replace(" ", "")})""",
    re.VERBOSE,
)
_LABEL = re.compile(r"[a-z][a-z0-9]*:[a-z0-9*]+(?:-[a-z0-9*]+)*")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_SIGNS = {"open": "(", "close": ")", "or": "|", "and": "&", "not": "!"}
_OPERAND = "a label, a field or '('"
_OPERATOR = "AND, OR or the end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token: kind (open, close, or, and, not, term), text, place in the source."""

    kind: str
    text: str
    position: int


def plain(source: str) -> str:
    """Return an expression in its plainest spelling: signs for keywords, single blanks between.

    So no word can be taken for a keyword, nor a blank of another alphabet for a letter, when the
    grammar reads it.

    Raises:
        ExpressionSyntaxError: with the place and what was expected there.
    """
    source = _readable(source)
    return " ".join(_SIGNS.get(token.kind, token.text) for token in _checked(source))


def _readable(source: str) -> str:
    """Return the source, refusing what could not be shown in an error."""
    shown = _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", source)
    if len(source) > MAX_CHARACTERS:
        raise ExpressionSyntaxError(
            shown, MAX_CHARACTERS, f"at most {MAX_CHARACTERS} characters, not {len(source)},"
        )
    if found := _UNPRINTABLE.search(source):
        raise ExpressionSyntaxError(shown, found.start(), "a character that can be printed")
    return source


def _checked(source: str) -> Iterator[Token]:
    """Yield the tokens of an expression while they make sense."""
    opened: list[int] = []
    terms = negations = 0
    operand_next = True
    for token in _tokens(source):
        if not operand_next and token.kind in {"close", "and", "or"}:
            operand_next = _take_operator(source, token, opened)
        else:
            # two terms side by side mean AND, so an operand may stand in an operator's place
            operand_next = _take_operand(source, token, opened)
            terms += token.kind == "term"
            negations = negations + 1 if token.kind == "not" else 0
            _check_limits(source, token, terms, len(opened) + negations)
        yield token
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
    if source[position] == "-":
        return "a label or a field right after '-'; write NOT before '(' or a blank,"
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
    elif prefix in FIELDS:
        wanted = f"a label after '=', not the field {prefix}:"
        raise ExpressionSyntaxError(source, position, wanted)
    elif not _LABEL.fullmatch(text.removeprefix("=")):
        place = position if value else position + len(text)
        raise ExpressionSyntaxError(source, place, _label_form(prefix, value))


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
