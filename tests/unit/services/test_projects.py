from __future__ import annotations

from datetime import UTC, datetime

import pytest
from factories import draft

from project_memory.app import ProjectMemory, init_store, list_projects, planned_store
from project_memory.errors import NotFound, SecretFound
from project_memory.model import Actor, Authority
from project_memory.services import projects
from project_memory.storage import open_storage

ADA = Actor("ada", Authority.USER)


def now() -> datetime:
    return datetime(2026, 3, 1, tzinfo=UTC)


def test_a_project_is_made_once_and_known_by_each_identity(tmp_path) -> None:
    url = str(tmp_path / "store.db")
    first = init_store(url, project="shop", actor=ADA, repository_ids=["example.org/acme/shop"])
    again = init_store(url, project="shop", actor=ADA, repository_ids=["example.org/acme/shop"])
    assert (first.created, again.created) == (True, False)
    assert first.labels == 14
    opened = ProjectMemory.open(url, project="example.org/acme/shop", actor=ADA)
    assert opened.project == "shop"
    opened.close()


def test_no_secret_becomes_the_name_of_a_project(tmp_path) -> None:
    issued = "gh" + "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with pytest.raises(SecretFound) as caught:
        init_store(str(tmp_path / "store.db"), project=issued, actor=ADA)
    assert issued not in str(caught.value)


@pytest.mark.parametrize(
    "identities", [(), ("example.org/a/shop",), ("example.org/b/shop",)], ids=["none", "a", "b"]
)
@pytest.mark.parametrize("known", [None, (), ("example.org/a/shop",)], ids=["new", "named", "a"])
def test_a_plan_foretells_what_is_made_and_makes_nothing(tmp_path, known, identities) -> None:
    url = str(tmp_path / "folder/store.db")
    if known is not None:
        init_store(url, project="shop", actor=ADA, repository_ids=known)
    before = [project.name for project in list_projects(url)] if known is not None else None
    told = planned_store(url, project="shop", actor=ADA, repository_ids=identities)
    if before is None:
        assert list(tmp_path.iterdir()) == []
    else:
        assert [project.name for project in list_projects(url)] == before
    assert told == init_store(url, project="shop", actor=ADA, repository_ids=identities)


def test_a_plan_refuses_what_the_making_would(tmp_path) -> None:
    issued = "gh" + "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with pytest.raises(SecretFound):
        planned_store(str(tmp_path / "store.db"), project=issued, actor=ADA)


def test_two_repositories_of_one_name_are_two_projects(tmp_path) -> None:
    url = str(tmp_path / "store.db")
    init_store(url, project="shop", actor=ADA, repository_ids=["example.org/a/shop"])
    other = init_store(url, project="shop", actor=ADA, repository_ids=["example.org/b/shop"])
    assert other.created
    assert other.project.startswith("shop-")
    assert [p.name for p in list_projects(url)] == ["shop", other.project]


def test_a_named_project_takes_up_its_repository(tmp_path) -> None:
    url = str(tmp_path / "store.db")
    init_store(url, project="shop", actor=ADA)
    ready = init_store(url, project="shop", actor=ADA, repository_ids=["example.org/a/shop"])
    assert not ready.created
    assert list_projects(url)[0].repository_ids == ("example.org/a/shop",)


def test_an_unknown_project_names_the_known_ones(tmp_path) -> None:
    url = str(tmp_path / "store.db")
    init_store(url, project="shop", actor=ADA)
    with pytest.raises(NotFound) as caught:
        ProjectMemory.open(url, project="stop", actor=ADA)
    assert str(caught.value) == (
        "no project 'stop' in this store (projects: 'shop'); "
        "name one of them, or run `project-memory init` in its repository"
    )


def test_projects_of_one_store_do_not_see_each_other(tmp_path) -> None:
    url = str(tmp_path / "store.db")
    with (
        ProjectMemory.open(url, project="one", actor=ADA, create=True) as one,
        ProjectMemory.open(url, project="two", actor=ADA, create=True) as two,
    ):
        one.create(draft(id="first"))
        two.create(draft(id="first", description="the same id in another project"))
        assert two.get("first").memory["description"] == "the same id in another project"
        assert [hit.id for hit in two.recall(query="database locked").answers] == []


def test_counts_count_links_once() -> None:
    storage = open_storage("inmemory://", create=True)
    projects.ensure(storage, "demo", ADA, now)
    memory = ProjectMemory(storage, "demo", ADA, now)
    memory.create(draft(id="first"))
    memory.create(draft(id="second", description="another lesson to link with the first"))
    memory.link("first", "causes", "second")
    memory.archive("second")
    stats = memory.stats()
    assert (stats.memories, stats.archived, stats.links, stats.labels) == (2, 1, 1, 14)
    assert stats.by_status == {"active": 2}
