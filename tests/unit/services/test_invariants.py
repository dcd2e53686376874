"""Random sequences of changes against a simple model written independently of the services."""

from __future__ import annotations

import itertools

import networkx
from factories import draft
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from project_memory import documents
from project_memory.app import ProjectMemory
from project_memory.errors import (
    InvalidDocument,
    InvalidInput,
    InvalidTransition,
    NotFound,
    ProjectMemoryError,
)
from project_memory.model import Actor, Authority

INVERSE = {
    "related": "related",
    "supersedes": "superseded_by",
    "superseded_by": "supersedes",
    "contradicts": "contradicts",
    "depends_on": "required_by",
    "required_by": "depends_on",
    "caused_by": "causes",
    "causes": "caused_by",
    "generalizes": "specializes",
    "specializes": "generalizes",
}
ACYCLIC = {"supersedes", "depends_on", "generalizes"}
NAMES = [f"memory-{letter}" for letter in "abcdef"]
names = st.sampled_from(NAMES)
kinds = st.sampled_from(sorted(INVERSE))
ADA = Actor("ada", Authority.USER)


class Model:
    """Own statuses, archived ids and links as (source, kind, target), both directions."""

    def __init__(self) -> None:
        self.own: dict[str, str] = {}
        self.archived: set[str] = set()
        self.links: set[tuple[str, str, str]] = set()

    def copy(self) -> Model:
        other = Model()
        other.own, other.archived = dict(self.own), set(self.archived)
        other.links = set(self.links)
        return other

    def allows(self, source: str, kind: str, target: str) -> bool:
        if source == target or target not in self.own:
            return False
        base = kind if kind in ACYCLIC else INVERSE[kind]
        if base not in ACYCLIC:
            return True
        start, end = (source, target) if base == kind else (target, source)
        graph = networkx.DiGraph([(s, t) for s, k, t in self.links if k == base])
        graph.add_edge(start, end)
        return networkx.is_directed_acyclic_graph(graph)

    def link(self, source: str, kind: str, target: str) -> None:
        self.links |= {(source, kind, target), (target, INVERSE[kind], source)}

    def unlink(self, source: str, kind: str, target: str) -> None:
        self.links -= {(source, kind, target), (target, INVERSE[kind], source)}

    def shown(self, name: str) -> str:
        successors = (t for s, k, t in self.links if s == name and k == "superseded_by")
        live = any(self.own[t] != "wrong" and t not in self.archived for t in successors)
        return "superseded" if live else self.own[name]


class Store(RuleBasedStateMachine):
    @initialize()
    def start(self) -> None:
        self.memory = ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True)
        self.model = Model()
        self.history: list[tuple[Model, dict[str, str]]] = []
        self.count = itertools.count()
        for name in NAMES:  # so that most rules find what they need
            self.create(name)

    def teardown(self) -> None:
        if hasattr(self, "memory"):
            self.memory.close()

    def texts(self) -> dict[str, str]:
        found = self.memory.search("is:any", limit=1000).memories
        return {x.id: documents.to_text(self.memory.get(x.id).memory) for x in found}

    def change(self, act, expect, refused=()) -> None:
        """Run `act`; where it is refused nothing changes, else `expect` is done to the model."""
        before, model = self.texts(), self.model.copy()
        try:
            receipt = act()
        except refused:
            assert self.texts() == before
            return
        expect()
        if "nothing changed" not in receipt.notes:
            self.history.append((model, before))

    @rule(name=names)
    def create_again(self, name: str) -> None:
        self.create(name)

    def create(self, name: str) -> None:
        if name in self.model.own:
            return
        text = f"a lesson about number {next(self.count)} in the sequence"
        self.change(
            lambda: self.memory.create(draft(id=name, description=text)),
            lambda: self.model.own.__setitem__(name, "active"),
            ProjectMemoryError,
        )

    @rule(name=names)
    def update(self, name: str) -> None:
        patch = {"pitfalls": [f"pitfall {next(self.count)}"]}
        known = name in self.model.own
        self.change(lambda: self.memory.update(name, patch), lambda: None, NotFound)
        assert not known or self.memory.get(name).memory["pitfalls"] == patch["pitfalls"]

    @rule(source=names, kind=kinds, other=names)
    def link(self, source: str, kind: str, other: str) -> None:
        if source not in self.model.own:
            return
        allowed = self.model.allows(source, kind, other)
        outcome = []
        self.change(
            lambda: self.memory.link(
                source, kind, other, link_reason="they fail together under load"
            ),
            lambda: (self.model.link(source, kind, other), outcome.append("linked")),
            InvalidDocument,
        )
        assert bool(outcome) == allowed

    @precondition(lambda self: self.model.links)
    @rule(data=st.data())
    def unlink(self, data: st.DataObject) -> None:
        source, kind, target = data.draw(st.sampled_from(sorted(self.model.links)))
        self.change(
            lambda: self.memory.unlink(source, kind, target),
            lambda: self.model.unlink(source, kind, target),
        )

    @rule(name=names, status=st.sampled_from(["active", "stale", "wrong"]))
    def status(self, name: str, status: str) -> None:
        if name not in self.model.own:
            return
        self.change(
            lambda: self.memory.set_status(name, status, reason="the last run showed it"),
            lambda: self.model.own.__setitem__(name, status),
            InvalidTransition,
        )

    @rule(name=names)
    def archive(self, name: str) -> None:
        if name in self.model.own:
            self.change(lambda: self.memory.archive(name), lambda: self.model.archived.add(name))

    @rule(name=names)
    def unarchive(self, name: str) -> None:
        if name in self.model.own:
            self.change(
                lambda: self.memory.unarchive(name), lambda: self.model.archived.discard(name)
            )

    @rule(name=names)
    def delete(self, name: str) -> None:
        if name not in self.model.own:
            return

        def expect() -> None:
            del self.model.own[name]
            self.model.archived.discard(name)
            self.model.links = {x for x in self.model.links if name not in (x[0], x[2])}

        self.change(lambda: self.memory.delete(name), expect)

    @rule(victim=names, into=names)
    def merge(self, victim: str, into: str) -> None:
        if not {victim, into} <= self.model.own.keys() or victim == into:
            return

        def expect() -> None:
            held = {x for x in self.model.links if x[0] == victim}
            for source, kind, target in held:
                if target == into or kind != "superseded_by":
                    self.model.unlink(source, kind, target)
                if target != into and kind != "superseded_by":
                    self.model.link(into, kind, target)
            self.model.link(into, "supersedes", victim)
            self.model.archived.add(victim)

        self.change(
            lambda: self.memory.merge(victim, into), expect, (InvalidDocument, InvalidInput)
        )

    @precondition(lambda self: self.history)
    @rule()
    def undo(self) -> None:
        self.model, before = self.history.pop()
        self.memory.undo()
        assert self.texts() == before

    @invariant()
    def every_link_holds_both_ways(self) -> None:
        if not hasattr(self, "memory"):
            return
        found = {
            (link_source, link.kind, link.target)
            for link_source in self.model.own
            for link in documents.links(self.memory.get(link_source).memory)
        }
        assert found == self.model.links

    @invariant()
    def superseded_if_and_only_if_a_live_memory_supersedes(self) -> None:
        if not hasattr(self, "memory"):
            return
        shown = {x.id: x.status for x in self.memory.search("is:any", limit=1000).memories}
        assert shown == {name: self.model.shown(name) for name in self.model.own}

    @invariant()
    def the_store_is_valid(self) -> None:
        if hasattr(self, "memory"):
            assert self.memory.validate().problems == ()


TestStore = Store.TestCase
TestStore.settings = settings(
    max_examples=40,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
