"""Selection by bitmaps against a scan that looks at every memory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from fnmatch import fnmatchcase

import pytest
from factories import memory as made
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from project_memory.errors import UnknownLabel
from project_memory.expression import And, Everything, FieldTerm, LabelTerm, Node, Not, Or, parse
from project_memory.expression.values import CHOICES
from project_memory.index import Index
from project_memory.index.selection import Selection
from project_memory.model import Authority, Document, Label, Memory, MemoryChange, Registry, Status

TODAY = date(2026, 3, 1)
REGISTRY = Registry(
    {
        name: Label(name, broader=broader, aliases=aliases)
        for name, broader, aliases in [
            ("area:auth", None, ("area:login",)),
            ("area:auth-token", "area:auth", ()),
            ("area:db", None, ()),
            ("signal:token", "area:auth-token", ()),
            ("kind:bug", None, ()),
        ]
    }
)
NAMES = sorted(REGISTRY.labels)


def selection(memories: list[Memory]) -> Selection:
    built = Selection()
    for each in memories:
        built.put(each.key, each)
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


NAMED = {name: {name} for name in NAMES} | {"area:login": {"area:auth"}}
BELOW = {
    "area:auth": {"area:auth", "area:auth-token", "signal:token"},
    "area:auth-token": {"area:auth-token", "signal:token"},
}


def carries(memory: Memory, term: LabelTerm) -> bool:
    meant = [name for written, names in NAMED.items() if fnmatchcase(written, term.label)
             for name in names]  # fmt: skip
    wanted = set(meant) if term.exact else {n for name in meant for n in BELOW.get(name, {name})}
    return bool(wanted & set(memory.document["labels"]))


def has_field(memory: Memory, term: FieldTerm, memories: list[Memory]) -> bool:
    document, value = memory.document, term.value
    scope, evidence = document["scope"], document["evidence"]
    match term.field:
        case "status":
            return document["status"] == value
        case "tag":
            return any(fnmatchcase(tag, value) for tag in document["tags"])
        case "id":
            return fnmatchcase(document["id"], value)
        case "author":
            return memory.author == value
        case "asserted":
            return memory.asserted_by == value
        case "reach":
            return scope["reach"] == value
        case "confidence":
            return evidence.get("confidence") == value
        case "linked":
            return any(item["id"] == value for item in document["relationships"]["related"])
        case "file":
            return any(path in PATHS_MEANT[value] for path in scope["files"])
        case "created":
            return in_period(memory.created_at, value)
        case "updated":
            return in_period(memory.updated_at, value)
        case "validated":
            return in_period(evidence["last_validated"], value)
        case "text":
            return value.lower() in document["description"].lower()
    return flagged(memory, value, memories)


def in_period(moment: str, value: str) -> bool:
    day = date.fromisoformat(moment[:10])
    if value == "<30d":
        return TODAY - day < timedelta(30)
    first, last = PERIODS[value]
    return date.fromisoformat(first) <= day <= date.fromisoformat(last)


PERIODS = {
    "2026-02": ("2026-02-01", "2026-02-28"),
    "2026-02-27": ("2026-02-27", "2026-02-27"),
    "2025-12-31..2026-02": ("2025-12-31", "2026-02-28"),
    ">=2025-01-01": ("2025-01-01", "9999-12-31"),
    "<2026": ("0001-01-01", "2025-12-31"),
}
DAYS = ["2024-12-31", "2025-01-01", "2025-12-31", "2026-01-15", "2026-01-30", "2026-02-27"]
PATHS_MEANT = {
    "src/a.py": ["src/a.py", "src/*.py", "**/a.py"],
    "src/*.py": ["src/a.py", "src/*.py", "src/[id].py"],
    "**/a.py": ["src/a.py", "**/a.py", "src/deep/a.py", "SRC/a.py"],
    "src/[id].py": ["src/[id].py", "src/*.py"],
    "./docs/": ["docs"],
}
PATHS = ["src/a.py", "src/deep/a.py", "src/*.py", "**/a.py", "src/[id].py", "docs", "SRC/a.py"]


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
        case "expired":
            facts = memory.document["remembered_facts"]
            return any(f["expires"] < TODAY.isoformat() for f in facts if isinstance(f, dict))
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
            created_at=draw(st.sampled_from(DAYS)) + "T09:30:00Z",
            updated_at=draw(st.sampled_from(DAYS)) + "T23:59:59Z",
            scope={
                "project": "demo",
                "files": draw(st.lists(st.sampled_from(PATHS), max_size=2, unique=True)),
                "applies_to": [],
                "reach": draw(st.sampled_from(["project", "everywhere"])),
            },
            evidence={
                "created_from_task": "a test",
                "last_validated": draw(st.sampled_from(DAYS)),
                **draw(st.sampled_from([{}, {"confidence": "low"}, {"confidence": "high"}])),
            },
            remembered_facts=draw(
                st.sampled_from(
                    [
                        ["a fact"],
                        ["a fact", {"fact": "another", "expires": "2026-02-28"}],
                        [{"fact": "another", "expires": "2026-03-01"}],
                    ]
                )
            ),
            archived_at=draw(st.sampled_from([None, None, "2026-01-01T00:00:00Z"])),
        )
        for key in range(draw(st.integers(0, 7)))
    ]


terms = st.sampled_from(
    [
        *map(LabelTerm, ["area:auth", "area:login", "area:db", "kind:*", "area:auth*"]),
        *map(LabelTerm, ["area:log*", "*:token", "area:*-*", "kind:z*"]),
        LabelTerm("area:auth", exact=True),
        LabelTerm("area:login", exact=True),
        *(FieldTerm("status", status.value) for status in Status),
        *(FieldTerm("tag", tag) for tag in ("b c", "py*", "absent")),
        *(FieldTerm("id", name) for name in ("memory-1", "memory-*", "absent")),
        *(FieldTerm("author", name) for name in ("ada", "Ada")),
        FieldTerm("asserted", "agent"),
        FieldTerm("reach", "everywhere"),
        FieldTerm("confidence", "low"),
        FieldTerm("linked", "memory-0"),
        *(FieldTerm("file", path) for path in PATHS_MEANT),
        *(
            FieldTerm(field, value)
            for field in ("created", "updated", "validated")
            for value in ("<30d", *PERIODS)
        ),
        FieldTerm("text", "lock"),
        *(FieldTerm("is", flag) for flag in CHOICES["is"]),
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


@settings(max_examples=100, deadline=None)
@given(memories(), memories(), trees)
def test_a_copy_changes_apart_from_what_it_was_copied_from(
    stored: list[Memory], changed: list[Memory], node: Node
) -> None:
    old = selection(stored)
    new = old.copy().copy()
    for each in changed:
        new.remove(each.key)
        new.put(each.key, each)
    after = list(({m.key: m for m in stored} | {m.key: m for m in changed}).values())
    assert found(old, stored, node) == scanned(stored, node)
    assert found(new, after, node) == scanned(after, node)


@settings(max_examples=60, deadline=None)
@given(memories(), memories(), st.sets(st.integers(0, 6)), trees)
def test_an_updated_index_selects_like_one_built_afresh(
    stored: list[Memory], changed: list[Memory], gone: set[int], node: Node
) -> None:
    before = {m.key: m for m in stored}
    changes = [MemoryChange(before.get(m.key), m) for m in changed]
    after = before | {m.key: m for m in changed}
    changes += [MemoryChange(after[key], None) for key in sorted(gone & after.keys())]
    left = {key: m for key, m in after.items() if key not in gone}
    documents = {m.id: m.document for m in left.values()}
    newer = Index.build(stored, REGISTRY, 1).updated(changes, REGISTRY, 2)
    texts = lambda ids: ((name, documents[name]) for name in ids)  # noqa: E731
    assert set(newer.select(node, today=TODAY, texts=texts)) == scanned([*left.values()], node)


def test_a_long_line_of_copies_stays_right() -> None:
    stored = [made(key=n, id=f"memory-{n}", tags=[f"tag{n}"]) for n in range(600)]
    built = selection(stored)
    for n in range(600):
        built = built.copy()
        built.remove(n)
        if n % 3:
            built.put(n, made(key=n, id=f"memory-{n}", tags=["other"]))
    assert found(built, stored, parse("tag:tag*")) == set()
    assert found(built, stored, parse("tag:other")) == {n for n in range(600) if n % 3}
    assert found(built, stored, parse("id:memory-3 OR id:memory-4")) == {4}


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


def test_a_misspelt_field_is_named_beside_near_labels() -> None:
    with pytest.raises(UnknownLabel) as caught:
        found(selection([]), [], parse("stauts:stale"))
    assert caught.value.near == ("status:stale",)


def test_an_unregistered_label_is_told_whatever_the_rest_leaves() -> None:
    with pytest.raises(UnknownLabel):
        found(selection([]), [], parse("tag:absent area:auht"))


def looked_at(stored: list[Memory], source: str) -> list[set[int]]:
    """Return which memories had their text read, time after time."""
    asked: list[set[int]] = []

    def texts(keys: BitMap) -> Iterator[tuple[int, Document]]:
        asked.append(set(keys))
        return ((m.key, m.document) for m in stored if m.key in keys)

    selection(stored).evaluate(parse(source), registry=REGISTRY, today=TODAY, texts=texts)
    return asked


@pytest.mark.parametrize(
    ("source", "asked"),
    [
        ("tag:a", []),
        ("text:locked", [{0, 1, 2, 3}]),
        ("text:locked tag:a", [{0, 1}]),
        ("NOT text:absent tag:a", [{0, 1}]),
        ("(text:absent OR text:locked) tag:a", [{0, 1}, {0, 1}]),
        ("text:locked OR tag:a", [{2, 3}]),
        ("tag:absent text:locked", []),
    ],
)
def test_text_is_read_only_where_the_rest_leaves_it_open(
    source: str, asked: list[set[int]]
) -> None:
    stored = [made(key=n, id=f"memory-{n}", tags=["a"] if n < 2 else []) for n in range(4)]
    assert looked_at(stored, source) == asked


def test_labels_are_counted_in_unarchived_memories() -> None:
    stored = [
        made(key=1, labels=["area:db", "kind:bug"]),
        made(key=2, labels=["kind:bug"]),
        made(key=3, labels=["area:auth", "kind:bug"], archived_at="2026-01-01T00:00:00Z"),
    ]
    assert selection(stored).label_counts() == {"area:auth": 0, "area:db": 1, "kind:bug": 2}


def test_what_is_returned_may_be_changed() -> None:
    built = selection(
        [made(key=1, standing=True), made(key=2, archived_at="2026-01-01T00:00:00Z")]
    )
    for given_out in (
        built.archived,
        built.unarchived,
        built.standing(),
        built.with_status([Status.ACTIVE]),
        built.evaluate(parse("is:any"), registry=REGISTRY, today=TODAY, texts=lambda _: ()),
        built.evaluate(parse(""), registry=REGISTRY, today=TODAY, texts=lambda _: ()),
        built.evaluate(
            parse("is:any kind:bug"), registry=REGISTRY, today=TODAY, texts=lambda _: ()
        ),
    ):
        given_out.clear()
    assert (set(built.archived), set(built.unarchived), set(built.standing())) == ({2}, {1}, {1})
    assert found(built, [], parse("is:any kind:bug")) == {1, 2}
