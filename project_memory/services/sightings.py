"""Remember what audits find, as changes only: what is found again adds nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from project_memory.audit import Finding
from project_memory.model import Project, as_json
from project_memory.ports import Reader, Storage
from project_memory.services.audit_report import AuditReport, Resolved
from project_memory.services.store import existing_project
from project_memory.sightings import Sighting

Key: TypeAlias = tuple[str, str, str]

_PLACES = ("path", "file", "other", "twin", "into")
_NAMED = ("code", "subject", "first_seen", "is_new")


def keep(storage: Storage, project: Project, report: AuditReport) -> AuditReport:
    """Return the report with when each finding was first seen, and what is resolved.

    What differs from the audit before is stored, but in an archived project; nothing else is, so
    that no lock is taken where nothing differs. Only what the report's checks speak of is
    resolved.
    """
    found = _keyed(report.findings)
    with storage.read() as reader:
        known = _known(reader, project)
        archived = existing_project(reader, project.name).archived
    changes = list(_changes(known, found, report))
    if changes and not archived:
        with storage.write(project.name) as writer:
            known = _known(writer, project)  # another audit may have been quicker
            changes = list(_changes(known, found, report))
            for sighting in changes:
                writer.put_sighting(project.key, sighting)
    present = {**known, **{sighting.key: sighting for sighting in changes}}
    return replace(
        report,
        findings=tuple(
            replace(finding, first_seen=present[key].first_seen, is_new=key not in known)
            for key, finding in found.items()
        ),
        resolved=tuple(
            Resolved(s.code, s.subject, s.first_seen) for s in changes if s.resolved_at is not None
        ),
    )


def _known(reader: Reader, project: Project) -> dict[Key, Sighting]:
    return {sighting.key: sighting for sighting in reader.sightings(project.key)}


def _changes(
    known: Mapping[Key, Sighting], found: Mapping[Key, Finding], report: AuditReport
) -> Iterator[Sighting]:
    """Yield the sightings to store: found first, found different, found again, and gone."""
    for key, finding in found.items():
        said = _said(finding)
        old = known.get(key)
        if old is None:
            yield Sighting(*key, said, first_seen=report.time, last_changed=report.time)
        elif old.finding != said or old.resolved_at is not None:
            yield replace(old, finding=said, last_changed=report.time, resolved_at=None)
    yield from _gone(known.values(), found, report.checks, report.time)


def _gone(
    known: Iterable[Sighting], found: Collection[Key], codes: Collection[str], time: str
) -> Iterator[Sighting]:
    for sighting in known:
        open_one = sighting.resolved_at is None and sighting.code in codes
        if open_one and sighting.key not in found:
            yield replace(sighting, last_changed=time, resolved_at=time)


def _keyed(findings: Iterable[Finding]) -> dict[Key, Finding]:
    """Return the findings by what tells them apart; equal keys are numbered."""
    keyed: dict[Key, Finding] = {}
    for finding in findings:
        place = _place(finding)
        key, number = (finding.code, finding.subject, place), 1
        while key in keyed:
            number += 1
            key = (finding.code, finding.subject, f"{place} {number}")
        keyed[key] = finding
    return keyed


def _place(finding: Finding) -> str:
    places = (finding.evidence[name] for name in _PLACES if name in finding.evidence)
    return next((place for place in places if isinstance(place, str)), "")


def _said(finding: Finding) -> dict[str, Any]:
    said: dict[str, Any] = as_json(finding)
    return {name: value for name, value in said.items() if name not in _NAMED}
