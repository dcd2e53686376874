"""What another server commits is in the index before anybody asks."""

from __future__ import annotations

import threading

from factories import draft

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority
from project_memory.services.indexes import Indexes

ADA = Actor("ada", Authority.USER)


def test_a_change_is_taken_in_while_nobody_asks(postgres, monkeypatch):
    url = postgres()
    taken = threading.Event()
    take_in = Indexes.take_in

    def noted(*arguments):
        take_in(*arguments)
        taken.set()

    monkeypatch.setattr(Indexes, "take_in", noted)
    with (
        ProjectMemory.open(url, project="demo", actor=ADA, create=True) as serving,
        ProjectMemory.open(url, project="demo", actor=ADA) as writing,
    ):
        serving.recall(query="retry")
        serving.follow()
        serving.follow()
        number = 0
        while not taken.wait(0.05):  # until it listens, nothing is heard
            number += 1
            writing.create(
                draft(id=f"retry-{number}", description=f"What lesson {number} says of a retry")
            )
            assert number < 500
        [held] = serving._indexes._held.values()
        assert len(held) > 0


def test_a_store_on_this_machine_is_not_followed(tmp_path):
    path = str(tmp_path / "memory.db")
    with ProjectMemory.open(path, project="demo", actor=ADA, create=True) as memory:
        memory.follow()
        assert memory._follower is None
