"""A year of several projects, played by seed: ``python benchmarks/simulated_year.py``.

Agents store lessons and ask questions day by day; every thirty days a person audits each project
and applies what was found. Of every lesson it is known (and hidden from the store) whether it is
useful, needed by nobody, outdated, a twin of another or at odds with one. Printed is what the
audits found and archived, held against that truth; each applied audit is undone as well, to see
whether every document comes back byte for byte, and done again.

Exit code 1 if a useful or a protected lesson was archived for its silence, if less than 90 % of
the twins or of the contradictions were found, if more than 5 % of such findings were false, or if
an undo left anything different.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

import product
from lessons import labels60
from simulated_world import AUDIT_EVERY, Fate, World, world

from project_memory import documents
from project_memory.app import ProjectMemory
from project_memory.audit import Finding
from project_memory.model import Actor, Authority
from project_memory.storage import open_storage

BOT, ADA = Actor("bot", Authority.AGENT), Actor("ada", Authority.USER)
START = datetime(2026, 1, 1, 9, tzinfo=UTC)
USED = 0.1
EVERYTHING = 1_000_000
LEAST_FOUND, MOST_FALSE = 0.9, 0.05
TWINS, CLASHES = ("duplicate", "near-duplicate"), ("contradiction", "contradictory-facts")
CHECKS = (*TWINS, *CLASHES, "silent", "earned", "superseded-removable")


@dataclass(slots=True)
class Outcome:
    """What came of it, over all projects.

    Attributes:
        asked: Questions that some lesson answers.
        answered: Those that brought their lesson, or one that stands for it, if need be when
            asked again in other words.
        judged: Useful lessons that an audit judged by its gate.
        useful_archived: Useful lessons that were archived for their silence.
        protected_archived: Decisions likewise.
        unneeded: Lessons that nobody needs.
        unneeded_archived: Those of them that were archived for their silence.
        outdated: Lessons with a successor.
        outdated_archived: Those of them that were archived.
        twins: Planted twins that an audit saw beside the other one.
        twins_found: Those of them that were found.
        clashes: Planted contradictions that an audit saw both sides of.
        clashes_found: Those of them that were found.
        pairs: Pairs that audits called twins or contradictory.
        false_pairs: Those of them that were planted as neither.
        actions: Applied, and undone, and done again.
        changed_by_undo: Documents that an undo did not bring back byte for byte.
    """

    asked: int = 0
    answered: int = 0
    judged: int = 0
    useful_archived: int = 0
    protected_archived: int = 0
    unneeded: int = 0
    unneeded_archived: int = 0
    outdated: int = 0
    outdated_archived: int = 0
    twins: int = 0
    twins_found: int = 0
    clashes: int = 0
    clashes_found: int = 0
    pairs: int = 0
    false_pairs: int = 0
    actions: int = 0
    changed_by_undo: int = 0

    def faults(self) -> list[str]:
        """Return what falls short of what is promised."""
        checks = {
            "useful lessons were archived": not self.useful_archived,
            "protected lessons were archived": not self.protected_archived,
            "too few twins were found": self.twins_found >= LEAST_FOUND * self.twins,
            "too few contradictions were found": self.clashes_found >= LEAST_FOUND * self.clashes,
            "too many findings are false": self.false_pairs <= MOST_FALSE * self.pairs,
            "an undo left something different": not self.changed_by_undo,
            "nothing useful was judged": bool(self.judged),
        }
        return [fault for fault, holds in checks.items() if not holds]


@dataclass(slots=True)
class Seen:
    """What audits of one project have seen so far."""

    twins: set[str] = field(default_factory=set)
    clashes: set[frozenset[str]] = field(default_factory=set)
    called: set[frozenset[str]] = field(default_factory=set)
    judged: set[str] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)


class Year:
    """One project in a store of its own, day by day."""

    def __init__(self, folder: Path, known: World, outcome: Outcome) -> None:
        self._url, self._world, self._outcome = str(folder / "store.db"), known, outcome
        self._now = START
        self._seen = Seen()
        with self._opened(ADA, create=True) as memories:
            product.register(memories, labels60())

    def pass_days(self, days: int) -> None:
        """Let the days pass, with an audit at the end of every month."""
        for first in range(0, days, AUDIT_EVERY):
            with self._opened(BOT) as memories:
                for day in range(first, min(days, first + AUDIT_EVERY)):
                    self._now = START + timedelta(days=day)
                    self._pass_day(memories, day)
            self._now += timedelta(hours=10)
            with self._opened(ADA) as memories:
                self._audit(memories)
        self._count()

    @contextmanager
    def _opened(self, actor: Actor, *, create: bool = False) -> Iterator[ProjectMemory]:
        with ProjectMemory.open(
            self._url, project="demo", actor=actor, create=create, clock=lambda: self._now
        ) as memories:
            yield memories

    def _pass_day(self, memories: ProjectMemory, day: int) -> None:
        memories.apply(
            [{"op": "create", "memory": draft, "allow_duplicate": True}
             for draft in self._world.born(day)]
        )  # fmt: skip
        for number, question in enumerate(self._world.questions.get(day, ())):
            answered = self._ask(memories, question.words, question.wanted)
            if not answered and question.wanted:  # nobody gives up at once
                answered = self._ask(memories, question.again, question.wanted)
            self._outcome.asked += question.wanted is not None
            self._outcome.answered += answered
            if answered and number % int(1 / USED) == 0:
                memories.record_use([question.wanted])

    def _ask(self, memories: ProjectMemory, words: str, wanted: str | None) -> bool:
        """Return whether a question brings a lesson, or one that stands for it."""
        found = memories.recall(query=words, full_count=0)
        return any(wanted in (hit.id, *hit.answers_for) for hit in found.answers)

    def _audit(self, memories: ProjectMemory) -> None:
        report = memories.audit(codes=CHECKS, limits={"max_actions": EVERYTHING})
        self._look(memories, report.findings)
        before = _texts(self._url)
        applied = memories.apply_findings(report).applied
        if not applied.findings:
            return
        after = _texts(self._url)
        self._outcome.actions += len(applied.findings)
        undone = memories.undo(revision=applied.receipt.revision)
        self._outcome.changed_by_undo += len(before.items() ^ _texts(self._url).items())
        memories.undo(revision=undone.revision)
        self._outcome.changed_by_undo += len(after.items() ^ _texts(self._url).items())

    def _look(self, memories: ProjectMemory, findings: tuple[Finding, ...]) -> None:
        present = {row.id for row in memories.usage(limit=EVERYTHING).memories}
        seen, known = self._seen, self._world
        seen.clashes |= {pair for pair in known.clashes if pair <= present}
        for twin in known.current(Fate.TWIN):
            if twin.id in present and twin.id.removesuffix("-again") in present:
                seen.twins.add(twin.id)
        for finding in findings:
            if finding.code in TWINS:
                seen.called.add(frozenset((finding.subject, finding.evidence["twin"])))
            elif finding.code in CLASHES:
                seen.called.add(frozenset((finding.subject, finding.evidence["other"])))
            elif finding.code in ("silent", "earned"):
                seen.judged.add(finding.subject)
                if finding.code == "silent":
                    seen.silent.add(finding.subject)

    def _count(self) -> None:
        with self._opened(ADA) as memories:
            present = {row.id for row in memories.usage(limit=EVERYTHING).memories}
        outcome, seen, known = self._outcome, self._seen, self._world
        ids = {fate: {lesson.id for lesson in known.current(fate)} for fate in Fate}
        twins = {pair for pair in seen.called if known.are_twins(*pair)}
        outcome.judged += len(seen.judged & ids[Fate.USEFUL])
        outcome.useful_archived += len(seen.silent & ids[Fate.USEFUL])
        outcome.protected_archived += len(seen.silent & ids[Fate.DECISION])
        outcome.unneeded += len(ids[Fate.UNNEEDED])
        outcome.unneeded_archived += len(seen.silent & ids[Fate.UNNEEDED])
        outcome.outdated += len(ids[Fate.OUTDATED])
        outcome.outdated_archived += len(ids[Fate.OUTDATED] - present)
        outcome.twins += len(seen.twins)
        outcome.twins_found += sum(any(twin in pair for pair in twins) for twin in seen.twins)
        outcome.clashes += len(seen.clashes)
        outcome.clashes_found += len(seen.clashes & seen.called)
        outcome.pairs += len(seen.called)
        outcome.false_pairs += len(seen.called - twins - known.clashes)


def simulated(*, projects: int, memories: int, recalls: int, days: int, seed: int) -> Outcome:
    """Return what came of so many projects, memories and recalls in all."""
    outcome = Outcome()
    for number in range(projects):
        with tempfile.TemporaryDirectory() as folder:
            known = world(seed + number, memories // projects, recalls // projects, days)
            Year(Path(folder), known, outcome).pass_days(days)
    return outcome


def main() -> int:
    """Play the year, print what came of it, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--projects", type=int, default=4)
    parser.add_argument("--memories", type=int, default=5000, help="in all projects together")
    parser.add_argument("--recalls", type=int, default=50_000, help="in all projects together")
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--seed", type=int, default=7)
    start = time.process_time()
    outcome = simulated(**vars(parser.parse_args()))
    for each in fields(outcome):
        print(f"{each.name.replace('_', ' ')}\t{getattr(outcome, each.name)}")
    print(f"processor seconds\t{time.process_time() - start:.0f}")
    for fault in outcome.faults():
        print(f"fault\t{fault}")
    return 1 if outcome.faults() else 0


def _texts(url: str) -> dict[str, tuple[str, bool]]:
    """Return id -> document as a file would hold it, and whether it is archived."""
    storage = open_storage(url, create=False)
    with storage.read() as reader:
        found = {m.id: (documents.to_text(m.document), m.archived) for m in reader.memories(1)}
    storage.close()
    return found


if __name__ == "__main__":
    sys.exit(main())
