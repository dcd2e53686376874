"""No sequence of calls by an agent makes text look as if a person had asserted it.

What a person may do is done between the agent's calls, so that there is something to abuse.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from factories import draft
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from impostors import check_nobody_was_impersonated, said_by_people, stored

from project_memory.app import ProjectMemory
from project_memory.errors import ProjectMemoryError
from project_memory.mcp_server.calling import called
from project_memory.mcp_server.source import OpenSource
from project_memory.mcp_server.tools import BY_NAME
from project_memory.model import Actor, Authority

NAMES = [f"memory-{letter}" for letter in "abcd"]
names = st.sampled_from(NAMES)
KINDS = ["related", "supersedes", "superseded_by", "contradicts", "depends_on"]
REASONED = {"related", "contradicts"}
REASON = "the two fail together under load"
ADA = Actor("ada", Authority.USER)
# agents go by their person's name unless they are given one
AGENTS = [Actor("ada", Authority.AGENT), Actor("bot", Authority.AGENT)]
texts = st.integers(0, 3).map(lambda number: f"what was written as number {number} of the texts")
reaches = st.sampled_from(["project", "everywhere"])
patches = st.one_of(
    st.builds(lambda text: {"pitfalls": [text]}, texts),
    st.builds(lambda text: {"description": text}, texts),
    st.builds(lambda flag: {"standing": flag}, st.booleans()),
    st.builds(lambda reach: {"scope": {"reach": reach}}, reaches),
    st.just({"evidence": {"last_validated": "2031-01-01"}}),
    st.just({"labels": ["kind:lesson"]}),
)
operations = st.one_of(
    st.builds(
        lambda name, text, extra: {
            "op": "create",
            "memory": draft(id=name, description=text, **extra),
            "allow_duplicate": True,
        },
        names,
        texts,
        st.sampled_from([{}, {"standing": True}, {"relationships": {"supersedes": ["memory-a"]}}]),
    ),
    st.builds(lambda name, patch: {"op": "update", "id": name, "patch": patch}, names, patches),
    st.builds(
        lambda one, kind, other: {"op": "link", "from_id": one, "kind": kind, "to_id": other,
                                  "reason": REASON if kind in REASONED else None},
        names, st.sampled_from(KINDS), names,
    ),
    st.builds(
        lambda one, kind, other: {"op": "unlink", "from_id": one, "kind": kind, "to_id": other},
        names, st.sampled_from(KINDS), names,
    ),
    st.builds(
        lambda name, status: {"op": "status", "id": name, "status": status, "reason": REASON},
        names, st.sampled_from(["active", "stale", "wrong"]),
    ),
    st.builds(
        lambda op, name: {"op": op, "id": name},
        st.sampled_from(["archive", "unarchive", "pin", "unpin", "delete", "touch"]), names,
    ),
    st.builds(lambda one, new: {"op": "rename", "id": one, "new_id": new}, names, names),
    st.builds(lambda one, into: {"op": "merge", "id": one, "into": into}, names, names),
    st.builds(
        lambda one, version: {"op": "revert", "id": one, "version": version},
        names, st.integers(1, 3),
    ),
    st.builds(
        lambda old, new: {"op": "rename_label", "label": old, "new": new, "distinct": True},
        *[st.sampled_from(["kind:bug", "kind:lesson", "kind:flaw"])] * 2,
    ),
)  # fmt: skip


class Impostors(RuleBasedStateMachine):
    """Agents and a person on one store; `writes` and `agent_edits` are set from the beginning."""

    configuration: Mapping[str, str] = MappingProxyType({})

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.count = itertools.count()

    @initialize()
    def begin(self) -> None:
        self.ada = ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True)
        self.agents = [ProjectMemory(self.ada._storage, "demo", actor) for actor in AGENTS]
        for name, standing in (("memory-a", False), ("memory-b", True)):
            text = f"what ada knows of {name} by herself"
            self.ada.create(draft(id=name, description=text, standing=standing))
        for name in ("memory-c", "memory-d"):
            text = f"what an agent believes of {name} by itself"
            self.agents[1].create(draft(id=name, description=text))
        self.ada.configure(self.configuration)
        self.said = said_by_people(self.ada)

    def person(self, act: Callable[[], object]) -> None:
        with suppress(ProjectMemoryError):
            act()
        self.said |= said_by_people(self.ada)

    def agent(self, act: Callable[[], object]) -> None:
        """Let an agent act, and compare all that a person asserted before and after."""
        before = stored(self.ada)
        with suppress(ProjectMemoryError):
            act()
        settings = self.ada.project_info().settings
        check_nobody_was_impersonated(before, stored(self.ada), settings, self.said)

    @rule(acts=st.lists(operations, min_size=1, max_size=3))
    def a_person_changes_something(self, acts: list[Any]) -> None:
        self.person(lambda: self.ada.apply(acts))

    @rule()
    def a_person_takes_something_back(self) -> None:
        self.person(self.ada.undo)

    @rule(number=st.integers(1, 6), anyway=st.booleans())
    def a_person_applies_a_proposal(self, number: int, anyway: bool) -> None:
        self.person(lambda: self.ada.apply_proposal(number, anyway=anyway))

    @rule(number=st.integers(1, 6))
    def a_person_rejects_a_proposal(self, number: int) -> None:
        self.person(lambda: self.ada.reject(number))

    @rule(who=st.integers(0, 1), acts=st.lists(operations, min_size=1, max_size=3))
    def an_agent_changes_several_things_at_once(self, who: int, acts: list[Any]) -> None:
        self.agent(lambda: self.agents[who].apply(acts))

    @rule(who=st.integers(0, 1), acts=st.lists(operations, min_size=6, max_size=12))
    def an_agent_changes_one_thing_after_another(self, who: int, acts: list[Any]) -> None:
        for act in acts:
            self.agent(lambda act=act: self.agents[who].apply([act]))

    @rule(who=st.integers(0, 1), back=st.none() | st.integers(0, 8))
    def an_agent_takes_something_back(self, who: int, back: int | None) -> None:
        last = self.ada.history(limit=1).revisions[0].number
        revision = None if back is None else max(1, last - back)
        self.agent(lambda: self.agents[who].undo(revision=revision))

    @rule(who=st.integers(0, 1), number=st.integers(1, 6))
    def an_agent_decides(self, who: int, number: int) -> None:
        agent = self.agents[who]
        made = draft(id="memory-e", description="what a note has become in the end")
        for act in (
            lambda: agent.apply_proposal(number, anyway=True),
            lambda: agent.apply_proposal(number, draft=made),
            lambda: agent.skip(number),
            lambda: agent.reject(number),
        ):
            self.agent(act)

    @rule(who=st.integers(0, 1), name=names, patch=patches)
    def an_agent_calls_a_tool(self, who: int, name: str, patch: dict) -> None:
        for tool, arguments in (
            ("update_memory", {"id": name, "patch": patch}),
            ("record_memory_use", {"wrong_ids": [name]}),
            ("delete_memory", {"id": name, "confirm_exact_id": name}),
            ("undo", {}),
            ("create_memory", {"note": "a thought of an agent"}),
        ):
            source = OpenSource(self.agents[who])
            self.agent(lambda t=tool, a=arguments, s=source: called(s, BY_NAME[t], a))

    @rule(who=st.integers(0, 1), text=texts, reach=reaches, status=st.sampled_from(
        ["active", "wrong", "superseded"]), forged=st.booleans())  # fmt: skip
    def an_agent_imports_what_it_forged(
        self, who: int, text: str, reach: str, status: str, forged: bool
    ) -> None:
        path = Path(self.folder.name) / f"{next(self.count)}.json"
        self.ada.export_file(path)
        whole = json.loads(path.read_text())
        for row in whole["memories"]:
            row["document"]["pitfalls"] = [text]
            row["document"]["standing"] = forged
            row["document"]["scope"]["reach"] = reach
            row["document"]["status"] = status
            row["meta"]["asserted_by"] = "user"
        path.write_text(json.dumps(whole))
        self.agent(lambda: self.agents[who].import_path(path))

    @invariant()
    def the_store_is_valid(self) -> None:
        if hasattr(self, "ada"):
            assert [p for p in self.ada.validate().problems if p.severity == "error"] == []

    def teardown(self) -> None:
        self.folder.cleanup()
        if hasattr(self, "ada"):
            self.ada.close()


@pytest.mark.parametrize("configuration", [{}, {"agent_edits": "demote"}, {"writes": "review"}])
def test_no_sequence_of_calls_makes_an_agents_text_a_persons(
    configuration: dict[str, str],
) -> None:
    machine = type("Machine", (Impostors,), {"configuration": configuration})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=20,
            stateful_step_count=20,
            suppress_health_check=list(HealthCheck),
        ),
    )
