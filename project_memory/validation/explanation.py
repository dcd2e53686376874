"""Say what is wrong with a document that the schema refuses, each fault once."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from project_memory import documents
from project_memory.model import Problem, Severity
from project_memory.validation import schemas

if TYPE_CHECKING:  # jsonschema costs 100 ms; only an invalid document pays
    from jsonschema.exceptions import ValidationError

_LIMITS = frozenset({"minLength", "maxLength", "minItems", "maxItems", "uniqueItems"})
_TAGS = 0xE0000
"""Where the signs begin that repeat ASCII for programs alone."""
_DECISIVE = frozenset({"blank-string", "control-character"})
_LENGTHS = frozenset({"schema-min-length", "schema-max-length"})
_MOST = 100
_SURROGATE = re.compile("[\ud800-\udfff]")


def problems(document: Any, schema: str, *, stored: bool) -> list[Problem]:
    """Return every fault of a value, in the order of a document's fields."""
    try:
        if halves := list(_bounded(_surrogate_problems(document))):
            return halves
        found = list(
            _bounded(
                problem
                for error in schemas.slow(schema).iter_errors(document)
                for leaf in _leaves(error)
                for problem in _problems(leaf, name_of(document), stored=stored)
            )
        )
    except RecursionError:
        return [Problem("too-deep", "nested too deep to be a document", memory=name_of(document))]
    except ValueError:  # from the text of a number
        return [Problem("too-large", "a number has over 4,300 digits", memory=name_of(document))]
    return _without_echoes(sorted(dict.fromkeys(found), key=_place))


def _bounded(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield problems up to a number of errors that nobody reads to the end."""
    errors = 0
    for problem in problems:
        errors += problem.severity is Severity.ERROR
        if errors > _MOST:
            yield Problem(
                "more-problems", f"only the first {_MOST} problems are listed",
                memory=problem.memory, fix="correct these and check again",
            )  # fmt: skip
            return
        yield problem


def _without_echoes(problems: list[Problem]) -> list[Problem]:
    """Leave out what another problem of the same value says already."""
    kept = list({(p.path, p.message): p for p in problems}.values())
    blank = {p.path for p in kept if p.code in _DECISIVE}
    wrong = {p.path for p in kept if p.code not in _LENGTHS}
    return [
        p
        for p in kept
        if (p.path not in blank or p.code in _DECISIVE)
        and (p.path not in wrong or p.code not in _LENGTHS)
    ]


def _surrogate_problems(value: Any) -> Iterator[Problem]:
    for path, text in _texts(value, "$"):
        if _SURROGATE.search(text):
            yield Problem(
                "lone-surrogate", "half of a surrogate pair is no character", path, name_of(value),
                "write the whole character, or leave it out",
            )  # fmt: skip


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield (JSON path, text) of every string and every key."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            inner = f"{path}.{documents.quotable(str(key))}"
            yield inner, str(key)
            yield from _texts(item, inner)
    elif isinstance(value, (list, tuple)):
        for position, item in enumerate(value):
            yield from _texts(item, f"{path}[{position}]")


def name_of(document: Any) -> str | None:
    """Return the id that a document gives itself, as a message may repeat it."""
    name = document.get("id") if isinstance(document, Mapping) else None
    return documents.shortened(documents.quotable(name)) if isinstance(name, str) else None


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
    """Yield the errors of the one alternative of the value's type, else the error as a whole."""
    by_branch: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        by_branch.setdefault(inner.schema_path[0], []).append(inner)
    typed = [
        branch
        for branch in by_branch.values()
        if not any(leaf.validator == "type" and not leaf.path for leaf in map(_first, branch))
    ]
    if len(typed) != 1:
        yield error
        return
    for inner in typed[0]:
        yield from _leaves(inner)


def _first(error: ValidationError) -> ValidationError:
    return next(_leaves(error))


def _problems(error: ValidationError, name: str | None, *, stored: bool) -> Iterator[Problem]:
    path = "$" + "".join(map(_step, error.absolute_path))
    match error.validator:
        case "additionalProperties":
            yield from _unknown_fields(error, path, name)
        case "not":
            if isinstance(error.instance, str):  # of anything else, its type is what is wrong
                yield _control_character(error, path, name)
        case "pattern" | "minLength" if _is_blank(error.instance):
            yield Problem(
                "blank-string", "the text is blank", path, name, "write it or leave it out"
            )
        case "pattern" if _is_about_length(error):
            yield _problem("minLength", _too_short(error), path, name, stored=stored)
        case "minLength":
            yield _problem("minLength", _too_short(error), path, name, stored=stored)
        case "maxLength" if _fits_when_cleaned(error):
            return
        case _:
            yield _problem(str(error.validator), _message(error), path, name, stored=stored)


def _step(step: int | str) -> str:
    return f"[{step}]" if isinstance(step, int) else f".{documents.quotable(str(step))}"


def _problem(keyword: str, message: str, path: str, name: str | None, *, stored: bool) -> Problem:
    soft = stored and keyword in _LIMITS
    severity = Severity.WARNING if soft else Severity.ERROR
    return Problem(f"schema-{_kebab(keyword)}", message, path, name, severity=severity)


def _unknown_fields(error: ValidationError, path: str, name: str | None) -> Iterator[Problem]:
    schema: Any = error.schema
    instance: Any = error.instance
    known = list(schema.get("properties", {}))
    for field in sorted(str(field) for field in instance if field not in known):
        near = difflib.get_close_matches(field[:80], known, n=1)
        fix = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(known)}"
        named = documents.shortened(documents.quotable(field))
        yield Problem("unknown-field", f"unknown field '{named}'", f"{path}.{named}", name, fix)


def _control_character(error: ValidationError, path: str, name: str | None) -> Problem:
    forbidden: Any = error.schema
    found = re.search(forbidden["not"]["pattern"], str(error.instance))
    assert found is not None
    if ord(found[0]) >= _TAGS:
        fix = "it says to programs what no reader sees; leave it out"
        return Problem(
            "control-character", f"invisible character U+{ord(found[0]):04X}", path, name, fix
        )
    breaks = "only line breaks and tabs are allowed"
    fix = "keep it on one line" if found[0] in "\t\n" else breaks
    return Problem(
        "control-character", f"control character U+{ord(found[0]):04X}", path, name, fix
    )


def _fits_when_cleaned(error: ValidationError) -> bool:
    limit: Any = error.validator_value
    return bool(len(documents.cleaned(error.instance)) <= limit)


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip().strip("\ufeff")


def _is_about_length(error: ValidationError) -> bool:
    # such a pattern holds a shortest length to the text without the blanks around it
    schema: Any = error.schema
    return "minLength" in schema and "title" not in schema


def _too_short(error: ValidationError) -> str:
    schema: Any = error.schema
    length, limit = len(documents.cleaned(error.instance)), schema["minLength"]
    return f"{_short(error.instance)} has {length} characters; at least {limit} are needed"


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
        case "maxLength":
            return f"{shown} has {len(value)} characters; at most {limit} are allowed"
        case "minItems" | "maxItems":
            least = error.validator == "minItems"
            bound = f"at least {limit} are needed" if least else f"at most {limit} are allowed"
            return f"{len(value)} entries; {bound}"
        case "minimum" | "maximum":
            bound = "less" if error.validator == "minimum" else "more"
            return f"{shown} is {bound} than {limit}"
        case "type":
            return f"{shown} is not of type {limit}"
        case "const":
            return f"{shown} is not {_short(limit)}"
        case "enum":
            return f"{shown} is not one of {', '.join(repr(v) for v in limit)}"
        case "pattern" | "format" | "anyOf":
            return f"{shown} is no {schema.get('title') or f'match for {limit}'}"
        case "uniqueItems":
            return "an entry is given twice"
    return f"{shown} does not satisfy {error.validator}"


def _short(value: Any) -> str:
    if isinstance(value, str):
        return documents.shortened(f"'{documents.quotable(value)}'")
    text = json.dumps(value, ensure_ascii=False, default=str)
    return documents.shortened(documents.quotable(text))


def _kebab(text: str) -> str:
    return re.sub("([A-Z])", r"-\1", text).lower().strip("$")
