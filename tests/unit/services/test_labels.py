"""Changes of one label: its text, its other names, its place; and what drafts may carry."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidLabel, NotFound, ProjectMemoryError, UnknownLabel
from project_memory.model import Actor, Authority, Label

ADA = Actor("ada", Authority.USER)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=lambda: NOW
    ) as opened:
        for name in ("area:auth", "area:web", "area:storage"):
            opened.add_label(name, distinct=True)
        yield opened


def registry(memory: ProjectMemory) -> dict[str, Label]:
    with memory._storage.read() as reader:
        return dict(reader.registry(memory._project.key).labels)


def test_an_alias_is_accepted_everywhere_and_rewritten(memory: ProjectMemory) -> None:
    receipt = memory.add_alias("area:auth", "area:login")
    assert (receipt.operation, receipt.labels) == ("add-alias", ("area:auth",))
    memory.create(draft(id="first-one", labels=["area:login", "area:auth"]))
    assert memory.get("first-one").memory["labels"] == ["area:auth"]
    assert [m.id for m in memory.search("area:login").memories] == ["first-one"]
    assert [m.id for m in memory.search("=area:login OR area:log*").memories] == ["first-one"]
    memory.update("first-one", {"labels": ["kind:bug", "area:login"]})
    assert memory.get("first-one").memory["labels"] == ["area:auth", "kind:bug"]
    assert memory.add_alias("area:auth", "area:login").notes == ("nothing changed",)


@pytest.mark.parametrize(
    ("alias", "message"),
    [
        ("area:web",
         "'area:web' is a label of its own; to fold it into 'area:auth' use "
         "`project-memory labels merge area:web area:auth`"),
        ("area:auth",
         "'area:auth' is the label itself; name another alias"),
        ("area:disk",
         "'area:disk' is an alias of 'area:storage'; take it away first with "
         "`project-memory labels alias area:storage area:disk --remove`"),
        ("area:storages",
         "label 'area:storages' is a near-twin of 'area:storage'; use that one, or say that the "
         "new one is distinct (--distinct)"),
        ("Login", "label 'Login' is not prefix:kebab-case; write it like 'area:user-login'"),
    ],
)  # fmt: skip
def test_an_alias_that_means_something_else_is_refused(
    memory: ProjectMemory, alias: str, message: str
) -> None:
    memory.add_alias("area:storage", "area:disk")
    before = registry(memory)
    with pytest.raises(InvalidLabel) as caught:
        memory.add_alias("area:auth", alias)
    assert str(caught.value) == message
    assert registry(memory) == before


def test_another_spelling_of_a_label_may_be_its_alias(memory: ProjectMemory) -> None:
    memory.add_alias("area:storage", "area:storages")
    memory.add_alias("area:auth", "area:storagee", distinct=True)
    assert registry(memory)["area:storage"].aliases == ("area:storages",)
    assert registry(memory)["area:auth"].aliases == ("area:storagee",)


def test_an_alias_is_taken_away_and_undone(memory: ProjectMemory) -> None:
    memory.add_alias("area:auth", "area:login")
    before = registry(memory)
    memory.remove_alias("area:auth", "area:login")
    assert registry(memory)["area:auth"].aliases == ()
    with pytest.raises(UnknownLabel):
        memory.search("area:login")
    memory.undo()
    assert registry(memory) == before
    with pytest.raises(NotFound) as caught:
        memory.remove_alias("area:auth", "area:signin")
    assert str(caught.value) == (
        "'area:auth' has no alias 'area:signin'; "
        "`project-memory labels list --prefix area` shows them"
    )


def test_a_narrower_label_is_found_by_the_broader_one(memory: ProjectMemory) -> None:
    memory.create(draft(id="first-one", labels=["area:auth"]))
    assert memory.search("area:web").memories == ()
    memory.set_broader("area:auth", "area:web")
    assert [m.id for m in memory.search("area:web").memories] == ["first-one"]
    assert memory.search("=area:web").memories == ()
    memory.set_broader("area:auth", None)
    assert memory.search("area:web").memories == ()
    assert registry(memory)["area:auth"] == Label("area:auth")


def test_broader_labels_form_no_cycle(memory: ProjectMemory) -> None:
    memory.set_broader("area:auth", "area:web")
    memory.set_broader("area:web", "area:storage")
    before = registry(memory)
    with pytest.raises(InvalidLabel) as caught:
        memory.set_broader("area:storage", "area:auth")
    assert str(caught.value) == (
        "broader labels form a cycle: 'area:auth' -> 'area:web' -> 'area:storage' -> "
        "'area:auth'; clear one of them"
    )
    with pytest.raises(InvalidLabel) as caught:
        memory.set_broader("area:web", "area:web")
    assert str(caught.value) == (
        "broader labels form a cycle: 'area:web' -> 'area:web'; clear one of them"
    )
    assert registry(memory) == before


def test_a_broader_label_may_be_named_by_an_alias(memory: ProjectMemory) -> None:
    memory.add_alias("area:web", "area:http")
    memory.set_broader("area:auth", "area:http")
    assert registry(memory)["area:auth"].broader == "area:web"


def test_a_change_of_an_alias_names_the_label(memory: ProjectMemory) -> None:
    memory.add_alias("area:web", "area:http")
    with pytest.raises(InvalidLabel) as caught:
        memory.describe_label("area:http", "requests")
    assert str(caught.value) == (
        "'area:http' is an alias of 'area:web'; name that label, or take the alias away with "
        "`project-memory labels alias area:web area:http --remove`"
    )


def test_a_description_is_changed_within_its_bounds(memory: ProjectMemory) -> None:
    memory.describe_label("area:web", " requests and answers ")
    assert registry(memory)["area:web"].description == "requests and answers"
    with pytest.raises(InvalidLabel) as caught:
        memory.describe_label("area:web", "x" * 501)
    assert str(caught.value) == (
        "the description of 'area:web' has 501 characters; at most 500 are allowed"
    )


def test_a_draft_gets_what_replaces_a_deprecated_label(memory: ProjectMemory) -> None:
    memory.deprecate_label("area:auth", replacement="area:web")
    receipt = memory.create(draft(id="first-one", labels=["area:auth", "kind:bug"]))
    assert memory.get("first-one").memory["labels"] == ["area:web", "kind:bug"]
    assert receipt.notes == ("label 'area:auth' is deprecated; 'area:web' took its place",)
    assert [m.id for m in memory.search("area:auth").memories] == ["first-one"]


def test_a_deprecated_label_stays_where_it_is_but_comes_nowhere_new(
    memory: ProjectMemory,
) -> None:
    memory.create(draft(id="first-one", labels=["area:auth"]))
    memory.create(draft(id="other-one", description="a lesson about something else entirely"))
    receipt = memory.deprecate_label("area:auth")
    assert receipt.notes == ("'area:auth' stays on 1 memory",)
    memory.update("first-one", {"labels": ["area:auth", "kind:bug"]})
    assert memory.get("first-one").memory["labels"] == ["area:auth", "kind:bug"]
    refused = (
        "label 'area:auth' is deprecated; use another, or bring it back with "
        "`project-memory labels deprecate area:auth --off`"
    )
    with pytest.raises(InvalidLabel) as caught:
        memory.update("other-one", {"labels": ["area:auth"]})
    assert str(caught.value) == refused
    with pytest.raises(InvalidLabel) as caught:
        memory.create(draft(labels=["area:auth"], description="a third lesson of its own here"))
    assert str(caught.value) == refused
    memory.restore_label("area:auth")
    memory.update("other-one", {"labels": ["area:auth"]})


def test_the_tree_counts_each_label_alone_and_with_those_below(memory: ProjectMemory) -> None:
    memory.set_broader("area:auth", "area:web")
    memory.create(draft(id="first-one", labels=["area:auth", "area:web"]))
    memory.create(
        draft(id="other-one", labels=["area:auth"], description="another lesson, not the first")
    )
    memory.create(draft(id="third-one", labels=["area:web"], description="a third lesson it is"))
    memory.archive("third-one")
    found = memory.label_tree("area:web").labels
    assert [(b.label, b.depth, b.count, b.total) for b in found] == [
        ("area:web", 0, 1, 2),
        ("area:auth", 1, 2, 2),
    ]
    every = {b.label for b in memory.label_tree().labels}
    assert every == registry(memory).keys()
    with pytest.raises(UnknownLabel):
        memory.label_tree("area:nowhere")


@pytest.mark.parametrize("twin", ["area:storages", "area:stor-age", "area:storaeg"])
def test_a_near_twin_needs_to_be_called_distinct(memory: ProjectMemory, twin: str) -> None:
    with pytest.raises(ProjectMemoryError) as caught:
        memory.add_label(twin)
    assert str(caught.value) == (
        f"label '{twin}' is a near-twin of 'area:storage'; use that one, or say that the new one "
        "is distinct (--distinct)"
    )
    assert memory.add_label(twin, distinct=True).labels == (twin,)


@pytest.mark.parametrize("act", ["add_label", "describe_label"])
def test_a_description_holds_no_control_characters(memory: ProjectMemory, act: str) -> None:
    name = "area:new" if act == "add_label" else "area:web"
    with pytest.raises(InvalidLabel) as caught:
        getattr(memory, act)(name, description="what\x1b[2J is\x00 served")
    assert str(caught.value) == (
        f"the description of '{name}' cannot be kept: control character U+001B"
    )
