"""Rules between linked memories: each broken one is found, on the side that breaks it, once."""

from __future__ import annotations

from typing import Any

import networkx
import pytest
from factories import memory
from hypothesis import given
from hypothesis import strategies as st

from project_memory import relations
from project_memory.documents import Link
from project_memory.model import Memory, Status

REASON = "both fail when two writers meet"


def held(*memories: Memory) -> dict[str, Memory]:
    return {each.id: each for each in memories}


def one(name: str, status: str = "active", **fields: Any) -> Memory:
    """Return a memory; what names a kind of link goes into its relationships."""
    links = {kind: fields.pop(kind) for kind in tuple(fields) if kind in relations.KINDS}
    own = Status.ACTIVE if status == "superseded" else Status(status)
    beside = {"own_status": own, **fields}
    return memory(id=name, status=status, relationships=links, **beside)


def related(*targets: str) -> list[dict[str, str]]:
    return [{"id": target, "reason": REASON} for target in targets]


def plain(*targets: str) -> list[dict[str, str]]:
    return [{"id": target} for target in targets]


def said(memories: dict[str, Memory], unreadable: frozenset[str] = frozenset()) -> list[str]:
    return [
        f"{p.memory} {p.path}: {p.message}; {p.fix} [{p.code}]"
        for p in relations.problems(memories, unreadable)
    ]


def test_every_kind_has_an_inverse_that_leads_back() -> None:
    for name, kind in relations.KINDS.items():
        assert kind.name == name
        assert relations.KINDS[kind.inverse].inverse == name
        assert relations.KINDS[kind.inverse].weight == kind.weight


def test_a_mirror_mirrors_back() -> None:
    link = Link("depends_on", "there", "it calls it")
    assert relations.mirror("here", link) == Link("required_by", "here", "it calls it")
    assert relations.mirror("there", relations.mirror("here", link)) == link


def test_links_that_hold_both_ways_are_no_problem() -> None:
    assert said(
        held(
            one("a-one", related=related("b-two"), depends_on=plain("c-three")),
            one("b-two", related=related("a-one"), supersedes=["c-three"]),
            one(
                "c-three", "superseded", required_by=plain("a-one"), superseded_by=["b-two"]
            ),
        )
    ) == []  # fmt: skip


@pytest.mark.parametrize(
    ("memories", "problem"),
    [
        (
            [one("a-one", related=related("a-one"))],
            "a-one $.relationships.related[0]: 'a-one' related 'a-one': a memory cannot link to "
            "itself; remove the link [self-link]",
        ),
        (
            [one("a-one", depends_on=plain("gone"))],
            "a-one $.relationships.depends_on[0]: 'a-one' depends_on 'gone', but there is no "
            "memory 'gone'; create the target first, or remove the link [dangling-link]",
        ),
        (
            [
                one("a-one", related=related("b-two", "b-two")),
                one("b-two", related=related("a-one")),
            ],
            "a-one $.relationships.related[1]: 'a-one' related 'b-two' is given twice; keep one "
            "of the two [duplicate-link]",
        ),
        (
            [one("a-one", causes=plain("b-two")), one("b-two")],
            "a-one $.relationships.causes[0]: 'a-one' causes 'b-two', but 'b-two' has no "
            "caused_by back; add caused_by 'a-one' to 'b-two' [missing-mirror]",
        ),
        (
            [one("a-one", "superseded")],
            "a-one $.status: 'a-one' is superseded, but no live memory supersedes it; link its "
            "successor with supersedes, or set another status [superseded-without-successor]",
        ),
        (
            [
                one("a-one", superseded_by=["b-two"]),
                one("b-two", supersedes=["a-one"]),
            ],
            "a-one $.status: 'a-one' is active, but 'b-two' supersedes it; set the status to "
            "superseded [superseded-not-shown]",
        ),
        (
            [
                one("a-one", "superseded", superseded_by=["b-two"]),
                one("b-two", "wrong", supersedes=["a-one"]),
            ],
            "a-one $.status: 'a-one' is superseded, but no live memory supersedes it; link its "
            "successor with supersedes, or set another status [superseded-without-successor]",
        ),
        (
            [
                one("a-one", "superseded", superseded_by=["b-two"]),
                one("b-two", supersedes=["a-one"], archived_at="2026-01-31T09:30:00Z"),
            ],
            "a-one $.status: 'a-one' is superseded, but no live memory supersedes it; link its "
            "successor with supersedes, or set another status [superseded-without-successor]",
        ),
    ],
)
def test_a_broken_rule_is_said_once(memories: list[Memory], problem: str) -> None:
    assert said(held(*memories)) == [problem]


def test_links_to_documents_that_cannot_be_read_are_neither_right_nor_wrong() -> None:
    memories = held(
        one("a-one", "superseded", superseded_by=["broken"], related=related("broken", "gone"))
    )
    assert said(memories, frozenset({"broken"})) == [
        "a-one $.relationships.related[1]: 'a-one' related 'gone', but there is no memory 'gone'; "
        "create the target first, or remove the link [dangling-link]"
    ]


@pytest.mark.parametrize("kind", ["depends_on", "generalizes"])
def test_each_cycle_is_said_once(kind: str) -> None:
    back = relations.KINDS[kind].inverse
    memories = held(
        one("c-three", **{kind: plain("a-one"), back: plain("b-two")}),
        one("a-one", **{kind: plain("b-two"), back: plain("c-three")}),
        one("b-two", **{kind: plain("c-three"), back: plain("a-one")}),
        one("x-ten", **{kind: plain("y-ten"), back: plain("y-ten")}),
        one("y-ten", **{kind: plain("x-ten"), back: plain("x-ten")}),
    )
    assert said(memories) == [
        f"a-one $.relationships.{kind}: {kind} must not form a cycle: a-one -> b-two -> c-three "
        f"-> a-one; remove {kind} between 'c-three' and 'a-one' [cycle]",
        f"x-ten $.relationships.{kind}: {kind} must not form a cycle: x-ten -> y-ten -> x-ten; "
        f"remove {kind} between 'y-ten' and 'x-ten' [cycle]",
    ]


def test_causes_and_relations_may_lead_back() -> None:
    memories = held(
        one("a-one", causes=plain("b-two"), caused_by=plain("b-two")),
        one("b-two", causes=plain("a-one"), caused_by=plain("a-one")),
    )
    assert said(memories) == []


EDGES = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda edge: edge[0] != edge[1]),
    unique=True,
    max_size=14,
)


def graph(edges: list[tuple[int, int]]) -> tuple[dict[str, Memory], networkx.DiGraph]:
    """Return the same links as memories that depend on each other, and as a graph."""
    drawn = networkx.DiGraph()
    drawn.add_nodes_from(f"m-{n}" for n in range(7))
    drawn.add_edges_from((f"m-{a}", f"m-{b}") for a, b in edges)
    memories = [
        one(
            name,
            depends_on=plain(*sorted(drawn.successors(name))),
            required_by=plain(*sorted(drawn.predecessors(name))),
        )
        for name in drawn
    ]
    return held(*memories), drawn


@given(EDGES)
def test_cycles_are_found_where_a_graph_has_them(edges: list[tuple[int, int]]) -> None:
    memories, drawn = graph(edges)
    found = list(relations.problems(memories))
    assert {p.code for p in found} <= {"cycle"}
    assert bool(found) != networkx.is_directed_acyclic_graph(drawn)
    for problem in found:
        steps = problem.message.partition(": ")[2].split(" -> ")
        assert networkx.is_path(drawn, steps)
        assert (steps[0], problem.memory) == (steps[-1], min(steps))


@given(EDGES)
def test_a_path_is_a_shortest_one(edges: list[tuple[int, int]]) -> None:
    memories, drawn = graph(edges)
    for start in drawn:
        for goal in drawn:
            found = relations.path("depends_on", start, goal, memories.get)
            if not networkx.has_path(drawn, start, goal):
                assert found is None
                continue
            assert found is not None
            assert networkx.is_path(drawn, found)
            assert (found[0], found[-1]) == (start, goal)
            assert len(found) == 1 + networkx.shortest_path_length(drawn, start, goal)


def test_current_successors_are_the_live_ends_of_every_chain() -> None:
    memories = held(
        one("a-one", superseded_by=["b-two", "c-three"]),
        one("b-two", "stale", superseded_by=["d-four"]),
        one("c-three", superseded_by=["e-five"]),
        one("d-four"),
        one("e-five", "wrong"),
    )
    assert relations.current_successors(memories["a-one"], memories.get) == ["c-three", "d-four"]
    assert relations.current_successors(memories["c-three"], memories.get) == []
    assert relations.live_successors(memories["a-one"], memories.get) == ["b-two", "c-three"]


def test_current_successors_end_in_a_cycle_and_at_what_is_gone() -> None:
    memories = held(
        one("a-one", superseded_by=["b-two", "gone"]), one("b-two", superseded_by=["a-one"])
    )
    assert relations.current_successors(memories["a-one"], memories.get) == []


@pytest.mark.parametrize(
    ("successor", "status"),
    [
        (one("b-two"), "superseded"),
        (one("b-two", "stale"), "superseded"),
        (one("b-two", "superseded"), "superseded"),
        (one("b-two", "wrong"), "stale"),
        (one("b-two", archived_at="2026-01-31T09:30:00Z"), "stale"),
    ],
)
def test_a_memory_is_shown_as_superseded_while_something_live_supersedes_it(
    successor: Memory, status: str
) -> None:
    old = one("a-one", "stale", superseded_by=["b-two"])
    assert relations.shown_status(old, held(old, successor).get) == status


@pytest.mark.parametrize(
    ("kind", "direction"),
    [
        ("supersedes", ("supersedes", "here", "there")),
        ("superseded_by", ("supersedes", "there", "here")),
        ("required_by", ("depends_on", "there", "here")),
        ("specializes", ("generalizes", "there", "here")),
        ("related", None),
        ("causes", None),
    ],
)
def test_a_link_is_read_in_the_direction_that_may_not_cycle(
    kind: str, direction: tuple[str, str, str] | None
) -> None:
    assert relations.acyclic_direction("here", Link(kind, "there")) == direction
