"""Find the lessons that a change touches: by their files, checks and words, then by links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from project_memory.checkout import changes
from project_memory.checkout.changes import Change
from project_memory.checkout.git import Checkout, checkout_at
from project_memory.documents import well_formed
from project_memory.model import Memory, Status
from project_memory.ports import Reader
from project_memory.services import checking, shown
from project_memory.services.affected import checks, files, identifiers, links
from project_memory.services.affected.earlier import earlier_names
from project_memory.services.affected.report import Affected, Kind, Lesson, Reason
from project_memory.services.affected.touching import Touched
from project_memory.services.files import checkout_of
from project_memory.services.known import Known
from project_memory.services.store import StoreInfo
from project_memory.verdicts import Standing, Verdict

_CURRENT = (Status.ACTIVE, Status.STALE)
_RANKS = {kind: rank for rank, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Place:
    """Where lessons are read: a project of a store, on a day."""

    reader: Reader
    project: int
    info: StoreInfo
    today: date


def since(place: Place, base: str, folder: Path | None) -> Affected:
    """Return what HEAD of the checkout at a folder touches, since it left `base`.

    Raises:
        InvalidInput: there is no folder, checkout or such commit, or none in common.
    """
    checkout = checkout_of(folder)
    return _affected(place, changes.since(checkout, base), checkout)


def staged(place: Place, folder: Path | None) -> Affected:
    """Return what the next commit of the checkout at a folder touches.

    Raises:
        InvalidInput: there is no folder or checkout, or git cannot read its index.
    """
    checkout = checkout_of(folder)
    return _affected(place, changes.staged(checkout, place.today), checkout)


def of_files(place: Place, paths: Iterable[str], folder: Path | None) -> Affected:
    """Return what a change of files, or of all in folders, touches.

    Args:
        place: Where lessons are read.
        paths: From the top of the repository.
        folder: A folder in the checkout, or None: then no file is looked at.

    Raises:
        InvalidInput: the folder is in no checkout, or git cannot read it.
    """
    checkout = None if folder is None else checkout_at(folder)
    return _affected(place, changes.named(paths, place.today, checkout), checkout)


def _affected(place: Place, change: Change, checkout: Checkout | None) -> Affected:
    everyone = {m.id: m for m in place.reader.memories(place.project) if not m.archived}
    current = {name: memory for name, memory in everyone.items() if memory.status in _CURRENT}
    touched = Touched(change.files, earlier_names(everyone.values(), change.files, checkout))
    sights = _Sights(current, change)
    reasons, notes = _reasons(everyone, current, touched, sights)
    verdicts = _verdicts([current[name] for name in reasons], checkout)
    known = Known(place.reader, place.project)

    def lesson(name: str) -> Lesson:
        memory = current[name]
        again = (
            *files.to_revalidate(memory, touched, change.made_on),
            *sights.gone(name),
            *_contradicted(verdicts.get(name, ())),
        )
        light = shown.light(memory, known, place.today)
        return _lesson(memory, reasons[name], again, light.banner)

    lessons = sorted(map(lesson, reasons), key=_order)
    return Affected(
        lessons=tuple(lessons),
        change=change.told,
        files=len(change.files),
        checkout=None if checkout is None else str(checkout.root),
        checked=len(current),
        counts={
            "lessons": len(lessons),
            "pitfalls": sum(bool(each.pitfalls) for each in lessons),
            "revalidate": sum(bool(each.revalidate) for each in lessons),
        },
        notes=(*change.notes, *notes),
        store=place.info,
    )


class _Sights:
    """Names of the code that lessons mention, seen in a change."""

    def __init__(self, current: Mapping[str, Memory], change: Change) -> None:
        self._seen = identifiers.sights(change.files)
        documents = {name: memory.document for name, memory in current.items()}
        by_name = identifiers.distinctive(documents, self._seen.keys())
        self._by_lesson: dict[str, list[str]] = {}
        for name in sorted(by_name):
            for lesson in by_name[name]:
                self._by_lesson.setdefault(lesson, []).append(name)

    def reasons(self) -> Iterator[tuple[str, Reason]]:
        """Yield lessons with a reason for each name of theirs that was seen."""
        for lesson, names in self._by_lesson.items():
            for name in names:
                sight = self._seen[name]
                did = "takes away" if sight.is_gone else "has in its lines"
                message = f"mentions '{name}', which the change {did}"
                yield lesson, Reason(Kind.IDENTIFIER, message, well_formed(sight.path), sight.line)

    def gone(self, lesson: str) -> Iterator[str]:
        """Yield what the change took away of the names that a lesson mentions."""
        for name in self._by_lesson.get(lesson, ()):
            if self._seen[name].is_gone:
                yield f"the change takes '{name}' away"


def _reasons(
    everyone: Mapping[str, Memory],
    current: Mapping[str, Memory],
    touched: Touched,
    sights: _Sights,
) -> tuple[dict[str, list[Reason]], list[str]]:
    """Return current memory -> why it is touched, and what is left out."""
    direct = {name: list(_direct(memory, touched)) for name, memory in everyone.items()}
    direct = {name: several for name, several in direct.items() if several}
    found = {name: list(several) for name, several in direct.items() if name in current}
    for name, reason in (*links.successors(everyone, direct), *sights.reasons()):
        if name in current:
            found.setdefault(name, []).append(reason)
    left_out = list(links.left_out(found, current))
    for name, reason in list(links.dependents(found, current)):
        found.setdefault(name, []).append(reason)
    return found, left_out


def _direct(memory: Memory, touched: Touched) -> Iterator[Reason]:
    yield from files.reasons(memory, touched)
    for check in checking.carried(memory):
        yield from checks.reasons(check, touched)


def _verdicts(
    memories: Sequence[Memory], checkout: Checkout | None
) -> Mapping[str, tuple[Verdict, ...]]:
    with_checks = [memory for memory in memories if checking.carried(memory)]
    if checkout is None or not with_checks:
        return {}
    return checking.verdicts_of(with_checks, checkout.root)


def _contradicted(verdicts: Iterable[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        if verdict.standing is Standing.CONTRADICTED:
            yield f"a check is contradicted by the code: {verdict.message}"


def _lesson(
    memory: Memory, reasons: Iterable[Reason], again: Iterable[str], banner: str | None
) -> Lesson:
    document = memory.document
    return Lesson(
        id=memory.id,
        status=memory.status,
        description=document["description"],
        labels=tuple(document["labels"]),
        version=memory.version,
        pitfalls=tuple(document["pitfalls"]),
        reasons=tuple(sorted(dict.fromkeys(reasons), key=lambda each: _RANKS[each.kind])),
        revalidate=tuple(dict.fromkeys(again)),
        banner=banner,
    )


def _order(lesson: Lesson) -> tuple[bool, bool, int, str]:
    kind = lesson.reasons[0].kind
    is_pitfall = bool(lesson.pitfalls) or any(n.endswith(":pitfall") for n in lesson.labels)
    return kind is Kind.DEPENDENT, not is_pitfall, _RANKS[kind], lesson.id
