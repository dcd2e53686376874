"""Model: value types keep what they are given, and become plain JSON."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta, timezone

import pytest
from factories import memory

from project_memory.model import (
    Actor,
    Authority,
    Label,
    LabelChange,
    MemoryChange,
    Problem,
    Receipt,
    Registry,
    Severity,
    Status,
    Touched,
    as_json,
    system_clock,
    timestamp,
)


def test_the_system_clock_is_aware_and_in_utc() -> None:
    assert system_clock().utcoffset() == timedelta(0)


def test_a_timestamp_is_utc_in_whole_seconds() -> None:
    eastern = timezone(timedelta(hours=-5))
    moment = datetime(2026, 1, 31, 4, 30, 0, 999_999, tzinfo=eastern)
    assert timestamp(moment) == "2026-01-31T09:30:00Z"
    assert timestamp(datetime(987, 1, 2, tzinfo=UTC)).endswith("01-02T00:00:00Z")


def test_a_memory_answers_for_its_document() -> None:
    stored = memory(id="auth-fix", status="stale")
    assert (stored.id, stored.status, stored.archived) == ("auth-fix", Status.STALE, False)
    assert memory(archived_at="2026-02-01T00:00:00Z").archived


def test_values_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        memory().version = 2  # type: ignore[misc]


def test_a_change_is_known_by_what_is_left_or_else_by_what_was() -> None:
    old, new = memory(7, id="old-name"), memory(7, id="new-name")
    assert MemoryChange(old, new).id == "new-name"
    assert MemoryChange(old, None).id == "old-name"
    assert MemoryChange(None, new).key == 7
    assert LabelChange(Label("kind:bug"), None).name == "kind:bug"


def test_a_change_of_nothing_is_a_broken_invariant() -> None:
    with pytest.raises(AssertionError):
        _ = MemoryChange(None, None).id


def test_dataclasses_become_json_without_their_absent_fields() -> None:
    receipt = Receipt(
        "create",
        "demo",
        3,
        memories=(Touched("auth-fix", "created", 1, Status.ACTIVE),),
        warnings=(Problem("expired", "fact expired", severity=Severity.WARNING),),
    )
    assert as_json(receipt) == {
        "operation": "create",
        "project": "demo",
        "revision": 3,
        "dry_run": False,
        "memories": [{"id": "auth-fix", "change": "created", "version": 1, "status": "active"}],
        "labels": [],
        "expectations": [],
        "notes": [],
        "warnings": [
            {"code": "expired", "message": "fact expired", "path": "$", "severity": "warning"}
        ],
        "near_duplicates": [],
        "lost_expectations": [],
        "proposals": [],
    }


def test_documents_pass_into_json_unchanged() -> None:
    document = {"id": "a", "status_reason": None, "scope": {"files": ["b", "a"]}, "n": 1.5}
    assert as_json(document) == document


def test_sets_become_sorted_lists_and_choices_their_value() -> None:
    registry = Registry({"kind:bug": Label("kind:bug")}, frozenset({"kind", "area"}))
    assert as_json(registry) == {
        "labels": {
            "kind:bug": {
                "name": "kind:bug",
                "description": "",
                "aliases": [],
                "deprecated": False,
            }
        },
        "single": ["area", "kind"],
    }
    assert as_json([Actor("ada", Authority.USER)]) == [{"name": "ada", "authority": "user"}]
