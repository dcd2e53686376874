"""Projects and their label registries."""

from __future__ import annotations

import pytest

from project_memory.errors import Conflict, InvalidInput
from project_memory.model import Label, Registry, Usage


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
        "repository 'host/a' belongs to project 'demo' already; use that project, or take the "
        "repository from it first"
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
