"""A store knows what it brought a folder to."""

from __future__ import annotations

from project_memory.synced import Synced


def test_nothing_is_known_of_a_folder_at_first(storage, project):
    with storage.read() as reader:
        assert reader.synced(project.key, "a", "/repo/.project-memory") is None


def test_what_is_kept_of_a_folder_is_replaced(storage, project):
    folder = "/répo/.project-memory"
    with storage.write() as writer:
        writer.put_synced(Synced(project.key, "a", folder, 3, "one", {7: 2, 12: 3}))
        writer.put_synced(Synced(project.key, "a", folder, 4, "two", {12: 3}))
    with storage.read() as reader:
        assert reader.synced(project.key, "a", folder) == Synced(
            project.key, "a", folder, 4, "two", {12: 3}
        )


def test_a_folder_is_known_by_project_host_and_path(storage, project):
    with storage.write() as writer:
        other = writer.put_project("other")
        kept = [
            Synced(project.key, "a", "/one", 1, "m"),
            Synced(project.key, "b", "/one", 2, "m"),
            Synced(project.key, "a", "/two", 3, "m"),
            Synced(other.key, "a", "/one", 4, "m"),
        ]
        for each in kept:
            writer.put_synced(each)
    with storage.read() as reader:
        assert [reader.synced(each.project, each.host, each.folder) for each in kept] == kept
