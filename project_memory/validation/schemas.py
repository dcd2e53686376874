"""The schemas, compiled once: a fast validator that says whether, a slow one that says why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from project_memory import resources

if TYPE_CHECKING:  # jsonschema costs 100 ms; only an invalid document pays
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

_SHARED = ("parts", "labels")


@cache
def fast(schema: str) -> jsonschema_rs.Draft202012Validator:
    """Return the validator of bulk checks for the schema of this name."""
    shared = [(f"urn:project-memory:{name}", resources.schema(name)) for name in _SHARED]
    registry = jsonschema_rs.Registry(shared)
    return jsonschema_rs.Draft202012Validator(
        resources.schema(schema), registry=registry, validate_formats=True, offline=True
    )


@cache
def slow(schema: str) -> Draft202012Validator:
    """Return the validator whose errors can be explained, of the same verdicts."""
    from jsonschema import Draft202012Validator, FormatChecker, validators  # noqa: PLC0415
    from referencing import Registry, Resource  # noqa: PLC0415

    shared = [
        (f"urn:project-memory:{name}", Resource.from_contents(resources.schema(name)))
        for name in _SHARED
    ]
    registry: Any = Registry().with_resources(shared)
    formats = FormatChecker(("date",))
    formats.checks("date-time", raises=ValueError)(_is_moment)
    extend: Any = validators.extend
    kind: Any = extend(Draft202012Validator, {"pattern": _pattern})
    validator: Draft202012Validator = kind(
        resources.schema(schema), registry=registry, format_checker=formats
    )
    return validator


def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or bool(datetime.fromisoformat(value))


def _pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[ValidationError]:
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415

    # Python's $ matches before a final line break too; that of JSON Schema does not
    if isinstance(value, str) and not re.search(pattern.replace("$", r"\Z"), value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")
