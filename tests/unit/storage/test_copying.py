"""A store goes from one database to another and loses nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from factories import memory, revision

from project_memory.backups import Backup
from project_memory.errors import Conflict, InvalidInput, NotFound, StorageError
from project_memory.jobs import Job, Kind
from project_memory.model import (
    Actor,
    Authority,
    Expectation,
    Label,
    LabelChange,
    MemoryChange,
    PrefixChange,
    Question,
    Uses,
)
from project_memory.proposals import Proposal, State
from project_memory.roles import Role, Speaker
from project_memory.sightings import Sighting
from project_memory.storage import copy_storage, open_storage
from project_memory.storage.relational.tables import TABLES
from project_memory.synced import Synced
from project_memory.tokens import Enrollment, Session, Token

ODD = "nul \0, \1\2, tab \t, quote ' \" \\, é, \u2028, 😀"
ROWS = {
    "projects": 2,
    "repository_ids": 2,
    "labels": 1,
    "single_prefixes": 1,
    "expectations": 1,
    "memories": 1201,
    "imprints": 1,
    "text_bands": 2,
    "fact_values": 1,
    "redirects": 1,
    "revisions": 2,
    "history": 4,
    "uses": 2,
    "questions": 1,
    "unhelped_questions": 1,
    "proposals": 1,
    "sightings": 1,
    "tombstones": 1,
    "tokens": 1,
    "enrollments": 1,
    "backups": 1,
    "sessions": 1,
    "synced_folders": 1,
    "jobs": 1,
}


def fill(url):
    """Make a store with something of everything."""
    with closing(open_storage(url, create=True)) as storage, storage.write() as writer:
        writer.put_project("first", ["host/first", "host/same"], {"writes": "open", "odd": ODD})
        project = writer.put_project("second").key
        one = memory(
            writer.next_key(),
            id="one-memory",
            tags=[ODD],
            remembered_facts=[{"fact": "80", "key": "port"}],
            archived_at="2026-02-01T09:30:00Z",
            pinned=True,
            tier_since="2026-01-31T09:30:00Z",
        )
        writer.put_memory(project, one, "d", [-(2**63), 2**63 - 1], b"\0\1\xff")
        for number in range(1200):
            writer.put_memory(project, memory(writer.next_key(), id=f"m-{number}"), f"d{number}")
        writer.next_key()
        label = Label("kind:bug", ODD, ("kind:bugs",), deprecated=True, replaced_by="kind:x")
        writer.put_label(project, label)
        writer.put_prefix(project, "kind", single=True)
        expectation = Expectation("why?", ("one-memory",))
        writer.put_expectation(project, expectation)
        writer.put_redirect(project, "old-id", 1)
        changes = (
            MemoryChange(None, one),
            LabelChange(None, label),
            PrefixChange("kind", False, True),
        )
        writer.append_revision(project, revision(1, *changes, reason=ODD))
        writer.append_revision(
            project, revision(2, MemoryChange(one, replace(one, pinned=False)), undoes=1)
        )
        uses = Uses(surfaced=1, surfaced_direct=1, wrong=1)
        writer.add_usage(
            project, "2026-01-31", {"one-memory": uses, "m-1": Uses(applied=2)}, questions=3
        )
        noted = Question(ODD, "2026-01-31", "2026-02-01", 1, 2)
        writer.note_questions(project, [noted], 9)
        bot = Actor("bot", Authority.AGENT)
        number = writer.next_proposal(project)
        writer.put_proposal(project, Proposal(number, bot, "2026-01-31T09:30:00Z", 1, ODD))
        writer.put_sighting(project, Sighting("orphan", "one-memory", ODD, {"a": [ODD]}, "a", "b"))
        writer.put_tombstone(project, "digest")
        time, speaker = "2026-01-31T09:30:00Z", Speaker(ODD, Role.WRITER, frozenset({project}))
        writer.put_token(Token("0a1b2c3d", "c" * 64, speaker, time, time, time))
        writer.put_enrollment(Enrollment("d" * 64, speaker, 30, time))
        writer.archive_project(project, time)
        writer.put_backup(Backup(time, ODD, ODD))
        writer.put_session(Session("e" * 64, "0a1b2c3d", None, time, time))
        writer.put_synced(Synced(project, ODD, ODD, 2, "m", {1: 1}))
        job = Job(project, Kind.AUDIT, ODD, time)
        writer.take_job(job, time)
        writer.end_job(replace(job, error=ODD, failures=2, result={"a": [ODD]}))


def told(url):
    """Return whatever a store tells."""
    with closing(open_storage(url, create=False)) as storage, storage.read() as reader:
        return (
            reader.store_id(),
            [
                (
                    project,
                    list(reader.memories(project.key)),
                    reader.same_text(project.key, "d3"),
                    reader.near_text(project.key, [-(2**63)], 9),
                    reader.other_values(project.key, "port", "another"),
                    reader.registry(project.key),
                    reader.expectations(project.key),
                    reader.redirect(project.key, "old-id"),
                    list(reader.revisions(project.key)),
                    [reader.mark(project.key, number) for number in (1, 2)],
                    reader.usage(project.key),
                    reader.questions(project.key),
                    list(reader.proposals(project.key)),
                    list(reader.proposals(project.key, State.WAITING)),
                    list(reader.sightings(project.key)),
                    reader.tombstones(project.key),
                    reader.synced(project.key, ODD, ODD),
                )
                for project in reader.projects()
            ],
            reader.tokens(),
            reader.backups(),
            reader.session_of("e" * 64),
            reader.jobs(),
        )


def following(url):
    """Return the next keys of a memory and of a project."""
    with closing(open_storage(url, create=False)) as storage, storage.write() as writer:
        return writer.next_key(), writer.put_project("third").key


@pytest.fixture
def places(request, tmp_path):
    """Return the URLs of a full store and of a place without one."""
    made = {
        "file": lambda name: f"sqlite://{tmp_path}/{name}.db",
        "server": lambda _: request.getfixturevalue("postgres")(),
    }
    kinds = zip(("source", "target"), request.param, strict=True)
    source, target = (made[kind](name) for name, kind in kinds)
    fill(source)
    return source, target


def nothing(_done, _of):
    pass


PATHS = pytest.mark.parametrize(
    "places", [("file", "server"), ("server", "file"), ("file", "file")], indirect=True
)


@PATHS
def test_a_copy_tells_what_the_store_tells(places):
    source, target = places
    before = told(source)
    steps = []
    done = copy_storage(source, target, lambda *step: steps.append(step))
    assert (done.source, done.target, dict(done.rows)) == (source, target, ROWS)
    assert told(target) == before == told(source)
    assert following(target) == following(source)
    total = 2 * sum(ROWS.values())
    assert steps == sorted(steps)
    assert steps[-1] == (total, total)


@PATHS
def test_keys_of_projects_that_were_removed_are_not_given_again_in_the_copy(places):
    source, target = places
    with closing(open_storage(source, create=False)) as storage, storage.write() as writer:
        writer.remove_project(writer.project("second").key)
    copy_storage(source, target, nothing)
    assert following(target) == following(source)
    assert following(target)[1] == 3


@PATHS
def test_a_place_with_projects_is_left_alone(places):
    source, target = places
    with closing(open_storage(target, create=True)) as storage, storage.write() as writer:
        writer.put_project("already-here")
    with pytest.raises(Conflict) as error:
        copy_storage(source, target, nothing)
    assert str(error.value) == (
        f"store '{target}' holds projects already; name a place without a store"
    )
    assert [found[0].name for found in told(target)[1]] == ["already-here"]


def test_what_arrives_otherwise_is_noticed_and_nothing_kept(tmp_path):
    source, target = (f"sqlite://{tmp_path}/{name}.db" for name in ("source", "target"))
    fill(source)
    open_storage(target, create=True).close()
    with closing(sqlite3.connect(tmp_path / "target.db")) as connection, connection:
        connection.execute(
            "CREATE TRIGGER fault AFTER INSERT ON labels "
            "BEGIN UPDATE labels SET description = 'another'; END"
        )
    with pytest.raises(StorageError) as error:
        copy_storage(source, target, nothing)
    assert str(error.value) == (
        f"what store '{target}' holds of 'labels' is not what was written to it; nothing was kept "
        "there: report this"
    )
    assert told(target)[1] == []


def test_what_arrives_in_addition_is_noticed(tmp_path):
    source, target = (f"sqlite://{tmp_path}/{name}.db" for name in ("source", "target"))
    fill(source)
    open_storage(target, create=True).close()
    with closing(sqlite3.connect(tmp_path / "target.db")) as connection, connection:
        connection.execute(
            "CREATE TRIGGER fault AFTER INSERT ON proposals "
            "BEGIN INSERT INTO tombstones VALUES (NEW.project, 'zzz'); END"
        )
    with pytest.raises(StorageError):
        copy_storage(source, target, nothing)


def test_a_store_is_not_copied_onto_itself(tmp_path):
    path = tmp_path / "memory.db"
    with pytest.raises(InvalidInput) as error:
        copy_storage(str(path), f"sqlite://{path}", nothing)
    assert str(error.value) == f"'sqlite://{path}' is the store itself; name another place"


def test_a_store_that_is_not_there_leaves_no_copy(tmp_path):
    with pytest.raises(NotFound):
        copy_storage(str(tmp_path / "source.db"), str(tmp_path / "target.db"), nothing)
    assert list(tmp_path.iterdir()) == []


def test_what_is_only_in_memory_is_not_copied(tmp_path):
    with pytest.raises(InvalidInput) as error:
        copy_storage("inmemory://", str(tmp_path / "target.db"), nothing)
    assert str(error.value) == (
        "store 'inmemory://' is gone with this process; name one in a file or a database"
    )


@pytest.mark.parametrize("places", [("file", "server")], indirect=True)
def test_no_table_and_no_column_is_left_behind(places, postgres_server, tmp_path):
    open_storage(places[1], create=True).close()
    copied = {table.name: set(table.columns) for table in TABLES}
    with closing(sqlite3.connect(tmp_path / "source.db")) as connection:
        tables = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table'"
        ).fetchall()
        in_file = {
            name: {row[1] for row in connection.execute(f"PRAGMA table_info({name})")}
            for (name,) in tables
        }
    on_server = {}
    for table, column in postgres_server.run(
        "SELECT table_name, column_name FROM information_schema.columns "
        "WHERE table_schema = 'project_memory'"
    ):
        on_server.setdefault(table, set()).add(column)
    store = {"store": {"name", "value"}}
    assert on_server == copied | store
    assert in_file == {**on_server, "imprints": on_server["imprints"] - {"project"}}
