"""How large an expression may be, so that whatever is parsed can be printed and evaluated."""

from __future__ import annotations

from project_memory.errors import ExpressionSyntaxError
from project_memory.expression.tree import Node, depth, terms

MAX_CHARACTERS = 4096
MAX_TERMS = 200
MAX_NESTING = 100


def check(node: Node, source: str) -> None:
    """Refuse a tree that is too large, or that would be when it is printed and parsed again.

    Raises:
        ExpressionSyntaxError: `source` is what the caller is shown.
    """
    if depth(node) > MAX_NESTING:
        raise ExpressionSyntaxError(source, 0, f"at most {MAX_NESTING} levels")
    if sum(1 for _ in terms(node)) > MAX_TERMS:
        raise ExpressionSyntaxError(source, 0, f"at most {MAX_TERMS} terms")
    if len(str(node)) > MAX_CHARACTERS:
        raise ExpressionSyntaxError(
            source, 0, f"at most {MAX_CHARACTERS} characters when written in full"
        )
