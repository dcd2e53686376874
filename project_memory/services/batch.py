"""Run several operations, given as JSON, in one transaction."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from project_memory.errors import InvalidInput, ProjectMemoryError
from project_memory.proposals import Operation
from project_memory.services import (
    curate,
    expecting,
    labels,
    links,
    merging,
    relabelling,
    retention,
    revalidating,
    undo,
)
from project_memory.services.working_set import WorkingSet

Handler = Callable[..., object]

_HANDLERS: Mapping[str, tuple[Handler, tuple[str, ...], tuple[str, ...]]] = MappingProxyType(
    {
        # operation: (function, required members, optional members), members in argument order
        "create": (
            curate.create,
            ("memory",),
            ("allow_duplicate",),
        ),
        "update": (curate.update, ("id", "patch"), ("if_version",)),
        "link": (curate.link, ("from_id", "kind", "to_id"), ("reason",)),
        "unlink": (links.remove, ("from_id", "kind", "to_id"), ()),
        "status": (curate.set_status, ("id", "status"), ("reason", "if_version")),
        "touch": (revalidating.touch, ("id",), ()),
        "archive": (curate.archive, ("id",), ()),
        "unarchive": (curate.unarchive, ("id",), ()),
        "pin": (curate.pin, ("id",), ()),
        "unpin": (curate.unpin, ("id",), ()),
        "promote": (retention.promote, ("id", "tier"), ()),
        "delete": (curate.delete, ("id",), ("if_version",)),
        "rename": (curate.rename, ("id", "new_id"), ("if_version",)),
        "merge": (merging.merge, ("id", "into"), ("if_version",)),
        "revert": (undo.revert_to, ("id", "version"), ()),
        "add_label": (labels.add, ("label",), ("description", "distinct")),
        "describe_label": (labels.describe, ("label", "description"), ()),
        "add_alias": (labels.add_alias, ("label", "alias"), ("distinct",)),
        "remove_alias": (labels.remove_alias, ("label", "alias"), ()),
        "set_broader": (labels.set_broader, ("label",), ("broader",)),
        "rename_label": (relabelling.rename, ("label", "new"), ("distinct",)),
        "merge_labels": (relabelling.merge, ("label", "into"), ()),
        "deprecate_label": (relabelling.deprecate, ("label",), ("replacement",)),
        "restore_label": (relabelling.restore, ("label",), ()),
        "remove_label": (relabelling.remove, ("label",), ("replacement",)),
        "expect": (expecting.add, ("query", "expects"), ("within", "labels")),
        "unexpect": (expecting.remove, ("expectation",), ()),
        "set_single": (relabelling.declare_single, ("prefix",), ("single", "keep")),
    }
)

_TYPES: Mapping[str, tuple[type, str]] = MappingProxyType(
    {
        "memory": (Mapping, "an object"),
        "patch": (Mapping, "an object"),
        "if_version": (int, "an integer"),
        "tier": (int, "an integer"),
        "version": (int, "an integer"),
        "allow_duplicate": (bool, "true or false"),
        "distinct": (bool, "true or false"),
        "single": (bool, "true or false"),
        "keep": (list, "a list of strings"),
        "expects": (list, "a list of strings"),
        "within": (int, "an integer"),
    }
)
_TEXT = (str, "a string")

OPERATIONS = tuple(_HANDLERS)
"""Names that an operation's `op` may have."""


def check(operations: Any) -> None:
    """Refuse malformed operations before any lock is taken.

    Raises:
        InvalidInput: an operation is unknown, lacks a member, has one too many or one of another
            kind; its position counts from 0.
        InvalidDocument: a draft breaks the schema.
        SecretFound: a draft's text looks like a credential.
    """
    if not isinstance(operations, Sequence) or isinstance(operations, str | bytes):
        raise InvalidInput("the operations are no list; give a JSON list of objects")
    for position, operation in enumerate(operations):
        _check_shape(position, operation)
        if operation["op"] == "create":
            with _placed(position):
                curate.check_draft(operation["memory"])


def run(work: WorkingSet, operations: Sequence[Operation]) -> None:
    """Run checked operations in order.

    Raises:
        ProjectMemoryError: whatever an operation raises, with its position in a note.
    """
    for position, operation in enumerate(operations):
        with _placed(position):
            perform(work, operation)


def perform(work: WorkingSet, operation: Operation) -> None:
    """Run one operation of the right form; members that are None are as good as absent."""
    handler, required, optional = _HANDLERS[operation["op"]]
    given = [operation[name] for name in required]
    options = {name: operation[name] for name in optional if operation.get(name) is not None}
    handler(work, *given, **options)


class _placed:  # noqa: N801  # reads as a phrase: with _placed(3)
    """Add the operation's position to an error that passes through."""

    def __init__(self, position: int) -> None:
        self._position = position

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ProjectMemoryError):
            error.add_note(f"in operation {self._position}")


def _check_shape(position: int, operation: Any) -> None:
    if not isinstance(operation, Mapping) or not isinstance(operation.get("op"), str):
        raise InvalidInput(f"operation {position} is not an object with a member 'op'")
    name = operation["op"]
    if name not in _HANDLERS:
        raise InvalidInput(
            f"operation {position}: no operation '{name}'; choose one of {', '.join(OPERATIONS)}"
        )
    _, required, optional = _HANDLERS[name]
    for member in required:
        if operation.get(member) is None:
            raise InvalidInput(f"operation {position} ({name}) lacks '{member}'")
    for member in operation:
        if member != "op" and member not in (*required, *optional):
            raise InvalidInput(_unknown_member(position, name, member, (*required, *optional)))
        wanted, named = _TYPES.get(member, _TEXT)
        if operation[member] is not None and not _is_of(operation[member], wanted):
            raise InvalidInput(f"operation {position} ({name}): '{member}' is not {named}")


def _is_of(value: Any, wanted: type) -> bool:
    if wanted is list:
        return isinstance(value, list) and all(isinstance(member, str) for member in value)
    return isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))


def _unknown_member(position: int, name: str, member: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(str(member), known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"it takes {', '.join(known)}"
    return f"operation {position} ({name}) has an unknown member '{member}'; {hint}"
