"""What a project held at one of its revisions, found by taking back what came after it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from project_memory.model import (
    Change,
    Expectation,
    ExpectationChange,
    Label,
    LabelChange,
    Memory,
    MemoryChange,
    PrefixChange,
    Registry,
    Revision,
)

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


@dataclass(slots=True)
class State:
    """The memories of a project by key, its labels and prefixes, its expectations by id."""

    memories: dict[int, Memory] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    single: set[str] = field(default_factory=set)
    expectations: dict[str, Expectation] = field(default_factory=dict)

    @property
    def registry(self) -> Registry:
        """Return labels and prefixes as a registry."""
        return Registry(dict(self.labels), frozenset(self.single))


def present(
    memories: Iterable[Memory], registry: Registry, expectations: Mapping[str, Expectation]
) -> State:
    """Return what a project holds now."""
    held = {memory.key: memory for memory in memories}
    return State(held, dict(registry.labels), set(registry.single), dict(expectations))


def before(
    now: State, since: Iterable[Revision], revision: int, earlier: Mapping[int, int]
) -> State:
    """Return what a project held at a revision.

    Args:
        now: What it holds now.
        since: Everything that changed it, the newest first, as far back as is asked for.
        revision: The revision.
        earlier: Key of a memory -> an earlier revision, at which that one is asked for.
    """
    state = State(dict(now.memories), dict(now.labels), set(now.single), dict(now.expectations))
    for each in since:
        for change in reversed(each.changes):
            key = change.key if isinstance(change, MemoryChange) else 0
            if each.number > earlier.get(key, revision):
                _take_back(state, change)
    return state


def _take_back(state: State, change: Change) -> None:
    match change:
        case MemoryChange():
            _put(state.memories, change.key, change.before)
        case LabelChange():
            if change.after is not None:
                state.labels.pop(change.after.name, None)
            if change.before is not None:
                state.labels[change.before.name] = change.before
        case PrefixChange():
            (state.single.add if change.before else state.single.discard)(change.prefix)
        case ExpectationChange():
            _put(state.expectations, change.expectation.id, change.before)


def _put(held: dict[_Key, _Value], key: _Key, value: _Value | None) -> None:
    if value is None:
        held.pop(key, None)
    else:
        held[key] = value
