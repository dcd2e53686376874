"""What audits find is kept as changes only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from project_memory.audit import Action, Finding, Policy, Severity
from project_memory.model import Project
from project_memory.ports import Storage
from project_memory.services import sightings
from project_memory.services.audit_report import AuditReport, Resolved
from project_memory.services.store import StoreInfo
from project_memory.sightings import Sighting
from project_memory.storage import open_storage

FIRST, SECOND, THIRD = (f"2026-03-0{day}T00:00:00Z" for day in (1, 2, 3))


@pytest.fixture
def storage() -> Iterator[Storage]:
    opened = open_storage("inmemory://", create=True)
    yield opened
    opened.close()


@pytest.fixture
def project(storage: Storage) -> Project:
    with storage.write() as writer:
        return writer.put_project("demo")


def orphan(subject: str = "lake", message: str = "nothing leads to it") -> Finding:
    return Finding("orphan", Severity.NOTE, subject, message)


def expired(position: int) -> Finding:
    evidence = {"path": f"$.remembered_facts[{position}]"}
    return Finding("expired-fact", Severity.WARNING, "lake", "it expired", evidence)


def report(time: str, *findings: Finding, checks: tuple[str, ...] | None = None) -> AuditReport:
    codes = ("orphan", "expired-fact") if checks is None else checks
    store = StoreInfo("inmemory://", "demo", 1)
    return AuditReport(findings, (), 1, codes, {}, Policy(), time, store)


def kept(storage: Storage, project: Project) -> list[Sighting]:
    with storage.read() as reader:
        return list(reader.sightings(project.key))


def test_a_finding_is_dated_by_the_audit_that_first_found_it(storage, project) -> None:
    sightings.keep(storage, project, report(FIRST, orphan()))
    again = sightings.keep(storage, project, report(SECOND, orphan(), orphan("moor")))
    assert [(f.subject, f.first_seen, f.is_new) for f in again.findings] == [
        ("lake", FIRST, False),
        ("moor", SECOND, True),
    ]


def test_two_audits_of_one_second_find_nothing_new_twice(storage, project) -> None:
    for is_new in (True, False):
        (found,) = sightings.keep(storage, project, report(FIRST, orphan())).findings
        assert found.is_new is is_new


def test_an_audit_that_finds_the_same_writes_nothing(storage, project, monkeypatch) -> None:
    sightings.keep(storage, project, report(FIRST, orphan(), expired(0)))
    before = kept(storage, project)
    monkeypatch.delattr(type(storage), "write")
    sightings.keep(storage, project, report(SECOND, orphan(), expired(0)))
    assert kept(storage, project) == before


def test_what_is_gone_is_resolved_once(storage, project) -> None:
    sightings.keep(storage, project, report(FIRST, orphan()))
    assert sightings.keep(storage, project, report(SECOND)).resolved == (
        Resolved("orphan", "lake", FIRST),
    )
    assert sightings.keep(storage, project, report(THIRD)).resolved == ()
    (gone,) = kept(storage, project)
    assert (gone.first_seen, gone.last_changed, gone.resolved_at) == (FIRST, SECOND, SECOND)


def test_what_comes_back_is_known_from_the_first_time(storage, project) -> None:
    for time, findings in ((FIRST, (orphan(),)), (SECOND, ()), (THIRD, (orphan(),))):
        last = sightings.keep(storage, project, report(time, *findings))
    assert last.findings[0].first_seen == FIRST
    (back,) = kept(storage, project)
    assert (back.first_seen, back.last_changed, back.resolved_at) == (FIRST, THIRD, None)


def test_what_is_found_different_is_changed(storage, project) -> None:
    sightings.keep(storage, project, report(FIRST, orphan()))
    acting = replace(orphan(message="else"), action=Action("archive", {"id": "lake"}))
    sightings.keep(storage, project, report(SECOND, acting))
    assert kept(storage, project) == [
        Sighting(
            "orphan",
            "lake",
            "",
            {
                "severity": "note",
                "message": "else",
                "evidence": {},
                "action": {"operation": "archive", "arguments": {"id": "lake"}, "keeps": []},
            },
            FIRST,
            SECOND,
        )
    ]


def test_a_check_that_was_not_made_resolves_nothing(storage, project) -> None:
    sightings.keep(storage, project, report(FIRST, orphan()))
    partial = sightings.keep(storage, project, report(SECOND, checks=("expired-fact",)))
    assert partial.resolved == ()
    assert kept(storage, project)[0].resolved_at is None


def test_findings_on_one_subject_are_told_apart_by_their_place(storage, project) -> None:
    sightings.keep(storage, project, report(FIRST, expired(0), expired(4)))
    sightings.keep(storage, project, report(SECOND, expired(4)))
    assert [(s.place, s.resolved_at) for s in kept(storage, project)] == [
        ("$.remembered_facts[0]", SECOND),
        ("$.remembered_facts[4]", None),
    ]


def test_findings_of_one_place_are_numbered(storage, project) -> None:
    sightings.keep(storage, project, report(FIRST, orphan(), orphan(message="again")))
    assert [s.place for s in kept(storage, project)] == ["", " 2"]
