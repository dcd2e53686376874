"""Parse the text of an expression.

    query   = or
    or      = and { ("OR" | "|") and }
    and     = unary { ["AND" | "&"] unary }          two terms side by side mean AND
    unary   = ("NOT" | "!" | "-") unary | primary    "-" only directly before a term
    primary = "(" or ")" | term
    term    = prefix ":" value | prefix ":*" | "=" label | field ":" fieldvalue

Keywords may be written in any case. NOT binds tighter than AND, AND tighter than OR. Field
values with white space, quotes or operators stand in double quotes, with backslash escapes.

The scanner has checked the text and spelt every operator by its sign; what is left to the grammar
is precedence.
"""

from __future__ import annotations

import threading
import unicodedata
from functools import cache
from typing import Any

import pyparsing as pp

from project_memory.expression import limits, scanner
from project_memory.expression.tree import (
    FieldTerm,
    LabelTerm,
    Node,
    Not,
    conjunction,
    disjunction,
)
from project_memory.expression.values import FIELDS

_LOCK = threading.Lock()  # pyparsing finds out how to call an action while it parses


def parse(source: str) -> Node:
    """Return the tree of an expression that is not blank.

    Raises:
        ExpressionSyntaxError: the source is no expression, or beyond a limit.
    """
    plain = scanner.plain(source)
    with _LOCK:
        node: Node = _query().parse_string(plain, parse_all=True)[0]
    limits.check(node, source)
    return node


def term(text: str) -> Node:
    """Return the node of one checked term."""
    exact = text.startswith("=")
    prefix, _, value = text.removeprefix("=").partition(":")
    if not exact and prefix in FIELDS:
        return FieldTerm(prefix, unicodedata.normalize("NFC", scanner.unquoted(value)))
    return LabelTerm(f"{prefix}:{value}", exact)


@cache
def _query() -> pp.ParserElement:
    """Return the parser; no packrat, which is slower on expressions of this size."""
    operand = pp.Regex(scanner.TERM).set_name("term")
    operand.set_parse_action(lambda found: term(found[0]))
    query: pp.ParserElement = pp.infix_notation(
        operand,
        [
            ("!", 1, pp.OpAssoc.RIGHT, _negated),
            (None, 2, pp.OpAssoc.LEFT, _all),
            ("&", 2, pp.OpAssoc.LEFT, _all),
            ("|", 2, pp.OpAssoc.LEFT, _any),
        ],
    )
    return query.parse_with_tabs()


def _negated(found: Any) -> Node:
    return Not(found[0][-1])


def _all(found: Any) -> Node:
    return conjunction(_operands(found[0]))


def _any(found: Any) -> Node:
    return disjunction(_operands(found[0]))


def _operands(found: Any) -> list[Node]:
    return [item for item in found if not isinstance(item, str)]
