"""Undo of revisions in which ids went from one memory to another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from factories import draft
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from project_memory import documents
from project_memory.app import ProjectMemory
from project_memory.errors import Conflict, NotFound
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
REASON = "both fail when two writers meet"
NAMES = ("aaa", "bbb", "ccc")


def opened(url: str) -> ProjectMemory:
    memory = ProjectMemory.open(url, project="demo", actor=ADA, create=True)
    for name in NAMES:
        memory.create(draft(id=name, description=f"the lesson that is called {name} here"))
    memory.link("aaa", "related", "bbb", link_reason=REASON)
    memory.link("ccc", "depends_on", "aaa")
    return memory


@pytest.fixture(params=["inmemory://", "sqlite"])
def memory(request, tmp_path) -> Iterator[ProjectMemory]:
    place = request.param
    with opened(place if "://" in place else str(tmp_path / "store.db")) as found:
        yield found


def rename(old: str, new: str) -> dict[str, str]:
    return {"op": "rename", "id": old, "new_id": new}


def made(name: str) -> dict[str, object]:
    text = f"another lesson that took the name {name}"
    return {"op": "create", "memory": draft(id=name, description=text)}


def texts(memory: ProjectMemory) -> dict[str, str]:
    with memory._storage.read() as reader:
        found = list(reader.memories(memory._project.key))
    return {m.id: documents.to_text(m.document) for m in found}


SWAP = [rename("aaa", "tmp"), rename("bbb", "aaa"), rename("tmp", "bbb")]


@pytest.mark.parametrize(
    "operations",
    [
        SWAP,
        [rename("aaa", "tmp"), rename("bbb", "aaa"), rename("ccc", "bbb"), rename("tmp", "ccc")],
        [rename("aaa", "zzz"), rename("bbb", "aaa")],
        [{"op": "delete", "id": "aaa"}, rename("bbb", "aaa")],
        [{"op": "delete", "id": "aaa"}, rename("bbb", "aaa"), rename("ccc", "bbb")],
        [{"op": "delete", "id": "bbb"}, made("bbb")],
        [rename("bbb", "zzz"), made("bbb")],
        [rename("bbb", "abc"), made("bbb"), rename("ccc", "fresh-one"), made("ccc")],
    ],
)
def test_every_memory_has_its_own_id_again(memory: ProjectMemory, operations: list) -> None:
    before = texts(memory)
    memory.apply(operations)
    after = texts(memory)
    assert after != before
    memory.undo()
    assert texts(memory) == before
    assert memory.validate().problems == ()
    memory.undo(revision=memory.stats().store.revision)
    assert texts(memory) == after
    memory.undo(revision=memory.stats().store.revision)
    assert texts(memory) == before


def test_swapped_ids_leave_nothing_that_leads_elsewhere(memory: ProjectMemory) -> None:
    memory.apply(SWAP)
    memory.delete("aaa")
    with pytest.raises(NotFound):
        memory.get("aaa")
    assert memory.get("bbb").memory["description"] == "the lesson that is called aaa here"


def test_an_id_that_was_left_leads_on_after_an_undo_of_it(memory: ProjectMemory) -> None:
    memory.rename("aaa", "zzz")
    memory.undo()
    assert memory.get("zzz").memory["id"] == "aaa"
    memory.rename("aaa", "yyy")
    assert memory.get("aaa").memory["id"] == "yyy"


def test_an_id_that_another_took_since_is_not_taken_back(memory: ProjectMemory) -> None:
    memory.delete("aaa")
    deleted = memory.stats().store.revision
    memory.create(made("aaa")["memory"])
    with pytest.raises(Conflict) as caught:
        memory.undo(revision=deleted)
    assert "there is a memory of that id again" in str(caught.value)


steps = st.lists(
    st.one_of(
        st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from([*NAMES, "ddd"])),
        st.tuples(st.just("delete"), st.sampled_from([*NAMES, "ddd"])),
        st.tuples(st.just("create"), st.sampled_from([*NAMES, "ddd"])),
    ),
    min_size=1,
    max_size=7,
)


@given(steps=steps)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_batch_of_renames_deletes_and_creates_undoes_to_the_byte(steps: list) -> None:
    held = set(NAMES)
    operations = []
    for number, (verb, name, *rest) in enumerate(steps):
        if verb == "rename" and name in held and rest[0] not in held:
            operations.append(rename(name, rest[0]))
            held ^= {name, rest[0]}
        elif verb == "delete" and name in held:
            operations.append({"op": "delete", "id": name})
            held.remove(name)
        elif verb == "create" and name not in held:
            text = f"a lesson made in step {number} of this"
            operations.append({"op": "create", "memory": draft(id=name, description=text)})
            held.add(name)
    with opened("inmemory://") as memory:
        before = texts(memory)
        memory.apply(operations)
        assert texts(memory).keys() == held
        assert memory.validate().problems == ()
        if texts(memory) != before:
            memory.undo()
        assert texts(memory) == before
        assert memory.validate().problems == ()
