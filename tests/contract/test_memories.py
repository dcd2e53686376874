"""Memories by id, by text, and their ids' uniqueness."""

from __future__ import annotations

import json

import pytest
from factories import document, memory
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from project_memory.errors import InvalidInput, MemoryExists
from project_memory.model import Authority, Memory, Status

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def put(storage, project, *memories, digest="d"):
    with storage.write() as writer:
        for one in memories:
            writer.put_memory(project.key, one, digest)


def test_a_memory_comes_back_with_everything_beside_its_document(storage, project):
    stored = Memory(
        key=9,
        document=document(id="whole-one", status="superseded", tags=["é", "数据库"]),
        own_status=Status.STALE,
        version=7,
        links_version=4,
        created_at="2025-01-02T03:04:05Z",
        updated_at="2026-02-03T04:05:06Z",
        author="ada",
        asserted_by=Authority.IMPORT,
        archived_at="2026-03-04T05:06:07Z",
        pinned=True,
        tier=3,
        tier_since="2026-02-04T05:06:07Z",
        declared={"related": {"other-one": "bob"}},
    )
    put(storage, project, stored)
    with storage.read() as reader:
        found = reader.memory(project.key, "whole-one")
    assert found == stored
    assert isinstance(found.own_status, Status)
    assert isinstance(found.asserted_by, Authority)
    assert found.pinned is True


@given(extra=st.dictionaries(TEXT, JSON, max_size=5))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_document_comes_back_byte_for_byte(storage, project, extra):
    stored = {**extra, **document(id="same-bytes")}
    put(storage, project, memory(1, id="same-bytes"))
    with storage.write() as writer:
        old = writer.memory(project.key, "same-bytes")
        writer.put_memory(project.key, Memory(**{**_fields(old), "document": stored}), "d")
    with storage.read() as reader:
        found = reader.memory(project.key, "same-bytes")
    assert json.dumps(found.document) == json.dumps(stored)


def test_what_a_caller_does_to_a_document_does_not_reach_the_store(storage, project):
    mine = document(id="my-memory", tags=["before"])
    put(storage, project, memory(1, **mine))
    mine["tags"].append("after")
    with storage.read() as reader:
        found = reader.memory(project.key, "my-memory")
        found.document["tags"].append("after")
        assert reader.memory(project.key, "my-memory").document["tags"] == ["before"]


def test_an_absent_memory_is_none(storage, project):
    with storage.read() as reader:
        assert reader.memory(project.key, "no-such-memory") is None


@pytest.mark.parametrize("odd", ["", "\0", "\ud800", "A" * 10_000, "' OR 1=1 --", "a/1", "%"])
def test_an_odd_id_is_just_absent(storage, project, odd):
    put(storage, project, memory(1, id="some-memory"))
    with storage.read() as reader:
        assert reader.memory(project.key, odd) is None
        assert list(reader.memories(project.key, [odd])) == []
        assert reader.same_text(project.key, odd) == []
        assert reader.redirect(project.key, odd) is None
        assert reader.last_version(project.key, odd) == 0
        assert list(reader.revisions(project.key, memory_id=odd)) == []
        assert reader.project(odd) is None


def test_an_id_is_matched_exactly(storage, project):
    put(storage, project, memory(1, id="case-matters"))
    with storage.read() as reader:
        assert reader.memory(project.key, "Case-Matters") is None


def test_a_lone_surrogate_is_refused_and_nothing_is_stored(storage, project):
    with pytest.raises(InvalidInput) as error:
        put(storage, project, memory(1, id="first-one"), memory(2, id="bad-one", tags=["\udc9f"]))
    assert str(error.value) == (
        "text holds the lone surrogate '\\udc9f', which cannot be stored; send valid Unicode"
    )
    with storage.read() as reader:
        assert list(reader.memories(project.key)) == []


def test_a_nul_character_is_stored_like_any_other(storage, project):
    put(storage, project, memory(1, id="with-nul", tags=["a\0b"]))
    with storage.read() as reader:
        assert reader.memory(project.key, "with-nul").document["tags"] == ["a\0b"]


def test_all_memories_come_by_id_whatever_their_number(storage, project):
    put(storage, project, *(memory(key, id=f"memory-{1000 - key}") for key in range(1, 701)))
    with storage.read() as reader:
        found = [one.id for one in reader.memories(project.key)]
    assert found == [f"memory-{number}" for number in range(300, 1000)]


def test_named_memories_come_by_id_each_once(storage, project):
    put(storage, project, *(memory(n, id=name) for n, name in enumerate(["bbb", "aaa", "ccc"], 1)))
    with storage.read() as reader:
        found = reader.memories(project.key, iter(["ccc", "zzz", "aaa", "ccc"]))
        assert [one.id for one in found] == ["aaa", "ccc"]
        assert list(reader.memories(project.key, [])) == []


def test_archived_memories_are_found_by_id_and_in_listings(storage, project):
    put(storage, project, memory(1, id="old-one", archived_at="2026-01-31T09:30:00Z"))
    with storage.read() as reader:
        assert reader.memory(project.key, "old-one").archived
        assert [one.id for one in reader.memories(project.key)] == ["old-one"]


def test_same_text_names_unarchived_memories_of_the_digest_sorted(storage, project):
    put(storage, project, memory(1, id="twin-b"), memory(2, id="twin-a"), digest="same")
    put(storage, project, memory(3, id="other-one"), digest="other")
    put(storage, project, memory(4, id="gone", archived_at="2026-01-31T09:30:00Z"), digest="same")
    with storage.read() as reader:
        assert reader.same_text(project.key, "same") == ["twin-a", "twin-b"]


def test_same_text_follows_an_edit_and_an_archiving(storage, project):
    put(storage, project, memory(1, id="edited"), memory(2, id="archived"), digest="old")
    put(storage, project, memory(1, id="edited"), digest="new")
    put(
        storage,
        project,
        memory(2, id="archived", archived_at="2026-01-31T09:30:00Z"),
        digest="old",
    )
    with storage.read() as reader:
        assert reader.same_text(project.key, "old") == []
        assert reader.same_text(project.key, "new") == ["edited"]


def test_putting_a_memory_of_the_same_key_replaces_it(storage, project):
    put(storage, project, memory(1, id="before-rename"))
    put(storage, project, memory(1, id="after-rename", version=2))
    with storage.read() as reader:
        assert reader.memory(project.key, "before-rename") is None
        assert reader.memory(project.key, "after-rename").version == 2


@pytest.mark.parametrize("archived_at", [None, "2026-01-31T09:30:00Z"])
def test_two_memories_cannot_share_an_id(storage, project, archived_at):
    put(storage, project, memory(1, id="taken-id", author="first", archived_at=archived_at))
    with pytest.raises(MemoryExists) as error:
        put(storage, project, memory(2, id="taken-id", author="second"))
    assert error.value.memory_id == "taken-id"
    assert str(error.value) == "memory 'taken-id' exists already; choose another id"
    with storage.read() as reader:
        assert reader.memory(project.key, "taken-id").author == "first"


def test_memories_can_exchange_their_ids_in_one_transaction(storage, project):
    put(storage, project, memory(1, id="left-one"), memory(2, id="right-one"))
    put(storage, project, memory(1, id="right-one"), memory(2, id="left-one"))
    with storage.read() as reader:
        assert reader.memory(project.key, "right-one").key == 1
        assert reader.memory(project.key, "left-one").key == 2


def test_an_id_can_pass_to_another_memory_when_the_first_is_removed_after(storage, project):
    put(storage, project, memory(1, id="wanted-id"))
    with storage.write() as writer:
        writer.put_memory(project.key, memory(2, id="wanted-id"), "d")
        writer.remove_memory(project.key, 1)
    with storage.read() as reader:
        assert [one.key for one in reader.memories(project.key)] == [2]


def test_another_project_may_use_the_same_id(storage, project):
    with storage.write() as writer:
        other = writer.put_project("other")
        writer.put_memory(project.key, memory(1, id="shared-id"), "d")
        writer.put_memory(other.key, memory(2, id="shared-id"), "d")
    with storage.read() as reader:
        assert reader.memory(project.key, "shared-id").key == 1
        assert reader.memory(other.key, "shared-id").key == 2
        assert reader.same_text(other.key, "d") == ["shared-id"]
        assert [one.key for one in reader.memories(other.key)] == [2]


def test_a_removed_memory_is_gone_and_its_id_is_free(storage, project):
    put(storage, project, memory(1, id="short-lived"))
    with storage.write() as writer:
        writer.remove_memory(project.key, 1)
        writer.remove_memory(project.key, 77)
    with storage.read() as reader:
        assert reader.memory(project.key, "short-lived") is None
    put(storage, project, memory(2, id="short-lived"))


def test_a_memory_of_another_project_is_not_removed(storage, project):
    put(storage, project, memory(1, id="safe-one"))
    with storage.write() as writer:
        writer.remove_memory(writer.put_project("other").key, 1)
    with storage.read() as reader:
        assert reader.memory(project.key, "safe-one") is not None


def test_keys_are_never_used_again(storage, project):
    with storage.write() as writer:
        keys = [writer.next_key(), writer.next_key()]
        writer.put_memory(project.key, memory(keys[1], id="short-lived"), "d")
        writer.remove_memory(project.key, keys[1])
    with storage.write() as writer:
        keys.append(writer.next_key())
        writer.put_memory(project.key, memory(50, id="restored-one"), "d")
        keys.append(writer.next_key())
        keys += writer.next_keys(3)
        keys.append(writer.next_key())
    assert keys == [1, 2, 3, 51, 52, 53, 54, 55]


def test_a_memory_under_a_fresh_key_takes_an_id_that_is_given_up_later(storage, project):
    put(storage, project, memory(1, id="wanted-id"))
    with storage.write() as writer:
        key = writer.next_key()
        writer.put_memory(project.key, memory(key, id="wanted-id"), "d", [5], b"x")
        writer.put_memory(project.key, memory(1, id="other-id"), "d")
    with storage.read() as reader:
        held = {each.id: each.key for each in reader.memories(project.key)}
        assert held == {"wanted-id": key, "other-id": 1}
        assert reader.near_text(project.key, [5], 5) == {"wanted-id": b"x"}


def test_a_memory_put_twice_under_a_fresh_key_is_replaced(storage, project):
    with storage.write() as writer:
        key = writer.next_key()
        for name, facts in (("first-name", ["one", {"fact": "1", "key": "k"}]), ("last-name", [])):
            one = memory(key, id=name, remembered_facts=facts)
            writer.put_memory(project.key, one, "d", [len(facts) + 1], b"x")
    with storage.read() as reader:
        assert [each.id for each in reader.memories(project.key)] == ["last-name"]
        assert reader.near_text(project.key, [3], 5) == {}
        assert reader.near_text(project.key, [1], 5) == {"last-name": b"x"}
        assert reader.other_values(project.key, "k", "2") == []


def test_an_old_id_leads_to_the_present_one(storage, project):
    put(storage, project, memory(1, id="first-name"))
    put(storage, project, memory(1, id="second-name"))
    with storage.write() as writer:
        writer.put_redirect(project.key, "first-name", 1)
    put(storage, project, memory(1, id="third-name"))
    with storage.read() as reader:
        assert reader.redirect(project.key, "first-name") == "third-name"
        assert reader.redirect(project.key, "third-name") is None
        assert reader.redirects(project.key) == {"first-name": "third-name"}
        assert reader.memory(project.key, "first-name") is None


def test_a_redirect_sleeps_while_its_memory_is_removed(storage, project):
    put(storage, project, memory(1, id="new-name"))
    with storage.write() as writer:
        writer.put_redirect(project.key, "old-name", 1)
        writer.remove_memory(project.key, 1)
        assert writer.redirect(project.key, "old-name") is None
        assert writer.redirects(project.key) == {}
        writer.put_memory(project.key, memory(1, id="new-name"), "d")
        assert writer.redirect(project.key, "old-name") == "new-name"


def test_a_redirect_can_be_replaced_and_removed(storage, project):
    put(storage, project, memory(1, id="one-memory"), memory(2, id="two-memory"))
    with storage.write() as writer:
        writer.put_redirect(project.key, "old-name", 1)
        writer.put_redirect(project.key, "old-name", 2)
        assert writer.redirect(project.key, "old-name") == "two-memory"
        writer.put_redirect(project.key, "old-name", None)
        writer.put_redirect(project.key, "never-there", None)
        assert writer.redirect(project.key, "old-name") is None


def _fields(one):
    return {name: getattr(one, name) for name in Memory.__slots__}


def test_carriers_are_those_that_carry_a_label_and_not_those_that_speak_of_it(storage, project):
    carrier = memory(1, id="carries", labels=["area:web", "kind:bug"])
    archived = memory(2, id="archived", labels=["area:auth"], archived_at="2026-01-31T09:30:00Z")
    speaking = memory(3, id="speaks", description='write "area:web", never "area:auth"')
    longer = memory(4, id="longer", labels=["area:web-hooks"])
    put(storage, project, carrier, archived, speaking, longer)
    with storage.write() as writer:
        other = writer.put_project("other")
        writer.put_memory(other.key, memory(5, id="elsewhere", labels=["area:web"]), "d")
        assert list(writer.carriers(project.key, ["area:web", "area:auth"])) == [archived, carrier]
    with storage.read() as reader:
        assert list(reader.carriers(project.key, ["area:web"])) == [carrier]
        assert list(reader.carriers(project.key, [])) == []
        assert list(reader.carriers(project.key, ["area:none"])) == []


def test_carriers_come_by_id_however_many(storage, project):
    names = [f"memory-{number:04}" for number in range(600)]
    every = [memory(n + 1, id=name, labels=["area:web"]) for n, name in enumerate(names)]
    put(storage, project, *every[::-1])
    with storage.read() as reader:
        assert [m.id for m in reader.carriers(project.key, ["area:web"])] == names
