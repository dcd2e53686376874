"""Proposals that wait, as the single file holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from project_memory.model import Actor, Authority, as_json
from project_memory.proposals import Proposal


def to_json(proposal: Proposal) -> dict[str, Any]:
    """Return a proposal that waits as plain JSON."""
    kept: dict[str, Any] = as_json(proposal)
    return {name: value for name, value in kept.items() if name not in {"number", "state"}}


def from_json(value: Mapping[str, Any]) -> Proposal:
    """Return the proposal that `to_json` wrote, without a number of its own yet."""
    actor = Actor(value["actor"]["name"], Authority(value["actor"]["authority"]))
    several = {name: tuple(value[name]) for name in ("operations", "because")}
    return Proposal(**{**value, **several, "number": 0, "actor": actor})
