"""A purge that is killed is undone, or finished by whoever comes next: no file holds the text."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from project_memory.app import ProjectMemory, check_store
from project_memory.model import Actor, Authority
from project_memory.storage import open_storage

TRACE = "ask-the-raven-behind-the-vault"
ADA = Actor("ada", Authority.USER)


def draft(name, text):
    return {
        "id": name,
        "description": f"How the staging vault opens: {text}",
        "labels": ["kind:bug"],
        "remembered_facts": [f"whoever knocks must say: {text}"],
    }


@pytest.fixture
def leaky(store, tmp_path, monkeypatch) -> str:
    """Return where a store is that holds the trace in one memory and in its history."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with ProjectMemory.open(store, project="demo", actor=ADA) as memory:
        memory.create(draft("leaked", TRACE))
        memory.update("leaked", {"pitfalls": [f"{TRACE} is said once, not twice"]})
    return store


@pytest.fixture
def kept(tmp_path):
    """Return what names the kept indexes."""
    return lambda: list((tmp_path / "cache").rglob("*.index"))


@pytest.fixture
def files(store, kept, request):
    """Return what names the files that hold the trace."""

    def holding():
        found = kept()
        if store.startswith("postgresql:"):
            server = request.getfixturevalue("postgres_server")
            server.run("CHECKPOINT")
            found += (server.folder / "data" / "base").rglob("*")
        else:
            found += Path(store).parent.glob(f"{Path(store).name}*")
        return [each for each in found if each.is_file() and TRACE.encode() in each.read_bytes()]

    return holding


def kill(start, store, point):
    process = start("purge", store, point)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL, errors


def test_before_the_commit_nothing_has_happened(leaky, start, files, kept):
    kill(start, leaky, "commit")
    assert [b"leaked" in each.read_bytes() for each in kept()] == [True]
    with ProjectMemory.open(leaky, project="demo", actor=ADA) as memory:
        assert TRACE in memory.get("leaked").memory["description"]
        memory.create(draft("another", "with a key"))
    assert files()


@pytest.mark.parametrize(
    ("point", "next_one"), [("indexes", "writer"), ("sweep", "doctor"), ("sweep", "purge")]
)
def test_after_the_commit_whoever_comes_next_clears_what_is_left(
    leaky, start, files, kept, point, next_one
):
    kill(start, leaky, point)
    assert files()  # or there would be nothing to clear
    assert not kept()
    if next_one == "doctor":
        assert [check for check in check_store(leaky, "demo") if check.name == "purge"]
    else:
        with ProjectMemory.open(leaky, project="demo", actor=ADA) as memory:
            if next_one == "purge":
                memory.purge("leaked")
            else:
                memory.create(draft("another", "with a key"))
    assert files() == []
    assert [check for check in check_store(leaky, "demo") if check.name == "purge"] == []


def test_once_it_is_swept_nothing_is_left_to_do(leaky, start, files):
    kill(start, leaky, "settled")
    assert files() == []
    assert [check for check in check_store(leaky, "demo") if check.name == "purge"] == []


def test_who_only_reads_clears_nothing_and_a_dry_run_neither(leaky, start):
    kill(start, leaky, "sweep")
    with ProjectMemory.open(leaky, project="demo", actor=ADA) as memory:
        memory.recall(query="vault")
        memory.create(draft("another", "with a key"), dry_run=True)
    storage = open_storage(leaky, create=False)
    with storage.read() as reader:
        assert reader.owes_sweep()
    storage.close()
