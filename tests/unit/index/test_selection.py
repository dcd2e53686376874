"""Selection by bitmaps against a scan that looks at every memory."""

from __future__ import annotations

import re
from datetime import date, timedelta
from fnmatch import fnmatchcase

import pytest
from factories import memory as made
from hypothesis import given, settings
from hypothesis import strategies as st

from project_memory.errors import UnknownLabel
from project_memory.expression import And, Everything, FieldTerm, LabelTerm, Node, Not, Or, parse
from project_memory.index import globs
from project_memory.index.selection import Selection
from project_memory.model import Authority, Label, Memory, Registry, Status

TODAY = date(2026, 3, 1)
REGISTRY = Registry(
    {
        name: Label(name, broader=broader, aliases=aliases)
        for name, broader, aliases in [
            ("area:auth", None, ("area:login",)),
            ("area:auth-token", "area:auth", ()),
            ("area:db", None, ()),
            ("kind:bug", None, ()),
        ]
    }
)
NAMES = sorted(REGISTRY.labels)


def selection(memories: list[Memory]) -> Selection:
    built = Selection()
    for each in memories:
        built.add(each.key, each)
    return built


def found(built: Selection, memories: list[Memory], node: Node) -> set[int]:
    by_key = {each.key: each.document for each in memories}
    texts = lambda keys: ((key, by_key[key]) for key in keys)  # noqa: E731
    return set(built.evaluate(node, registry=REGISTRY, today=TODAY, texts=texts))


def scanned(memories: list[Memory], node: Node) -> set[int]:
    """Return the same by looking at each memory in turn."""
    text = str(node)
    wide = "is:any" in text or "is:archived" in text
    universe = [m for m in memories if wide or not m.archived]
    return {m.key for m in universe if holds(m, node, memories)}


def holds(memory: Memory, node: Node, memories: list[Memory]) -> bool:
    match node:
        case Everything():
            return True
        case And(items=items):
            return all(holds(memory, item, memories) for item in items)
        case Or(items=items):
            return any(holds(memory, item, memories) for item in items)
        case Not(item=item):
            return not holds(memory, item, memories)
        case LabelTerm():
            return carries(memory, node)
    return has_field(memory, node, memories)


def carries(memory: Memory, term: LabelTerm) -> bool:
    labels = memory.document["labels"]
    if "*" in term.label:
        return any(fnmatchcase(label, term.label) for label in labels)
    name = "area:auth" if term.label == "area:login" else term.label
    below = {"area:auth": {"area:auth", "area:auth-token"}}.get(name, {name})
    return bool(({name} if term.exact else below) & set(labels))


def has_field(memory: Memory, term: FieldTerm, memories: list[Memory]) -> bool:
    document, value = memory.document, term.value
    match term.field:
        case "status":
            return document["status"] == value
        case "tag":
            return value in document["tags"]
        case "author":
            return memory.author == value
        case "asserted":
            return memory.asserted_by == value
        case "linked":
            return any(item["id"] == value for item in document["relationships"]["related"])
        case "updated":
            age = TODAY - date.fromisoformat(memory.updated_at[:10])
            return age < timedelta(int(value[1:-1]))
        case "text":
            return value.lower() in document["description"].lower()
    return flagged(memory, value, memories)


def flagged(memory: Memory, flag: str, memories: list[Memory]) -> bool:
    match flag:
        case "any":
            return True
        case "archived":
            return memory.archived
        case "pinned":
            return memory.pinned
        case "standing":
            return bool(memory.document.get("standing"))
    others = [m for m in memories if m.key != memory.key]
    shared = any(
        label in m.document["labels"] for m in others for label in memory.document["labels"]
    )
    return not memory.document["relationships"]["related"] and not shared


@st.composite
def memories(draw: st.DrawFn) -> list[Memory]:
    return [
        made(
            key=key,
            id=f"memory-{key}",
            labels=draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True)),
            tags=draw(st.lists(st.sampled_from(["python", "b c"]), unique=True)),
            status=draw(st.sampled_from(list(Status))).value,
            standing=draw(st.booleans()),
            description=draw(
                st.sampled_from(["the LOCK is held too long", "a retry storm begins"])
            ),
            relationships={"related": draw(st.sampled_from([[], [{"id": "memory-0"}]]))},
            author=draw(st.sampled_from(["ada", "bob"])),
            asserted_by=draw(st.sampled_from(list(Authority))),
            pinned=draw(st.booleans()),
            updated_at=draw(st.sampled_from(["2026-02-27T00:00:00Z", "2025-01-01T00:00:00Z"])),
            archived_at=draw(st.sampled_from([None, None, "2026-01-01T00:00:00Z"])),
        )
        for key in range(draw(st.integers(0, 7)))
    ]


terms = st.sampled_from(
    [
        *map(LabelTerm, ["area:auth", "area:login", "area:db", "kind:*", "area:auth*"]),
        LabelTerm("area:auth", exact=True),
        *(FieldTerm("status", status.value) for status in Status),
        FieldTerm("tag", "b c"),
        FieldTerm("author", "ada"),
        FieldTerm("asserted", "agent"),
        FieldTerm("linked", "memory-0"),
        FieldTerm("updated", "<30d"),
        FieldTerm("text", "lock"),
        *(FieldTerm("is", f) for f in ("any", "archived", "pinned", "standing", "orphan")),
    ]
)
trees = st.recursive(
    terms,
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: And(tuple(items))),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: Or(tuple(items))),
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(memories(), trees)
def test_a_selection_equals_a_scan(stored: list[Memory], node: Node) -> None:
    assert found(selection(stored), stored, node) == scanned(stored, node)


@settings(max_examples=60, deadline=None)
@given(memories(), st.sets(st.integers(0, 6)), trees)
def test_removing_leaves_what_was_never_added(
    stored: list[Memory], gone: set[int], node: Node
) -> None:
    built = selection(stored)
    for key in gone & {each.key for each in stored}:
        built.remove(key)
    left = [each for each in stored if each.key not in gone]
    assert found(built, left, node) == scanned(left, node)


def test_an_unregistered_label_is_an_error() -> None:
    with pytest.raises(UnknownLabel) as caught:
        found(selection([]), [], parse("area:auht"))
    assert str(caught.value) == (
        "label 'area:auht' is not registered; did you mean 'area:auth' or 'area:auth-token'? "
        "add it with `project-memory labels add area:auht`"
    )


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        ("2026-01-31", "2026-01-31", "2026-01-31"),
        ("2026-02", "2026-02-01", "2026-02-28"),
        ("2026", "2026-01-01", "2026-12-31"),
        (">=2026-02", "2026-02-01", "9999-12-31"),
        (">2026-02", "2026-03-01", "9999-12-31"),
        ("<2026-02", "0001-01-01", "2026-01-31"),
        ("<=2026-02", "0001-01-01", "2026-02-28"),
        ("2026-01..2026-03", "2026-01-01", "2026-03-31"),
        ("..2026-03", "0001-01-01", "2026-03-31"),
        ("<30d", "2026-01-31", "9999-12-31"),
        (">2w", "0001-01-01", "2026-02-14"),
    ],
)
def test_a_date_value_means_a_period(value: str, first: str, last: str) -> None:
    from project_memory.expression.values import period

    assert period(value, TODAY) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    ("one", "other", "matches"),
    [
        ("src/a.py", "src/a.py", True),
        ("./src/a.py", "src/a.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/a.py", "src/*.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/*.py", "src/deep/er/a.py", True),
        ("src/**/*.py", "src/a.py", True),
        ("src/**", "src/deep/a.py", True),
        ("**/a.py", "a.py", True),
        ("src/?.py", "src/a.py", True),
        ("src/[ab].py", "src/b.py", True),
        ("src/[!ab].py", "src/b.py", False),
        ("SRC/a.py", "src/a.py", False),
        ("a.py", "axpy", False),
    ],
)
def test_paths_and_globs_match_each_other(one: str, other: str, matches: bool) -> None:
    assert globs.match_each_other(one, other) is matches
    assert not re.search("\\\\n", one)
