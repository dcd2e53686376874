"""What a successor has replaced can go, and never both halves of anything."""

from __future__ import annotations

from typing import Any

from factories import evidence, memory

from project_memory import audit
from project_memory.audit import Action, Evidence, Finding, Severity
from project_memory.model import Memory, Status


def chain(*ids: str, **beside: dict[str, Any]) -> list[Memory]:
    """Return memories of which each supersedes the one before; `beside` overrides by id."""
    found = []
    for position, name in enumerate(ids):
        links = {
            "supersedes": list(ids[max(0, position - 1) : position]),
            "superseded_by": list(ids[position + 1 : position + 2]),
        }
        status = Status.SUPERSEDED if position + 1 < len(ids) else Status.ACTIVE
        fields = {"relationships": links, "status": status.value, **beside.get(name, {})}
        found.append(memory(position + 1, id=name, **fields))
    return found


def removable(known: Evidence) -> list[Finding]:
    return audit.judge(known, ["superseded-removable"])


def test_a_memory_with_a_live_successor_is_to_be_archived() -> None:
    assert removable(evidence(*chain("old", "new"))) == [
        Finding(
            "superseded-removable",
            Severity.NOTE,
            "old",
            "superseded by 'new'; archive it",
            {"successors": ["new"]},
            Action("archive", {"id": "old"}, keeps=("new",)),
        )
    ]


def test_of_a_chain_only_the_oldest_goes() -> None:
    found = removable(evidence(*chain("first", "second", "third")))
    assert [(f.subject, f.evidence["successors"]) for f in found] == [("first", ["third"])]
    assert [f.action.keeps for f in found if f.action] == [("second", "third")]


def test_what_keeps_an_archived_memory_from_passing_as_current_stays() -> None:
    archived = {"first": {"archived_at": "2026-02-01T00:00:00Z"}}
    assert removable(evidence(*chain("first", "second", "third", **archived))) == []


def test_a_pinned_memory_stays() -> None:
    assert removable(evidence(*chain("old", "new", old={"pinned": True}))) == []


def test_a_successor_that_is_wrong_replaces_nothing() -> None:
    old, new = chain(
        "old",
        "new",
        old={"status": "active"},
        new={"status": "wrong", "own_status": Status.WRONG},
    )
    assert removable(evidence(old, new)) == []


def test_of_two_that_supersede_the_same_one_stays() -> None:
    def between(kind: str, *others: str) -> dict[str, Any]:
        return {"relationships": {kind: list(others)}}

    outdated = {"status": "superseded"}
    known = evidence(
        memory(1, id="old", **between("superseded_by", "one", "two"), **outdated),
        memory(2, id="one", relationships={"supersedes": ["old"], "superseded_by": ["new"]},
               **outdated),
        memory(3, id="two", relationships={"supersedes": ["old"], "superseded_by": ["new"]},
               **outdated),
        memory(4, id="new", **between("supersedes", "one", "two")),
    )  # fmt: skip
    found = removable(known)
    assert [finding.subject for finding in found] == ["old", "one", "two"]
    assert [finding.action.keeps for finding in found if finding.action] == [
        ("new", "one", "two"),
        ("new", "two"),
        ("new", "one"),
    ]
    assert [finding.subject for finding in audit.planned(found, 50)] == ["old"]
