"""Revisions as the single file holds them."""

from __future__ import annotations

from typing import Any

from project_memory.exchange import expectation_form
from project_memory.model import (
    Actor,
    Authority,
    Change,
    Expectation,
    ExpectationChange,
    Label,
    LabelChange,
    Memory,
    MemoryChange,
    PrefixChange,
    Revision,
    Status,
    as_json,
)


def to_json(revision: Revision) -> dict[str, Any]:
    """Return a revision as plain JSON; each change says which subject it is of."""
    value: dict[str, Any] = as_json(revision)
    value["changes"] = [_change(change) for change in revision.changes]
    return value


def from_json(value: dict[str, Any]) -> Revision:
    """Return the revision that `to_json` wrote.

    Raises:
        KeyError, TypeError, ValueError: it did not write this.
    """
    actor = value["actor"]
    return Revision(
        number=value["number"],
        actor=Actor(actor["name"], Authority(actor["authority"])),
        operation=value["operation"],
        reason=value.get("reason"),
        time=value["time"],
        changes=tuple(_changed(change) for change in value["changes"]),
        undoes=value.get("undoes"),
    )


def _change(change: Change) -> dict[str, Any]:
    match change:
        case MemoryChange():
            return {"subject": "memory", **as_json(change)}
        case LabelChange():
            return {"subject": "label", **as_json(change)}
        case PrefixChange():
            return {"subject": "prefix", **as_json(change)}
        case ExpectationChange():
            return {"subject": "expectation", **as_json(change)}


def _changed(value: dict[str, Any]) -> Change:
    before, after = value.get("before"), value.get("after")
    match value["subject"]:
        case "memory":
            return MemoryChange(_memory(before), _memory(after))
        case "label":
            return LabelChange(_label(before), _label(after))
        case "prefix":
            return PrefixChange(value["prefix"], bool(before), bool(after))
        case "expectation":
            return ExpectationChange(_expectation(before), _expectation(after))
    raise ValueError(value["subject"])


def _memory(value: dict[str, Any] | None) -> Memory | None:
    if value is None:
        return None
    own, asserted = Status(value["own_status"]), Authority(value["asserted_by"])
    return Memory(**{**value, "own_status": own, "asserted_by": asserted})


def _expectation(value: dict[str, Any] | None) -> Expectation | None:
    return None if value is None else expectation_form.from_json(value)


def _label(value: dict[str, Any] | None) -> Label | None:
    return None if value is None else Label(**{**value, "aliases": tuple(value["aliases"])})
