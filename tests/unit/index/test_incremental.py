"""An index after any sequence of changes ranks exactly like one that is built afresh."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from factories import memory as made
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from project_memory.expression import parse
from project_memory.index import Index, RankRequest, corpus, graph, lexical, snapshot
from project_memory.model import Label, MemoryChange, Registry, Status
from project_memory.ranking import fuse

LABELS = ("kind:bug", "area:auth", "area:db", "area:lock-file", "area:berlin", "kind:cache")
REGISTRY = Registry({name: Label(name) for name in LABELS})
TODAY = datetime(2026, 3, 1, tzinfo=UTC).date()
NAMES = [
    "retry-storm", "lock-file", "Acme Cloud", "cache-key-clash", "lock-file-left-behind", "Berlin",
    "def paste(text):\n    return run(text)",
]  # fmt: skip
WORDS = [
    *("retry", "storm", "lock", "file", "left", "behind", "cache", "key", "clash"),
    *("Acme", "Cloud", "berlin", "Berlin", "slow"),
]
TEXTS = st.lists(st.sampled_from([*WORDS, *NAMES, "the", "and", "数据库"]), min_size=1, max_size=9)
QUERIES = [
    "retry storm", "Acme Cloud lock", "the file left behind is slow", "cache key clash", "berlin",
    "数据库", "lock-file-left-behind in Berlin",
]  # fmt: skip
KEYS = st.integers(1, 9)


@st.composite
def drafts(draw):
    """Draw what a memory says, without its links."""
    sentences = [" ".join(words) for words in draw(st.lists(TEXTS, max_size=3))]
    labels = st.lists(st.sampled_from(sorted(REGISTRY.labels)), min_size=1, unique=True)
    files = st.lists(st.sampled_from(["a.py", "b.py"]), unique=True)
    return {
        "description": " ".join(draw(TEXTS)).capitalize()[:90] + " happened",
        "remembered_facts": [". ".join(sentences)],
        "labels": draw(labels),
        "scope": {"files": draw(files)},
    }


class Changes(RuleBasedStateMachine):
    """A project's memories, and the index that took in one change after another."""

    def __init__(self) -> None:
        super().__init__()
        self.memories: dict[int, dict] = {}
        self.links: set[tuple[int, int, str]] = set()
        self.before: dict[int, object] = {}
        self.index = Index.build([], REGISTRY, 0)

    @rule(
        key=KEYS,
        draft=drafts(),
        name=st.sampled_from(NAMES[:2] + NAMES[3:5]),
        archived=st.booleans(),
        status=st.sampled_from(["active", "active", "stale", "wrong"]),
    )
    def write(self, key: int, draft: dict, name: str, *, archived: bool, status: str) -> None:
        taken = {m["id"] for k, m in self.memories.items() if k != key}
        self.memories[key] = {
            **draft,
            "id": f"memory-{key}" if name in taken else name,
            "own_status": status,
            "archived_at": "2026-01-31T09:30:00Z" if archived else None,
        }

    @rule(changes=st.lists(st.tuples(KEYS, drafts()), min_size=2, max_size=5))
    def write_many(self, changes: list) -> None:
        for key, draft in changes:
            kept = self.memories.get(key, {"id": f"memory-{key}", "own_status": "active"})
            self.memories[key] = {**kept, **draft}

    @rule(drafts=st.dictionaries(KEYS, drafts(), min_size=1))
    def relabel(self, drafts: dict) -> None:
        for key in drafts.keys() & self.memories.keys():
            self.memories[key] = {**self.memories[key], "labels": drafts[key]["labels"]}

    @rule(key=KEYS)
    def delete(self, key: int) -> None:
        self.memories.pop(key, None)
        self.links = {link for link in self.links if key not in link[:2]}

    @rule(a=KEYS, b=KEYS, kind=st.sampled_from(["related", "contradicts", "supersedes"]))
    def link(self, a: int, b: int, kind: str) -> None:
        if a != b and {a, b} <= self.memories.keys() and (b, a, "supersedes") not in self.links:
            self.links.add((a, b, kind))

    @rule(data=st.data())
    def unlink(self, data: st.DataObject) -> None:
        if self.links:
            self.links.discard(data.draw(st.sampled_from(sorted(self.links))))

    @rule()
    def pass_through_a_file(self) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "kept.index"
            snapshot.save(self.index, path, {"revision": self.index.revision})
            loaded = snapshot.load(path, REGISTRY, lambda _: True)
        assert loaded is not None
        self.index = loaded

    @invariant()
    def it_ranks_like_a_fresh_one(self) -> None:
        now = self.now()
        changes = [
            MemoryChange(self.before.get(key), now.get(key))
            for key in sorted(self.before.keys() | now.keys())
            if self.before.get(key) != now.get(key)
        ]
        if changes:
            self.index = self.index.updated(changes, REGISTRY, self.index.revision + 1)
        self.before = now
        assert len(self.index) == len(now)
        fresh = Index.build(now.values(), REGISTRY, self.index.revision)
        requests = [RankRequest(query, floor=False) for query in ("", *QUERIES)]
        requests += [RankRequest("lock", related_to=m.id, prefer=("area:auth",))
                     for m in now.values() if not m.archived]  # fmt: skip
        for request in requests:
            assert answers(self.index, request) == answers(fresh, request)

    def now(self) -> dict:
        """Return the memories as the store would hold them, links mirrored and statuses shown."""
        return {key: self.stored(key) for key in self.memories}

    def stored(self, key: int):
        plain = dict(self.memories[key])
        own = plain.pop("own_status")
        links: dict[str, list] = {}
        for a, b, kind in sorted(self.links):
            inverse = "superseded_by" if kind == "supersedes" else kind
            for here, there, how in ((a, b, kind), (b, a, inverse)):
                if here == key:
                    target = {"id": self.memories[there]["id"], "reason": "they go together"}
                    links.setdefault(how, []).append(target)
        live = any(
            b == key and kind == "supersedes" and not self.memories[a].get("archived_at")
            and self.memories[a]["own_status"] != "wrong"
            for a, b, kind in self.links
        )  # fmt: skip
        status = "superseded" if live else own
        return made(key, own_status=Status(own), status=status, relationships=links, **plain)


def answers(index: Index, request: RankRequest):
    everyone = index.select(parse(""), today=TODAY, texts=iter)
    ranking = index.rank(request, everyone)
    return ranking, index.explained(request, everyone, ranking.hits)


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every bound bite on a handful of memories."""
    monkeypatch.setattr(corpus, "TIER", 1)
    monkeypatch.setattr(corpus, "BATCH", 2)
    monkeypatch.setattr(corpus, "_FEW_DEAD", 1)
    monkeypatch.setattr(graph, "REACH", 4)
    monkeypatch.setattr(fuse, "SEEDS", 2)
    monkeypatch.setattr(lexical, "DEPTH", 3)


@pytest.mark.usefixtures("_small")
def test_any_sequence_of_changes_ranks_like_a_fresh_index() -> None:
    run_state_machine_as_test(
        Changes,
        settings=settings(
            max_examples=12,
            stateful_step_count=14,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
