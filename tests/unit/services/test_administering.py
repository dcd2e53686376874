"""What is done to projects as a whole, over a file and over a database."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime

import pytest
from factories import draft

from project_memory.app import (
    ProjectMemory,
    init_store,
    listed_projects,
    remove_project,
    restore_store,
)
from project_memory.errors import (
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    SecretFound,
    StorageError,
)
from project_memory.hosting import Host
from project_memory.model import Actor, Authority
from project_memory.roles import Role
from project_memory.services.identity import shared_speaker
from project_memory.storage import open_storage

ADA, BOT = Actor("ada", Authority.USER), Actor("bot", Authority.AGENT)
NOW = "2026-01-31T09:30:00Z"
ARCHIVED = (
    "project 'shop' is archived and takes no changes; bring it back with `project-memory "
    "--project shop project unarchive`"
)


def clock():
    return datetime(2026, 1, 31, 9, 30, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request, tmp_path, monkeypatch):
    """Return a store with the projects shop and till, each with a lesson that reaches all."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    place = str(tmp_path / "memory.db")
    if request.param == "postgres":
        place = request.getfixturevalue("postgres")()
    for name in ("shop", "till"):
        init_store(place, project=name, actor=ADA, repository_ids=[f"host/{name}"])
        with opened(place, name) as memories:
            text = f"The queue of the {name} drops what is sent twice"
            scope = {"project": name, "reach": "everywhere"}
            memories.create(draft(id=f"{name}-queue", description=text, scope=scope))
    return place


def opened(url, name="shop", actor=ADA):
    return ProjectMemory.open(url, project=name, actor=actor, clock=clock)


def names(url, **how):
    return [project.name for project in listed_projects(url, **how).projects]


def test_a_project_goes_by_its_other_name_and_its_repositories(url):
    with opened(url) as memories:
        assert memories.rename_project("store").name == "store"
        memories.create(draft(id="later"))
        assert memories.project == "store"
    assert names(url) == ["store", "till"]
    with opened(url, "host/shop") as memories:
        assert memories.project == "store"
        assert memories.get("shop-queue").meta.version == 1
    with pytest.raises(NotFound):
        opened(url, "shop")


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("till", Conflict, "project 'till' goes by 'till' already; choose another name"),
        ("host/till", Conflict, "project 'till' goes by 'host/till' already; choose another name"),
        ("../shop", InvalidInput,
         "'../shop' cannot be the name of a project or repository; use a word such as 'shop', or "
         "'example.org/acme/shop'"),
        (" ", InvalidInput,
         "' ' cannot be the name of a project or repository; use a word such as 'shop', or "
         "'example.org/acme/shop'"),
        ("gh" + "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", SecretFound, None),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_is_refused(url, name, kind, message):
    with opened(url) as memories, pytest.raises(kind) as error:
        memories.rename_project(name)
    assert message is None or str(error.value) == message
    assert names(url) == ["shop", "till"]


def test_an_archived_project_is_in_no_list_and_answers_nobody_else(url):
    with opened(url, "till") as till:
        asked = {"query": "queue drops twice", "all_projects": True}
        assert [hit.id for hit in till.recall(**asked).answers] == ["shop-queue", "till-queue"]
        with opened(url) as shop:
            assert shop.archive_project().archived_at == NOW
        assert [hit.id for hit in till.recall(**asked).answers] == ["till-queue"]
        assert till.stats().projects == 1
    assert (names(url), names(url, archived=True)) == (["till"], ["shop", "till"])
    with Host.open(url) as host:
        assert [project.name for project in host.projects(shared_speaker())] == ["till"]
        with pytest.raises(NotFound) as error:
            host.project(shared_speaker(), "shup")
        assert str(error.value) == ("no project 'shup' here (projects: 'till'); name one of them")
    with pytest.raises(NotFound) as error:
        opened(url, "shup")
    assert "(projects: 'till')" in str(error.value)


CHANGES = {
    "create": lambda m: m.create(draft(id="later")),
    "dry run": lambda m: m.create(draft(id="later"), dry_run=True),
    "undo": lambda m: m.undo(),
    "label": lambda m: m.add_label("area:queue"),
    "use": lambda m: m.record_use(["shop-queue"]),
    "settings": lambda m: m.configure({"writes": "review"}),
    "rename": lambda m: m.rename_project("store"),
    "repository": lambda m: m.add_repositories(["host/other"]),
    "no repository": lambda m: m.remove_repository("host/shop"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_archived_project_takes_no_change_and_is_read(url, change):
    with opened(url) as memories:
        memories.archive_project()
        before = memories.history()
        with pytest.raises(Conflict) as error:
            change(memories)
        assert str(error.value) == ARCHIVED
        assert memories.history() == before
        assert memories.recall(query="queue drops twice").answers
        assert memories.keep_findings(memories.audit()).checked == 1


def test_an_archived_project_is_not_made_again_and_comes_back_as_it_was(url):
    with opened(url) as memories:
        memories.archive_project()
        with pytest.raises(Conflict) as error:
            init_store(url, project="shop", actor=ADA, repository_ids=["host/shop"])
        assert str(error.value) == ARCHIVED
        with pytest.raises(Conflict) as error:
            memories.archive_project()
        assert str(error.value) == (
            "project 'shop' is archived since 2026-01-31T09:30:00Z; there is nothing to do"
        )
        assert memories.unarchive_project().archived_at is None
        with pytest.raises(Conflict) as error:
            memories.unarchive_project()
        assert str(error.value) == "project 'shop' is not archived; there is nothing to do"
        memories.create(draft(id="later"))
    assert names(url) == ["shop", "till"]


def test_a_project_has_a_set_of_repositories(url):
    with opened(url) as memories:
        found = memories.add_repositories(["host/fork", "host/shop", "local:shop:0123456789ab"])
        assert found.repository_ids == ("host/fork", "host/shop", "local:shop:0123456789ab")
        assert memories.remove_repository("host/shop").repository_ids == (
            "host/fork", "local:shop:0123456789ab",
        )  # fmt: skip
        with pytest.raises(NotFound) as error:
            memories.remove_repository("host/shop")
        assert str(error.value) == (
            "repository 'host/shop' does not lead to project 'shop' (repositories: 'host/fork', "
            "'local:shop:0123456789ab'); name one that does"
        )
        with pytest.raises(Conflict) as error:
            memories.add_repositories(["host/till"])
        assert str(error.value) == (
            "repository 'host/till' belongs to project 'till' already; use that project, or take "
            "it away first with `project-memory --project till project remove-repo host/till`"
        )
    with opened(url, "host/fork") as memories:
        assert memories.project == "shop"


DEEDS = {
    "rename a project": lambda m: m.rename_project("store"),
    "archive a project": lambda m: m.archive_project(),
    "bring a project back into use": lambda m: m.unarchive_project(),
    "change the repositories of a project": lambda m: m.add_repositories(["host/x"]),
}


@pytest.mark.parametrize(("deed", "act"), DEEDS.items(), ids=DEEDS)
def test_an_agent_does_none_of_it(url, deed, act):
    with opened(url, actor=BOT) as memories, pytest.raises(Forbidden) as error:
        act(memories)
    assert str(error.value) == f"only a person can {deed}; do it at a terminal"
    with opened(url, actor=BOT) as memories, pytest.raises(Forbidden):
        memories.remove_repository("host/shop")


def test_an_administrators_token_is_no_person_either(url):
    with Host.open(url) as host:
        token = host.add_token("root", role=Role.ADMIN, projects=None, days=1).token
        speaker = host.identify(token.encode())
        memories = host.memories(speaker, host.project(speaker, "shop"))
        with pytest.raises(Forbidden):
            memories.archive_project()


def test_a_project_is_removed_by_its_exact_name_after_a_backup(url, tmp_path):
    with pytest.raises(Conflict) as unsure:
        remove_project(url, "shop", actor=ADA)
    assert str(unsure.value) == (
        "project 'shop' has 1 memories and 2 revisions; repeat with --yes to remove them all"
    )
    with pytest.raises(NotFound) as inexact:
        remove_project(url, "host/shop", actor=ADA, sure=True)
    assert str(inexact.value) == (
        "'host/shop' is a repository of project 'shop'; write that exact name to remove it"
    )
    with pytest.raises(Forbidden) as agent:
        remove_project(url, "shop", actor=BOT, sure=True)
    assert str(agent.value) == "only a person can remove a project; do it at a terminal"
    assert names(url) == ["shop", "till"]
    done = remove_project(
        url, "shop", actor=ADA, sure=True, folder=tmp_path / "backups", clock=clock
    )
    assert (done.name, done.memories, done.revisions) == ("shop", 1, 2)
    assert [str(file) for file in (tmp_path / "backups").iterdir()] == [done.backup]
    assert (names(url), names(done.backup)) == (["till"], ["shop", "till"])
    with closing(open_storage(url, create=False)) as storage, storage.read() as reader:
        assert [backup.file for backup in reader.backups()] == [done.backup]


def test_where_no_backup_can_be_made_nothing_is_removed(url, tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StorageError):
        remove_project(url, "shop", actor=ADA, sure=True, folder=tmp_path / "file")
    assert names(url) == ["shop", "till"]


def test_what_was_removed_comes_back_by_no_way_but_its_backup(url, tmp_path):
    with Host.open(url) as host, opened(url) as memories:
        token = host.add_token("bob", role=Role.READER, projects=["shop"], days=1).token
        assert memories.recall(query="queue drops twice").answers
        done = remove_project(url, "shop", actor=ADA, sure=True, folder=tmp_path / "backups")
        # neither a process that had it open, nor one that makes it anew, nor its tokens
        assert memories.recall(query="queue drops twice").answers == ()
        again = init_store(url, project="shop", actor=ADA, repository_ids=["host/shop"])
        assert again.created
        assert memories.recall(query="queue drops twice").answers == ()
        with opened(url) as anew:
            assert anew.recall(query="queue drops twice").answers == ()
            assert [revision.operation for revision in anew.history().revisions] == ["init"]
            with pytest.raises(NotFound):
                anew.get("shop-queue")
        speaker = host.identify(token.encode())
        assert host.projects(speaker) == []
    restore_store(url, done.backup, actor=ADA, replace=True)
    with opened(url) as memories:
        assert memories.get("shop-queue").meta.version == 1
