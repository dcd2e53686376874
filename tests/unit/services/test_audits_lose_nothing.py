"""Projects by seed, audited and acted on again and again: nothing is lost, all can be undone."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from factories import draft

from project_memory import documents
from project_memory.app import ProjectMemory
from project_memory.audit import Finding
from project_memory.model import Actor, Authority, Uses
from project_memory.ports import Storage
from project_memory.storage import open_storage

LIMITS = {"gate": ("1:50:30",), "delete_superseded": True, "grace": 10, "max_actions": 8}
SIZE = 20
SYLLABLES = ("ba", "ko", "ri", "ta", "mu", "se", "lo", "ni", "va", "pe")
WORDS = [one + other for one in SYLLABLES for other in SYLLABLES]


class World:
    """A project of agents (what people assert is kept from retention), and its clock."""

    def __init__(self, storage: Storage) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.storage = storage
        with storage.write() as writer:
            self.project = writer.put_project("demo").key
        bot = Actor("bot", Authority.AGENT)
        self.memories = ProjectMemory(storage, "demo", bot, lambda: self.now)
        for label in ("kind:bug", "kind:lesson", "area:unused"):
            self.memories.add_label(label)

    def pass_time(self, chance: random.Random) -> None:
        """Let twelve days pass, and some questions, in which few memories came up."""
        self.now += timedelta(days=12)
        seen = chance.sample(self.memories.memory_ids(), 2)
        with self.storage.write() as writer:
            uses = {name: Uses(surfaced=1, surfaced_direct=1) for name in seen}
            writer.add_usage(self.project, self.now.date().isoformat(), uses, questions=30)

    def state(self) -> dict[str, Any]:
        """Return every document to the byte with what is kept beside it, and the registry."""
        found: dict[str, Any] = {"labels": self.memories.labels(with_counts=False).groups}
        with self.storage.read() as reader:
            for each in reader.memories(self.project):
                beside = (each.archived_at, each.pinned, each.tier, each.own_status)
                found[each.id] = (documents.to_text(each.document), *beside)
        return found

    def current(self) -> dict[str, set[str]]:
        """Return digest of text -> ids of the memories that readers take for true."""
        found: dict[str, set[str]] = defaultdict(set)
        with self.storage.read() as reader:
            for each in reader.memories(self.project):
                if not each.archived and each.status in {"active", "stale"}:
                    found[documents.text_digest(each.document)].add(each.id)
        return found

    def act(self) -> Any:
        """Audit, apply what may be applied, and return what became of it."""
        return self.memories.apply_findings(self.memories.audit(limits=LIMITS)).applied


@pytest.fixture
def world() -> Iterator[World]:
    storage = open_storage("inmemory://", create=True)
    yield World(storage)
    storage.close()


def fill(memories: ProjectMemory, chance: random.Random) -> None:
    """Add lessons, copies and nearly equal ones; chains of successors, links and pins."""
    names = [f"memory-{number:02d}" for number in range(SIZE)]
    texts: list[list[str]] = []
    for name in names:
        fresh = [" ".join(chance.choices(WORDS, k=12)) for _ in range(3)]
        said = chance.choice(texts) if texts and chance.random() < 0.4 else fresh
        if chance.random() < 0.3:
            said = [*said[:2], f"{said[2]} {chance.choice(WORDS)}"]
        texts.append(said)
        label = chance.choice(("kind:bug", "kind:lesson"))
        lesson = draft(id=name, description=said[0], remembered_facts=said[1:], labels=[label])
        memories.create(lesson, allow_duplicate=True)
    for _ in range(9):
        old, new = sorted(chance.sample(names, 2))
        memories.link(new, "supersedes", old)
    for _ in range(4):
        one, other = chance.sample(names, 2)
        memories.link(one, "related", other, link_reason="both were met together")
    memories.pin(chance.choice(names))


def taken(acted: Mapping[str, Finding]) -> set[str]:
    """Return the ids that an audit archived, deleted or folded into others."""
    return {name for name, f in acted.items() if f.action and f.action.operation != "promote"}


def check_nothing_is_lost(
    acted: Mapping[str, Finding], before: dict[str, set[str]], after: dict[str, set[str]]
) -> None:
    """Check that every text which was current is so still, was silent, or has its survivor."""
    shown = set().union(*after.values())
    for digest, names in before.items():
        gone = [acted[name] for name in names & acted.keys()]
        silent = {finding.subject for finding in gone if finding.code == "silent"}
        into = {
            f.action.arguments["into"] for f in gone if f.action and "into" in f.action.arguments
        }
        assert names & shown or silent == names or into & shown, digest
    assert shown <= set().union(*before.values()), "something outdated became current"


@pytest.mark.parametrize("seed", [0, 7, 20])
def test_no_audit_takes_both_halves_and_each_is_undone_to_the_byte(world, seed: int) -> None:
    chance = random.Random(seed)
    fill(world.memories, chance)
    codes: set[str] = set()
    for turn in range(24):
        before, texts = world.state(), world.current()
        done = world.act()
        acted = {finding.subject: finding for finding in done.findings}
        check_nothing_is_lost(acted, texts, world.current())
        for finding in done.findings:
            assert not taken(acted) & set(finding.action.keeps)
        if acted and turn % 3 != 1:
            world.memories.undo(revision=done.receipt.revision)
            assert world.state() == before
        codes |= {finding.code for finding in done.findings}
        world.pass_time(chance)
    assert {"superseded-removable", "label-unused", "silent"} <= codes
