"""Changes of the registry that reach every memory, and their undoing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from factories import draft

from project_memory import documents
from project_memory.app import ProjectMemory
from project_memory.errors import (
    Conflict,
    InvalidDocument,
    InvalidLabel,
    LabelInUse,
    NotFound,
    UnknownLabel,
)
from project_memory.model import Actor, Authority, Label, Registry

ADA = Actor("ada", Authority.USER)
BOT = Actor("bot", Authority.AGENT)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.fixture(params=["inmemory://", "sqlite"])
def memory(request, tmp_path) -> Iterator[ProjectMemory]:
    url = request.param if "://" in request.param else str(tmp_path / "store.db")
    with ProjectMemory.open(
        url, project="demo", actor=ADA, create=True, clock=lambda: NOW
    ) as opened:
        for name in ("area:auth", "area:web", "area:storage"):
            opened.add_label(name)
        made(opened, "first-one", "area:auth", "kind:bug")
        made(opened, "other-one", "area:auth", "area:web")
        made(opened, "third-one", "area:storage")
        made(opened, "gone-one", "area:auth")
        opened.archive("gone-one")
        yield opened


def made(memory: ProjectMemory, name: str, *carried: str) -> None:
    memory.create(draft(id=name, description=f"the lesson called {name}", labels=[*carried]))


def later(memory: ProjectMemory, actor: Actor = ADA) -> ProjectMemory:
    return ProjectMemory(memory._storage, "demo", actor, lambda: LATER)


def registry(memory: ProjectMemory) -> Registry:
    with memory._storage.read() as reader:
        return reader.registry(memory._project.key)


def state(memory: ProjectMemory) -> tuple[Registry, dict[str, object]]:
    """Return the registry, and what is stored of each memory but the counter of mirrors."""
    with memory._storage.read() as reader:
        found = list(reader.memories(memory._project.key))
    kept = {
        m.id: (documents.to_text(m.document), m.version, m.updated_at, m.asserted_by, m.author)
        for m in found
    }
    return registry(memory), kept


def carried(memory: ProjectMemory) -> dict[str, list[str]]:
    names = ("first-one", "gone-one", "other-one", "third-one")
    return {name: list(memory.get(name).memory["labels"]) for name in names}


BEFORE = {
    "first-one": ["area:auth", "kind:bug"],
    "gone-one": ["area:auth"],
    "other-one": ["area:auth", "area:web"],
    "third-one": ["area:storage"],
}

CHANGES = {
    "rename": (
        lambda m: m.rename_label("area:auth", "area:access"),
        {"area:auth": "area:access"},
        "'area:access' takes the place of 'area:auth' on 3 memories",
    ),
    "merge": (
        lambda m: m.merge_labels("area:auth", "area:web"),
        {"area:auth": "area:web"},
        "'area:web' takes the place of 'area:auth' on 3 memories",
    ),
    "deprecate": (
        lambda m: m.deprecate_label("area:auth", replacement="area:web"),
        {"area:auth": "area:web"},
        "'area:web' takes the place of 'area:auth' on 3 memories",
    ),
    "remove": (
        lambda m: m.remove_label("area:auth", replacement="area:web"),
        {"area:auth": "area:web"},
        "'area:web' takes the place of 'area:auth' on 3 memories",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_memory_gets_the_new_label_in_one_revision(
    memory: ProjectMemory, change: str
) -> None:
    act, names, note = CHANGES[change]
    revision = memory.stats().store.revision
    memory.recall(query="lesson called first")  # so that the index is brought up to date
    receipt = act(later(memory))
    assert receipt.revision == revision + 1
    assert [(t.id, t.change, t.version) for t in receipt.memories] == [
        ("first-one", "relabelled", 1),
        ("gone-one", "relabelled", 1),
        ("other-one", "relabelled", 1),
    ]
    assert receipt.notes == (note,)
    wanted = {k: sorted({names.get(x, x) for x in v}) for k, v in BEFORE.items()}
    assert carried(memory) == wanted
    new = names["area:auth"]
    assert [m.id for m in memory.search(f"={new}").memories] == ["first-one", "other-one"]
    assert memory.validate().problems == ()


@pytest.mark.parametrize("change", CHANGES)
def test_a_registry_change_is_no_edit_and_undoes_to_the_byte(
    memory: ProjectMemory, change: str
) -> None:
    act, _, _ = CHANGES[change]
    before = state(memory)
    agent = later(memory, BOT)
    act(agent)
    assert {k: v[1:] for k, v in state(memory)[1].items()} == {
        k: v[1:] for k, v in before[1].items()
    }
    agent.undo()
    assert state(memory) == before
    agent.undo(revision=agent.stats().store.revision)  # and the undoing is undone
    assert state(memory) != before
    memory.undo(revision=memory.stats().store.revision)
    assert state(memory) == before


@pytest.mark.parametrize("change", CHANGES)
def test_a_dry_run_counts_and_changes_nothing(memory: ProjectMemory, change: str) -> None:
    act, _, note = CHANGES[change]
    before = state(memory)
    receipt = act(Dry(memory))
    assert (receipt.dry_run, len(receipt.memories), receipt.notes) == (True, 3, (note,))
    assert state(memory) == before


class Dry:
    """A project whose changes are tried only."""

    def __init__(self, memory: ProjectMemory) -> None:
        self._memory = memory

    def __getattr__(self, name: str):
        return lambda *args, **options: getattr(self._memory, name)(*args, dry_run=True, **options)


def test_a_renamed_label_answers_to_its_old_name(memory: ProjectMemory) -> None:
    memory.rename_label("area:auth", "area:access")
    assert registry(memory).labels["area:access"] == Label("area:access", aliases=("area:auth",))
    assert [m.id for m in memory.search("area:auth").memories] == ["first-one", "other-one"]
    made(memory, "later-one", "area:auth")
    assert memory.get("later-one").memory["labels"] == ["area:access"]


def test_an_agent_may_rename_a_label_of_a_standing_rule(memory: ProjectMemory) -> None:
    memory.update("first-one", {"standing": True})
    agent = later(memory, BOT)
    agent.rename_label("area:auth", "area:access")
    assert memory.get("first-one").memory["labels"] == ["area:access", "kind:bug"]
    assert memory.get("first-one").meta.asserted_by is Authority.USER
    agent.undo()
    assert memory.get("first-one").memory["labels"] == ["area:auth", "kind:bug"]
    assert memory.get("first-one").meta.asserted_by is Authority.USER


@pytest.mark.parametrize(
    ("act", "error", "message"),
    [
        (lambda m: m.rename_label("area:auth", "area:web"), InvalidLabel,
         "label 'area:web' is registered already; to fold 'area:auth' into it use "
         "`project-memory labels merge area:auth area:web`"),
        (lambda m: m.rename_label("area:auth", "area:disk"), InvalidLabel,
         "label 'area:disk' is registered already (as an alias of 'area:storage'); to fold "
         "'area:auth' into it use `project-memory labels merge area:auth area:storage`"),
        (lambda m: m.rename_label("area:auth", "area:storages"), InvalidLabel,
         "label 'area:storages' is a near-twin of 'area:storage'; use that one, or say that the "
         "new one is distinct (--distinct)"),
        (lambda m: m.rename_label("area:nothing-like-it", "area:new"), UnknownLabel,
         "label 'area:nothing-like-it' is not registered; add it with "
         "`project-memory labels add area:nothing-like-it`"),
        (lambda m: m.rename_label("area:disk", "area:new"), InvalidLabel,
         "'area:disk' is an alias of 'area:storage'; name that label, or take the alias away "
         "with `project-memory labels alias area:storage area:disk --remove`"),
        (lambda m: m.rename_label("area:auth", "Area"), InvalidLabel,
         "label 'Area' is not prefix:kebab-case; write it like 'area:user-login'"),
        (lambda m: m.merge_labels("area:auth", "area:auth"), InvalidLabel,
         "'area:auth' cannot take its own place; name two labels"),
        (lambda m: m.merge_labels("area:storage", "area:disk"), InvalidLabel,
         "'area:storage' cannot take its own place; name two labels"),
        (lambda m: m.merge_labels("area:auth", "area:past"), InvalidLabel,
         "'area:past' is deprecated; name a label that is in use"),
        (lambda m: m.deprecate_label("area:auth", replacement="area:past"), InvalidLabel,
         "'area:past' is deprecated; name a label that is in use"),
        (lambda m: m.remove_label("area:auth"), LabelInUse,
         "label 'area:auth' is on 3 memories ('first-one', 'gone-one', 'other-one'); name a "
         "replacement (--replacement), or take it off them first"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_and_leaves_no_trace(
    memory: ProjectMemory, act, error: type[Exception], message: str
) -> None:
    memory.add_alias("area:storage", "area:disk")
    memory.add_label("area:past")
    memory.deprecate_label("area:past")
    before = state(memory)
    with pytest.raises(error) as caught:
        act(memory)
    assert str(caught.value) == message
    assert state(memory) == before


def test_a_rename_to_a_spelling_of_its_own_name_is_no_twin(memory: ProjectMemory) -> None:
    memory.rename_label("area:storage", "area:storages")
    assert memory.get("third-one").memory["labels"] == ["area:storages"]
    assert memory.rename_label("area:storages", "area:storages").notes == ("nothing changed",)


def test_an_unused_label_goes_and_what_was_below_it_moves_up(memory: ProjectMemory) -> None:
    memory.add_label("area:net")
    memory.set_broader("area:net", "area:web")
    memory.set_broader("area:auth", "area:net")
    receipt = memory.remove_label("area:net")
    assert receipt.notes == ("'area:auth' is under 'area:web' now",)
    assert registry(memory).labels["area:auth"].broader == "area:web"
    assert "area:net" not in registry(memory).labels
    memory.undo()
    assert registry(memory).labels["area:auth"].broader == "area:net"


def test_a_removed_label_is_unknown_afterwards(memory: ProjectMemory) -> None:
    memory.remove_label("area:auth", replacement="area:web")
    with pytest.raises(UnknownLabel):
        memory.search("area:auth")


def test_a_single_prefix_is_declared_and_released(memory: ProjectMemory) -> None:
    receipt = memory.set_single("kind")
    assert (receipt.labels, receipt.memories) == (("kind:",), ())
    with pytest.raises(InvalidDocument):
        made(memory, "later-one", "kind:bug", "kind:lesson")
    memory.set_single("kind:", single=False)
    made(memory, "later-one", "kind:bug", "kind:lesson")


def test_memories_that_break_a_single_prefix_are_named_or_keep_one(
    memory: ProjectMemory,
) -> None:
    before = state(memory)
    with pytest.raises(Conflict) as caught:
        memory.set_single("area")
    assert str(caught.value) == (
        "several labels of prefix 'area' are on 1 memory ('other-one'); take labels off them, or "
        "say which to keep (--keep area:auth)"
    )
    with pytest.raises(Conflict):
        memory.set_single("area", keep=["area:storage"])
    assert state(memory) == before
    receipt = memory.set_single("area", keep=["area:storage", "area:web"])
    assert receipt.notes == ("one label of several was kept on 1 memory",)
    assert memory.get("other-one").memory["labels"] == ["area:web"]
    assert memory.validate().problems == ()
    memory.undo()
    assert state(memory) == before


@pytest.mark.parametrize(
    ("prefix", "keep", "error", "message"),
    [
        ("kinds", (), NotFound, "no label has the prefix 'kinds'; prefixes: area, context, kind"),
        ("area", ("kind:bug",), InvalidLabel,
         "'kind:bug' is no label of prefix 'area'; name one that is"),
    ],
)  # fmt: skip
def test_a_prefix_that_is_none_is_refused(
    memory: ProjectMemory, prefix: str, keep: tuple[str, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        memory.set_single(prefix, keep=keep)
    assert str(caught.value) == message


def test_a_rename_into_a_single_prefix_breaks_no_memory(memory: ProjectMemory) -> None:
    memory.set_single("kind")
    before = state(memory)
    with pytest.raises(Conflict) as caught:
        memory.rename_label("area:auth", "kind:auth")
    assert str(caught.value) == (
        "prefix 'kind' allows one label a memory, but several would be on 1 memory "
        "('first-one'); take labels off them first"
    )
    with pytest.raises(Conflict):
        memory.merge_labels("area:auth", "kind:lesson")
    assert state(memory) == before


def test_a_single_prefix_cannot_come_back_over_memories_that_break_it(
    memory: ProjectMemory,
) -> None:
    memory.set_single("kind")
    memory.set_single("kind", single=False)
    released = memory.stats().store.revision
    memory.update("first-one", {"labels": ["kind:bug", "kind:lesson"]})
    with pytest.raises(Conflict) as caught:
        memory.undo(revision=released)
    assert str(caught.value) == (
        "several labels of prefix 'kind' are on 1 memory ('first-one'); take labels off them, or "
        "say which to keep (--keep kind:architecture)"
    )
    with pytest.raises(Conflict) as caught:
        memory.undo(revision=released - 1)
    assert str(caught.value) == (
        f"revision {released - 1} cannot be undone: prefix 'kind' has changed since; undo the "
        "later change first"
    )


def test_an_old_rename_is_undone_around_later_changes(memory: ProjectMemory) -> None:
    memory.rename_label("area:auth", "area:access")
    renamed = memory.stats().store.revision
    memory.update("first-one", {"labels": ["area:access", "kind:lesson"]})
    memory.update("other-one", {"labels": ["area:web"]})
    memory.delete("gone-one")
    memory.undo(revision=renamed)
    assert memory.get("first-one").memory["labels"] == ["area:auth", "kind:lesson"]
    assert memory.get("other-one").memory["labels"] == ["area:web"]
    assert "area:access" not in registry(memory).labels


def test_an_undo_takes_no_label_from_under_a_memory(memory: ProjectMemory) -> None:
    memory.rename_label("area:auth", "area:access")
    renamed = memory.stats().store.revision
    made(memory, "later-one", "area:access")
    with pytest.raises(Conflict) as caught:
        memory.undo(revision=renamed)
    assert str(caught.value) == (
        f"revision {renamed} cannot be undone: 'later-one' carries label 'area:access'; take the "
        "label off first"
    )


def test_an_undo_breaks_no_rule_of_the_registry(memory: ProjectMemory) -> None:
    memory.add_label("area:net")
    memory.remove_label("area:net")
    removed = memory.stats().store.revision
    memory.add_alias("area:web", "area:net")
    with pytest.raises(Conflict) as caught:
        memory.undo(revision=removed)
    assert str(caught.value) == (
        f"revision {removed} cannot be undone: alias 'area:net' already names 'area:net'; "
        "remove it"
    )
    with pytest.raises(Conflict) as caught:
        memory.undo(revision=removed - 1)
    assert str(caught.value) == (
        f"revision {removed - 1} cannot be undone: label 'area:net' has changed since; undo the "
        "later change first"
    )


def test_a_text_comes_back_with_the_labels_of_today(memory: ProjectMemory) -> None:
    memory.delete("third-one")
    deleted = memory.stats().store.revision
    memory.update("first-one", {"labels": ["kind:lesson"]})
    updated = memory.stats().store.revision
    memory.merge_labels("area:auth", "area:web")
    memory.rename_label("area:storage", "area:disk")
    receipt = memory.undo(revision=deleted)
    assert "label 'area:storage' of 'third-one' came back as 'area:disk'" in receipt.notes
    assert memory.get("third-one").memory["labels"] == ["area:disk"]
    memory.undo(revision=updated)
    assert memory.get("first-one").memory["labels"] == ["area:web", "kind:bug"]
    memory.revert("other-one", version=1)
    assert memory.validate().problems == ()


def test_label_changes_work_in_a_batch(memory: ProjectMemory) -> None:
    before = state(memory)
    memory.apply(
        [
            {"op": "add_label", "label": "area:net"},
            {"op": "describe_label", "label": "area:net", "description": "sockets"},
            {"op": "set_broader", "label": "area:web", "broader": "area:net"},
            {"op": "add_alias", "label": "area:net", "alias": "area:network"},
            {"op": "add_alias", "label": "area:net", "alias": "area:sockets"},
            {"op": "remove_alias", "label": "area:net", "alias": "area:sockets"},
            {"op": "create", "memory": draft(id="made-here", labels=["area:auth"])},
            {"op": "rename_label", "label": "area:auth", "new": "area:access"},
            {"op": "merge_labels", "label": "area:access", "into": "area:storage"},
            {"op": "deprecate_label", "label": "kind:bug", "replacement": "kind:lesson"},
            {"op": "deprecate_label", "label": "kind:blocker"},
            {"op": "restore_label", "label": "kind:blocker"},
            {"op": "remove_label", "label": "kind:observation"},
            {"op": "set_broader", "label": "area:web"},
            {"op": "set_single", "prefix": "area", "keep": ["area:web"]},
        ]
    )
    assert memory.get("made-here").memory["labels"] == ["area:storage"]
    assert memory.get("other-one").memory["labels"] == ["area:web"]
    assert memory.get("first-one").memory["labels"] == ["area:storage", "kind:lesson"]
    found = registry(memory)
    assert found.single == {"area"}
    assert found.labels["area:net"] == Label("area:net", "sockets", ("area:network",))
    assert found.labels["area:web"] == Label("area:web")
    assert found.labels["area:storage"].aliases == ("area:access", "area:auth")
    assert memory.validate().problems == ()
    memory.undo()
    assert state(memory) == before


def test_an_agents_change_waits_where_its_writes_are_reviewed(memory: ProjectMemory) -> None:
    memory.configure({"writes": "review"})
    before = state(memory)
    agent = later(memory, BOT)
    for act in (
        lambda: agent.rename_label("area:auth", "area:access"),
        lambda: agent.set_single("area", keep=["area:web"]),
        lambda: agent.deprecate_label("area:auth", replacement="area:web"),
    ):
        assert act().proposals
    assert state(memory) == before
    waiting = memory.inbox().proposals
    memory.apply_proposal(waiting[0].number)
    assert memory.get("first-one").memory["labels"] == ["area:access", "kind:bug"]
    assert memory.get("first-one").meta.asserted_by is Authority.USER


def test_no_agents_change_of_the_registry_touches_who_asserts_a_text(
    memory: ProjectMemory,
) -> None:
    agent = later(memory, BOT)
    agent.merge_labels("area:auth", "area:web")
    agent.remove_label("area:storage", replacement="area:web")
    agent.set_single("area")
    for name in ("first-one", "other-one", "third-one", "gone-one"):
        assert memory.get(name).meta.asserted_by is Authority.USER
        assert "area:web" in memory.get(name).memory["labels"]
