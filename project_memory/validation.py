"""Check documents against the schema and the rules a schema cannot state.

`jsonschema-rs` says whether a document is valid; only one that is not is explained, by
`jsonschema`. Tests hold the two to the same verdicts.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from project_memory import documents, resources
from project_memory.model import Document, Problem, Severity

if TYPE_CHECKING:  # jsonschema costs 100 ms; only an invalid document pays
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

MAX_BYTES = 64 * 1024
"""Size of one document as a file, in bytes."""

_LIMITS = frozenset({"minLength", "maxLength", "minItems", "maxItems", "uniqueItems"})
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# in a document's JSON text; what it finds is looked at string by string
_SUSPECT = re.compile(r"[\x7f-\x9f\ud800-\udfff]|\\u00|\\[bfr]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def check_draft(draft: Any) -> list[Problem]:
    """Return every problem of a draft, in the order of its fields."""
    return _checked(draft, "draft", stored=False)


def check_document(document: Any, *, stored: bool = False) -> list[Problem]:
    """Return every problem of a document, in the order of its fields.

    With `stored`, lengths and counts beyond the limits are warnings: they bind new text only.
    """
    return _checked(document, "memory", stored=stored)


def is_valid(document: Document) -> bool:
    """Return whether a document satisfies the schema; the fast path of bulk checks."""
    return bool(_fast("memory").is_valid(document))


def _checked(document: Any, schema: str, *, stored: bool) -> list[Problem]:
    written = json.dumps(document, ensure_ascii=False)
    text = list(_text_problems(document)) if _SUSPECT.search(written) else []
    if any(problem.code == "lone-surrogate" for problem in text):
        return text
    if not _fast(schema).is_valid(document):
        text += _explained(document, schema, stored=stored)
    return text + list(_size_problems(written))


def _text_problems(document: Any) -> Iterator[Problem]:
    name = document.get("id") if isinstance(document, Mapping) else None
    name = name if isinstance(name, str) else None
    for path, value in documents.strings(document):
        if _SURROGATE.search(value):
            yield Problem(
                "lone-surrogate", "half of a surrogate pair is no character", path, name,
                "write the whole character, or leave it out",
            )  # fmt: skip
        elif match := _CONTROL.search(value):
            yield Problem(
                "control-character", f"control character U+{ord(match[0]):04X}", path, name,
                "only line breaks and tabs are allowed",
            )  # fmt: skip


def _size_problems(written: str) -> Iterator[Problem]:
    if len(written) * 4 <= MAX_BYTES:
        return
    size = len(written.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        yield Problem(
            "oversize",
            f"the document has {size:,} bytes; at most {MAX_BYTES:,} are allowed",
            fix="keep one lesson in one memory, and link them",
        )


def _explained(document: Any, schema: str, *, stored: bool) -> list[Problem]:
    found: list[Problem] = []
    for error in _slow(schema).iter_errors(document):
        for leaf in _leaves(error):
            found += _problems(leaf, document, stored=stored)
    unique = sorted(dict.fromkeys(found), key=_place)
    blanked = {p.path for p in unique if p.code in {"control-character", "blank-string"}}
    return [p for p in unique if p.path not in blanked or p.code == "blank-string"]


def _place(problem: Problem) -> tuple[int, list[int | str], str]:
    """Return where a problem stands in the canonical order of fields."""
    steps = re.findall(r"[^.\[\]]+", problem.path.removeprefix("$"))
    top = steps[0] if steps else ""
    known = (*documents.FIELDS, top)
    order = [step.zfill(6) if step.isdigit() else step for step in steps]
    return (known.index(top) if top else -1), list(order), problem.code


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    if error.validator in {"allOf", "$ref", "if", "then"} and error.context:
        for inner in error.context:
            yield from _leaves(inner)
    elif error.validator == "anyOf" and error.context:
        yield from _likeliest(error)
    else:
        yield error


def _likeliest(error: ValidationError) -> Iterator[ValidationError]:
    """Yield the errors of the alternative that the value is meant to be, by its type."""
    by_branch: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        by_branch.setdefault(inner.schema_path[0], []).append(inner)
    typed = [
        e for e in by_branch.values() if not any(x.validator == "type" and not x.path for x in e)
    ]
    best = min(typed or by_branch.values(), key=len)
    for inner in best:
        yield from _leaves(inner)


def _problems(error: ValidationError, document: Any, *, stored: bool) -> Iterator[Problem]:
    name = document.get("id") if isinstance(document, Mapping) else None
    name = name if isinstance(name, str) else None
    path = "$" + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
    if error.validator == "additionalProperties":
        schema: Any = error.schema
        instance: Any = error.instance
        known = list(schema.get("properties", {}))
        for field in sorted(set(instance) - set(known)):
            near = difflib.get_close_matches(field, known, n=1)
            fix = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(known)}"
            yield Problem(
                "unknown-field", f"unknown field '{field}'", f"{path}.{field}", name, fix
            )
        return
    if error.validator == "pattern" and error.validator_value == "\\S":
        yield Problem("blank-string", "the text is blank", path, name, "write it or leave it out")
        return
    soft = (
        stored
        and error.validator in _LIMITS
        and not (error.validator == "minLength" and not str(error.instance).strip())
    )
    severity = Severity.WARNING if soft else Severity.ERROR
    code = f"schema-{_kebab(str(error.validator))}"
    yield Problem(code, _message(error), path, name, severity=severity)


def _message(error: ValidationError) -> str:  # noqa: C901, PLR0911  # one a keyword
    value: Any = error.instance
    limit: Any = error.validator_value
    schema: Any = error.schema
    shown = _short(value)
    match error.validator:
        case "required":
            missing = [f for f in limit if f not in value]
            verb = "is" if len(missing) == 1 else "are"
            return f"{' and '.join(repr(f) for f in missing)} {verb} missing"
        case "minLength" | "maxLength":
            bound = "at least" if error.validator == "minLength" else "at most"
            return f"{shown} has {len(value)} characters; {bound} {limit} are allowed"
        case "minItems" | "maxItems":
            bound = "at least" if error.validator == "minItems" else "at most"
            return f"{len(value)} entries; {bound} {limit} are allowed"
        case "type":
            return f"{shown} is not of type {limit}"
        case "enum":
            return f"{shown} is not one of {', '.join(repr(v) for v in limit)}"
        case "pattern":
            title = schema.get("title")
            return f"{shown} is not {title}" if title else f"{shown} does not match {limit}"
        case "format":
            return f"{shown} is not a real calendar date"
        case "uniqueItems":
            return "an entry is given twice"
    return str(error.message)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else f"'{value}'"
    return text if len(text) <= 80 else f"{text[:76]}...{text[-1]}"


def _kebab(text: str) -> str:
    return re.sub("([A-Z])", r"-\1", text).lower().strip("$")


@cache
def _fast(schema: str) -> jsonschema_rs.Draft202012Validator:
    registry = jsonschema_rs.Registry([("urn:project-memory:parts", resources.schema("parts"))])
    return jsonschema_rs.Draft202012Validator(
        resources.schema(schema), registry=registry, validate_formats=True, offline=True
    )


@cache
def _slow(schema: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator, FormatChecker  # noqa: PLC0415
    from referencing import Registry, Resource  # noqa: PLC0415

    parts = Resource.from_contents(resources.schema("parts"))
    registry: Any = Registry().with_resource("urn:project-memory:parts", parts)
    return Draft202012Validator(
        resources.schema(schema), registry=registry, format_checker=FormatChecker()
    )
