"""A server that is restarted under load: clear errors, and everything goes on afterwards."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from project_memory.app import ProjectMemory
from project_memory.errors import StorageError
from project_memory.model import Actor, Authority
from project_memory.storage import open_storage

ADA = Actor("ada", Authority.USER)
LOST = (
    "the connection to store '{}' was lost, nothing was changed; repeat the command when the "
    "server is up"
)
UNCERTAIN = (
    "the connection to store '{}' was lost while a change was being committed, so that it may "
    "have been made or not; look before you repeat it"
)
WRITERS = 4


class Load:
    """Writers that go on until they are told that it is over."""

    def __init__(self, memory):
        self._memory = memory
        self._over = threading.Event()
        self._progress = threading.Condition()
        self.acknowledged, self.errors = [], []

    def write(self, number):
        turn = 0
        while not self._over.is_set():
            turn += 1
            name = f"writer-{number}-{turn}"
            text = f"what writer {number} learned in turn {turn}"
            draft = {"id": name, "description": text, "labels": ["kind:bug"]}
            try:
                self._memory.create({**draft, "remembered_facts": [f"fact {number} {turn}"]})
            except StorageError as error:
                self.errors.append(str(error))
            else:
                with self._progress:
                    self.acknowledged.append(name)
                    self._progress.notify_all()

    def wait_for_more(self, count):
        """Wait until so many further memories are acknowledged."""
        with self._progress:
            wanted = len(self.acknowledged) + count
            assert self._progress.wait_for(lambda: len(self.acknowledged) >= wanted, 120)

    def end(self):
        self._over.set()


def test_a_restart_under_load_loses_nothing(postgres, postgres_server, caplog):
    url = postgres()
    with (
        ProjectMemory.open(url, project="demo", actor=ADA, create=True) as memory,
        ThreadPoolExecutor(WRITERS) as threads,
    ):
        load = Load(memory)
        writers = [threads.submit(load.write, number) for number in range(WRITERS)]
        try:
            for how in (signal.SIGINT, signal.SIGQUIT):
                load.wait_for_more(3)
                postgres_server.stop(how)
                postgres_server.start()
            load.wait_for_more(3)
        finally:
            load.end()
        for writer in writers:
            writer.result(120)
        assert memory.validate().ok
    with closing(open_storage(url, create=False)) as storage, storage.read() as reader:
        found = {one.id for one in reader.memories(reader.project("demo").key)}
    assert set(load.acknowledged) <= found
    told = [
        error for error in load.errors if error not in (LOST.format(url), UNCERTAIN.format(url))
    ]
    assert told == []
    uncertain = sum(error == UNCERTAIN.format(url) for error in load.errors)
    assert len(found - set(load.acknowledged)) <= uncertain
