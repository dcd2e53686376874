"""Values as compact JSON text and back; a document keeps its key order, so its bytes too."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any, TypeVar

from project_memory import documents
from project_memory.errors import InvalidInput
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
)
from project_memory.proposals import Decision, Proposal, State
from project_memory.sightings import Sighting

_In = TypeVar("_In")
_Out = TypeVar("_Out")
_BESIDE = tuple(field.name for field in dataclasses.fields(Memory))[2:]


def to_json(value: Any) -> str:
    """Return JSON data as compact text; mappings of any type become objects in their own order.

    Raises:
        InvalidInput: a string holds a lone surrogate, which no encoding of text can carry.
    """
    return storable(documents.compact(value))


def storable(text: str) -> str:
    """Return the text if it can be stored.

    Raises:
        InvalidInput: it holds a lone surrogate.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise unstorable(error) from error
    return text


def unstorable(error: UnicodeEncodeError) -> InvalidInput:
    """Return the error for text that could not be encoded."""
    code = f"\\u{ord(error.object[error.start]):04x}"
    return InvalidInput(
        f"text holds the lone surrogate '{code}', which cannot be stored; send valid Unicode"
    )


def memory_to_json(memory: Memory) -> str:
    """Return a memory with everything kept beside its document as JSON text."""
    beside = to_json({name: getattr(memory, name) for name in _BESIDE})
    return f'{{"key":{memory.key},"document":{to_json(memory.document)},{beside[1:]}'


def memory_from_json(text: str) -> Memory:
    """Return the memory that `memory_to_json` wrote."""
    fields: dict[str, Any] = json.loads(text)
    return Memory(
        **{
            **fields,
            "own_status": Status(fields["own_status"]),
            "asserted_by": Authority(fields["asserted_by"]),
        }
    )


def label_to_json(label: Label) -> str:
    """Return a label as JSON text."""
    return to_json(dataclasses.asdict(label))


def label_from_json(text: str) -> Label:
    """Return the label that `label_to_json` wrote."""
    fields: dict[str, Any] = json.loads(text)
    return Label(**{**fields, "aliases": tuple(fields["aliases"])})


def expectation_to_json(expectation: Expectation) -> str:
    """Return an expectation as JSON text."""
    return to_json(dataclasses.asdict(expectation))


def expectation_from_json(text: str) -> Expectation:
    """Return the expectation that `expectation_to_json` wrote."""
    fields: dict[str, Any] = json.loads(text)
    return Expectation(**{**fields, "expects": tuple(fields["expects"])})


def change_to_row(change: Change) -> tuple[str, str | None, str | None]:
    """Return a change as (subject, JSON before or None, JSON after or None)."""
    match change:
        case MemoryChange(before=before, after=after):
            return "memory", _or_none(memory_to_json, before), _or_none(memory_to_json, after)
        case LabelChange(before=old, after=new):
            return "label", _or_none(label_to_json, old), _or_none(label_to_json, new)
        case PrefixChange(prefix=prefix, before=was, after=is_):
            return "prefix", to_json([prefix, was]), to_json([prefix, is_])
        case ExpectationChange(before=first, after=last):
            convert = expectation_to_json
            return "expectation", _or_none(convert, first), _or_none(convert, last)


def change_from_row(subject: str, before: str | None, after: str | None) -> Change:
    """Return the change that `change_to_row` wrote."""
    if subject == "memory":
        return MemoryChange(_or_none(memory_from_json, before), _or_none(memory_from_json, after))
    if subject == "label":
        return LabelChange(_or_none(label_from_json, before), _or_none(label_from_json, after))
    if subject == "expectation":
        read = expectation_from_json
        return ExpectationChange(_or_none(read, before), _or_none(read, after))
    assert before is not None
    assert after is not None
    prefix, was = json.loads(before)
    return PrefixChange(prefix, was, json.loads(after)[1])


def revision_to_json(revision: Revision) -> str:
    """Return a revision with all its changes as JSON text."""
    fields = {f.name: getattr(revision, f.name) for f in dataclasses.fields(revision)}
    fields["actor"] = dataclasses.asdict(revision.actor)
    fields["changes"] = [change_to_row(change) for change in revision.changes]
    return to_json(fields)


def revision_from_json(text: str) -> Revision:
    """Return the revision that `revision_to_json` wrote."""
    fields: dict[str, Any] = json.loads(text)
    changes = tuple(change_from_row(*row) for row in fields["changes"])
    return Revision(**{**fields, "actor": _actor(fields["actor"]), "changes": changes})


def proposal_to_json(proposal: Proposal) -> str:
    """Return a proposal as JSON text."""
    fields = {f.name: getattr(proposal, f.name) for f in dataclasses.fields(proposal)}
    fields["actor"] = dataclasses.asdict(proposal.actor)
    fields["decision"] = proposal.decision and dataclasses.asdict(proposal.decision)
    return to_json(fields)


def proposal_from_json(text: str) -> Proposal:
    """Return the proposal that `proposal_to_json` wrote."""
    fields: dict[str, Any] = json.loads(text)
    return Proposal(
        **{
            **fields,
            "actor": _actor(fields["actor"]),
            "operations": tuple(fields["operations"]),
            "because": tuple(fields["because"]),
            "state": State(fields["state"]),
            "decision": fields["decision"] and _decision(fields["decision"]),
        }
    )


def _decision(fields: Mapping[str, Any]) -> Decision:
    return Decision(**{**fields, "actor": _actor(fields["actor"])})


def _actor(fields: Mapping[str, Any]) -> Actor:
    return Actor(fields["name"], Authority(fields["authority"]))


def sighting_to_json(sighting: Sighting) -> str:
    """Return a sighting as JSON text."""
    return to_json({f.name: getattr(sighting, f.name) for f in dataclasses.fields(sighting)})


def sighting_from_json(text: str) -> Sighting:
    """Return the sighting that `sighting_to_json` wrote."""
    return Sighting(**json.loads(text))


def _or_none(convert: Callable[[_In], _Out], value: _In | None) -> _Out | None:
    return None if value is None else convert(value)


def latest_believed(day: str) -> str:
    """Return the last day on which a memory can have been seen before one counted on `day`."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()
