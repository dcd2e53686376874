"""Projects and their label registries."""

from __future__ import annotations

import pytest
from factories import memory, revision

from project_memory.errors import Conflict, InvalidInput
from project_memory.jobs import Job, Kind
from project_memory.model import (
    Actor,
    Authority,
    Expectation,
    Label,
    MemoryChange,
    Question,
    Registry,
    Usage,
    Uses,
)
from project_memory.proposals import Proposal
from project_memory.sightings import Sighting
from project_memory.synced import Synced


def test_a_project_begins_at_revision_zero_with_nothing_in_it(storage):
    with storage.write() as writer:
        made = writer.put_project("demo", ["github.com/x/demo"], {"writes": "review"})
    assert (made.name, made.revision) == ("demo", 0)
    with storage.read() as reader:
        assert reader.projects() == [made]
        assert reader.revision(made.key) == 0
        assert reader.registry(made.key) == Registry()
        assert list(reader.memories(made.key)) == []
        assert list(reader.revisions(made.key)) == []
        assert reader.usage(made.key) == Usage()


def test_an_unknown_project_has_revision_zero(storage):
    with storage.read() as reader:
        assert reader.revision(12345) == 0


def test_a_project_is_found_by_name_and_by_each_repository_id(storage):
    with storage.write() as writer:
        made = writer.put_project("demo", ["host/b", "host/a", "host/b"])
    assert made.repository_ids == ("host/a", "host/b")
    with storage.read() as reader:
        assert [reader.project(name) for name in ("demo", "host/a", "host/b")] == [made] * 3
        assert reader.project("host/c") is None


def test_projects_come_by_name(storage):
    with storage.write() as writer:
        for name in ("zeta", "alpha", "Beta", "émile"):
            writer.put_project(name)
        assert [found.name for found in writer.projects()] == ["Beta", "alpha", "zeta", "émile"]


def test_putting_a_project_again_replaces_its_identities_and_settings(storage):
    with storage.write() as writer:
        first = writer.put_project("demo", ["host/old"], {"writes": "open"})
        second = writer.put_project("demo", ["host/new"], {"access": {"mode": "consent"}})
    assert second.key == first.key
    assert second.repository_ids == ("host/new",)
    assert second.settings == {"access": {"mode": "consent"}}
    with storage.read() as reader:
        assert reader.project("host/old") is None


def test_settings_that_are_not_given_stay(storage):
    with storage.write() as writer:
        writer.put_project("demo", [], {"writes": "review"})
        assert writer.put_project("demo").settings == {"writes": "review"}


def test_a_repository_belongs_to_one_project(storage):
    with storage.write() as writer:
        writer.put_project("demo", ["host/a"])
    with pytest.raises(Conflict) as error, storage.write() as writer:
        writer.put_project("other", ["host/a"])
    assert str(error.value) == (
        "repository 'host/a' belongs to project 'demo' already; use that project, or take it "
        "away first with `project-memory --project demo project remove-repo host/a`"
    )
    with storage.read() as reader:
        assert [found.name for found in reader.projects()] == ["demo"]


def test_a_name_with_a_lone_surrogate_is_refused(storage):
    with pytest.raises(InvalidInput), storage.write() as writer:
        writer.put_project("\ud800")


def test_a_label_comes_back_whole(storage, project):
    label = Label(
        "area:auth", "signing in", ("area:login", "area:signin"), "area:web", True, "area:sso"
    )
    with storage.write() as writer:
        writer.put_label(project.key, label)
    with storage.read() as reader:
        assert reader.registry(project.key) == Registry({"area:auth": label})


def test_labels_come_by_name_and_are_replaced_and_removed(storage, project):
    with storage.write() as writer:
        for name in ("kind:bug", "area:db", "context:ci"):
            writer.put_label(project.key, Label(name))
        writer.put_label(project.key, Label("kind:bug", "a defect"))
        writer.remove_label(project.key, "context:ci")
        writer.remove_label(project.key, "never:there")
    with storage.read() as reader:
        found = reader.registry(project.key).labels
    assert list(found) == ["area:db", "kind:bug"]
    assert found["kind:bug"].description == "a defect"


def test_a_prefix_is_declared_single_and_released(storage, project):
    with storage.write() as writer:
        for prefix in ("kind", "area", "kind"):
            writer.put_prefix(project.key, prefix, single=True)
        assert writer.registry(project.key).single == {"kind", "area"}
        writer.put_prefix(project.key, "kind", single=False)
        writer.put_prefix(project.key, "never", single=False)
    with storage.read() as reader:
        assert reader.registry(project.key).single == {"area"}


def test_registries_are_apart(storage, project):
    with storage.write() as writer:
        other = writer.put_project("other")
        writer.put_label(project.key, Label("kind:bug"))
        writer.put_prefix(project.key, "kind", single=True)
        assert writer.registry(other.key) == Registry()


def test_a_project_that_is_renamed_keeps_everything_else(storage, project):
    with storage.write() as writer:
        writer.put_project("demo", ["host/demo"], {"writes": "review"})
        writer.rename_project(project.key, "shop")
        writer.rename_project(project.key, "shop")
    with storage.read() as reader:
        assert reader.project("demo") is None
        assert reader.project("shop") == reader.project("host/demo")
        assert reader.project("shop").settings == {"writes": "review"}


@pytest.mark.parametrize("name", ["till", "host/till"])
def test_a_name_that_another_project_goes_by_is_refused(storage, project, name):
    with storage.write() as writer:
        writer.put_project("till", ["host/till"])
    with pytest.raises(Conflict) as error, storage.write() as writer:
        writer.rename_project(project.key, name)
    assert str(error.value) == f"project 'till' goes by '{name}' already; choose another name"


def test_a_project_is_archived_since_a_moment_until_it_is_not(storage, project):
    with storage.write() as writer:
        writer.archive_project(project.key, "2026-01-31T09:30:00Z")
        found = writer.project("demo")
        assert (found.archived, found.archived_at) == (True, "2026-01-31T09:30:00Z")
        assert writer.projects() == [found]
        writer.archive_project(project.key, None)
        assert not writer.project("demo").archived


def filled(writer, name):
    """Make a project with something of everything."""
    key = writer.put_project(name, [f"host/{name}"]).key
    one = memory(writer.next_key(), id="one-memory", remembered_facts=[{"fact": "1", "key": "k"}])
    writer.put_memory(key, one, "d", [1, 2], b"s")
    writer.put_label(key, Label("kind:bug"))
    writer.put_prefix(key, "kind", single=True)
    writer.put_expectation(key, Expectation("why?", ("one-memory",)))
    writer.put_redirect(key, "old-id", one.key)
    writer.append_revision(key, revision(1, MemoryChange(None, one)))
    writer.add_usage(key, "2026-01-31", {"one-memory": Uses(applied=1)}, questions=2)
    writer.note_questions(key, [Question("why", "2026-01-31", "2026-01-31", 1, 0)], 9)
    bot = Actor("bot", Authority.AGENT)
    writer.put_proposal(key, Proposal(1, bot, "2026-01-31T09:30:00Z", 1, "a note"))
    writer.put_sighting(key, Sighting("orphan", "one-memory", "", {}, "a", "b"))
    writer.put_tombstone(key, "digest")
    writer.put_synced(Synced(key, "host", "/folder", 1, "mark", {}))
    writer.take_job(Job(key, Kind.AUDIT, "w", "2026-01-31T09:30:00Z"), "2026-01-31T09:29:00Z")
    return key


def told(reader, key):
    return (
        list(reader.memories(key)), reader.same_text(key, "d"), reader.near_text(key, [1, 2], 9),
        reader.other_values(key, "k", "2"), reader.registry(key), reader.expectations(key),
        reader.redirect(key, "old-id"), list(reader.revisions(key)), reader.usage(key),
        reader.questions(key), list(reader.proposals(key)), list(reader.sightings(key)),
        reader.tombstones(key), [job for job in reader.jobs() if job.project == key],
        reader.revision(key), reader.last_version(key, "one-memory"),
        reader.synced(key, "host", "/folder"),
    )  # fmt: skip


def test_of_a_project_that_is_removed_nothing_is_left_and_of_others_all(storage):
    with storage.write() as writer:
        empty = told(writer, 999)
        kept, gone = filled(writer, "kept"), filled(writer, "gone")
        before = told(writer, kept)
    with storage.write() as writer:
        writer.remove_project(gone)
    with storage.read() as reader:
        assert told(reader, gone) == empty
        assert told(reader, kept) == before
        assert [project.name for project in reader.projects()] == ["kept"]
        assert reader.project("host/gone") is None


def test_no_key_of_a_project_that_is_removed_is_given_again(storage):
    with storage.write() as writer:
        filled(writer, "kept")
        gone = filled(writer, "gone")
        last = writer.next_key()
        writer.remove_project(gone)
    with storage.write() as writer:
        assert writer.put_project("gone").key > gone
        assert writer.next_key() > last
