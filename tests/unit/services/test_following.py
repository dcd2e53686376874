"""What another server commits is in the index before anybody asks."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.hosting import Host
from project_memory.model import Actor, Authority
from project_memory.services.identity import shared_speaker
from project_memory.services.indexes import Indexes

ADA = Actor("ada", Authority.USER)


@pytest.fixture
def taken(monkeypatch):
    """Return what is set once a change was taken in."""
    event = threading.Event()
    take_in = Indexes.take_in

    def noted(*arguments):
        take_in(*arguments)
        event.set()

    monkeypatch.setattr(Indexes, "take_in", noted)
    return event


def write_until(taken, url):
    with ProjectMemory.open(url, project="demo", actor=ADA) as writing:
        number = 0
        while not taken.wait(0.05):  # until somebody listens, nothing is heard
            number += 1
            text = f"What lesson {number} says of a retry"
            writing.create(draft(id=f"retry-{number}", description=text))
            assert number < 500


def test_a_change_is_taken_in_while_nobody_asks(postgres, taken):
    url = postgres()
    with ProjectMemory.open(url, project="demo", actor=ADA, create=True) as serving:
        serving.recall(query="retry")
        serving.follow()
        serving.follow()
        write_until(taken, url)
        [held] = serving._indexes._held.values()
        assert len(held) > 0


def test_a_host_takes_in_what_another_server_writes(postgres, taken):
    url = postgres()
    ProjectMemory.open(url, project="demo", actor=ADA, create=True).close()
    with closing(Host.open(url)) as host:
        speaker = shared_speaker()
        served = host.memories(speaker, host.project(speaker, "demo"))
        served.recall(query="retry")
        write_until(taken, url)
        [held] = served._indexes._held.values()
        assert len(held) > 0


def test_a_store_that_tells_nothing_costs_no_thread(tmp_path):
    path = str(tmp_path / "memory.db")
    with ProjectMemory.open(path, project="demo", actor=ADA, create=True) as memory:
        memory.follow()
        memory._follower._thread.join(60)
        assert not memory._follower._thread.is_alive()
