"""The expression of what silence never archives."""

from __future__ import annotations

from datetime import date

import pytest
from factories import memory

from project_memory.audit import Policy
from project_memory.errors import UnknownLabel
from project_memory.model import Authority, Label, Memory, Registry, Status
from project_memory.services.protection import protected

REGISTRY = Registry({name: Label(name) for name in ("kind:bug", "kind:decision", "area:auth")})
TODAY = date(2026, 3, 1)
AGENT = {"asserted_by": Authority.AGENT}


def memories() -> list[Memory]:
    archived = {**AGENT, "archived_at": "2026-01-31T09:30:00Z"}
    return [
        memory(1, id="plain", **AGENT),
        memory(2, id="standing", standing=True, **AGENT),
        memory(3, id="pinned", pinned=True, **AGENT),
        memory(4, id="wrong", status="wrong", own_status=Status.WRONG, **AGENT),
        memory(5, id="asserted", asserted_by=Authority.USER),
        memory(6, id="decision", labels=["kind:decision"], **AGENT),
        memory(7, id="in-archive", labels=["kind:decision"], **archived),
        memory(8, id="auth", labels=["area:auth"], **AGENT),
    ]


def selected(protect: str, registry: Registry = REGISTRY) -> set[str]:
    return set(protected(memories(), registry, protect, TODAY))


def test_by_default_people_rules_warnings_and_decisions_are_safe() -> None:
    safe = {"standing", "pinned", "wrong", "asserted", "decision", "in-archive"}
    assert selected(Policy().protect) == safe


def test_the_default_passes_over_labels_that_the_project_lacks() -> None:
    safe = {"standing", "pinned", "wrong", "asserted"}
    assert selected(Policy().protect, Registry({"kind:bug": Label("kind:bug")})) == safe


def test_a_project_can_say_it_otherwise() -> None:
    assert selected("area:auth OR id:plain") == {"auth", "plain"}
    found = selected('text:"deferred transaction" NOT kind:bug')
    assert found == {"auth", "decision", "in-archive"}


def test_a_label_of_its_own_that_is_not_registered_is_an_error() -> None:
    with pytest.raises(UnknownLabel):
        selected("area:aut")
