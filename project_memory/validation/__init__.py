"""Check documents against the schema.

`jsonschema-rs` says whether a document is valid; only one that is not is explained, by
`jsonschema`. Tests hold the two to the same verdicts.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from project_memory import documents
from project_memory.model import Problem
from project_memory.validation import explanation, schemas

__all__ = [
    "MAX_BYTES",
    "UNREADABLE",
    "check_call",
    "check_document",
    "check_draft",
    "check_form",
    "is_valid",
]

MAX_BYTES = 64 * 1024
"""Size of one document as UTF-8 JSON without white space, in bytes."""

UNREADABLE = frozenset({"lone-surrogate", "too-deep", "too-large"})
"""Codes of what keeps a document from being looked at any further."""


def check_draft(draft: Any) -> list[Problem]:
    """Return every problem of a draft, in the order of its fields."""
    return _checked(draft, "draft", stored=False)


def check_document(document: Any, *, stored: bool = False) -> list[Problem]:
    """Return every problem of a document, in the order of its fields.

    With `stored`, lengths and counts beyond the limits are warnings: they bind new text only.
    """
    return _checked(document, "memory", stored=stored)


def check_form(value: Any, schema: str) -> list[Problem]:
    """Return every problem of a whole file, such as ``labels`` or ``export``."""
    sound = _satisfies(value, schema) and _is_text(value)
    return [] if sound else explanation.problems(value, schema, stored=False)


def check_call(arguments: Any, schema: str) -> list[Problem]:
    """Return every problem of the arguments of a call, in its words: it is no memory."""
    return [_of_call(problem) for problem in check_form(arguments, schema)]


def is_valid(document: Any) -> bool:
    """Return whether a document satisfies the schema; the fast path of bulk checks."""
    return _satisfies(document, "memory")


def _of_call(problem: Problem) -> Problem:
    if problem.code != "unknown-field":
        return replace(problem, memory=None)
    message = problem.message.replace("field", "argument", 1)
    return replace(problem, memory=None, code="unknown-argument", message=message)


def _checked(document: Any, schema: str, *, stored: bool) -> list[Problem]:
    found = []
    if not _satisfies(document, schema):
        found = explanation.problems(document, schema, stored=stored)
    return found if found and found[0].code in UNREADABLE else found + _size_problems(document)


def _satisfies(value: Any, schema: str) -> bool:
    try:
        return bool(schemas.fast(schema).is_valid(value))
    except ValueError:  # a lone surrogate, or what JSON cannot hold
        return False


def _is_text(value: Any) -> bool:
    # the fast validator looks only into strings that the schema has a pattern for
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _size_problems(document: Any) -> list[Problem]:
    size = documents.size(document)
    if size <= MAX_BYTES:
        return []
    return [
        Problem(
            "oversize",
            f"the document has {size:,} bytes; at most {MAX_BYTES:,} are allowed",
            memory=explanation.name_of(document),
            fix="keep one lesson in one memory, and link them",
        )
    ]
