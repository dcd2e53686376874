from __future__ import annotations

import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
import servers
from factories import memory, revision

from project_memory.errors import (
    InvalidInput,
    NotFound,
    StorageBusy,
    StorageError,
    StoreUnreadable,
)
from project_memory.storage import open_storage
from project_memory.storage.postgres import connections, failures, following

OURS = "application_name = 'project-memory' AND pid <> pg_backend_pid()"
PASSWORD = "open-sesame"


def end_sessions(server, condition="true"):
    ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    server.run(f"{ended} WHERE {OURS} AND {condition}")


def refusal(url, kind, **options):
    with pytest.raises(kind) as error:
        open_storage(url, **{"create": True, **options})
    return str(error.value)


def test_reading_never_creates_a_store(url, postgres_server):
    assert refusal(url, NotFound, create=False) == (
        f"no store at '{url}'; check the URL, or create it with `project-memory init`"
    )
    assert postgres_server.run("SELECT 1 FROM pg_namespace WHERE nspname = 'project_memory'") == []


def test_a_store_is_opened_again_by_the_url_that_it_tells(url, opened):
    storage = opened(url)
    assert storage.url == url
    with storage.read() as reader, opened(storage.url, create=False).read() as again:
        assert again.store_id() == reader.store_id()


def test_a_missing_database_is_named(postgres_server):
    url = postgres_server.url("nowhere")
    assert refusal(url, NotFound) == (
        f"no database for store '{url}'; check the URL, or create it with `createdb`"
    )


def test_a_server_that_is_not_there_is_named(tmp_path):
    url = f"postgresql://ada:{PASSWORD}@/memory?host={tmp_path}"
    shown = url.replace(f":{PASSWORD}", "")
    message = refusal(url, StoreUnreadable)
    start, end = message.split(f'{tmp_path}/.s.PGSQL.5432" failed: ')
    assert start.startswith(f"store '{shown}' is out of reach (")
    assert end == ("No such file or directory); check the URL, and that the server is up")


def test_an_unknown_user_is_not_let_in(postgres_server):
    url = postgres_server.url(user="nobody-here")
    assert refusal(url, StoreUnreadable) == (
        f"store '{url}' does not let you in (role \"nobody-here\" does not exist); check the "
        "user, the password in PGPASSWORD or ~/.pgpass, and what the user is granted"
    )


@pytest.fixture
def stranger(postgres, postgres_server):
    """Return the URL of a user who has a password and may do nothing."""
    postgres()
    name = servers.STRANGER
    postgres_server.run(f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}'")
    yield postgres_server.url(user=name)
    postgres()
    postgres_server.run(f"DROP OWNED BY {name}", f"DROP ROLE {name}")


def test_a_wrong_password_is_not_repeated(stranger):
    url = stranger.replace("@", ":not-the-one@")
    assert refusal(url, StoreUnreadable) == (
        f"store '{stranger}' does not let you in (password authentication failed for user "
        '"stranger"); check the user, the password in PGPASSWORD or ~/.pgpass, and what the user '
        "is granted"
    )


def test_a_user_who_may_not_make_a_store_is_told(stranger, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    assert refusal(stranger, StoreUnreadable) == (
        f"store '{stranger}' does not let you in (permission denied for database postgres); check "
        "the user, the password in PGPASSWORD or ~/.pgpass, and what the user is granted"
    )


def test_a_user_who_may_not_use_a_store_is_told(url, stranger, opened, monkeypatch):
    opened(url)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    assert refusal(stranger, StoreUnreadable) == (
        f"store '{stranger}' does not let you in (permission denied for schema project_memory); "
        "check the user, the password in PGPASSWORD or ~/.pgpass, and what the user is granted"
    )


def test_a_user_with_the_grants_of_the_manual_shares_a_store(
    url, stranger, opened, postgres_server, monkeypatch
):
    opened(url)
    manual = (Path(__file__).parents[4] / "docs" / "storage.md").read_text(encoding="utf-8")
    grants = re.findall(r"^GRANT .*;$", manual, re.MULTILINE)
    assert len(grants) == 3
    postgres_server.run(*(grant.replace("bob", servers.STRANGER) for grant in grants))
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    storage = opened(stranger, create=False)
    with storage.write() as writer:
        project = writer.put_project("demo").key
    with storage.write("demo") as writer:
        writer.put_memory(project, memory(writer.next_key(), id="one-memory"), "d", [1], b"x")
        writer.put_memory(project, memory(9, id="two-memory"), "d")
        writer.append_revision(project, revision(1))
        writer.remove_memory(project, 1)
    with storage.read() as reader:
        assert [found.id for found in reader.memories(project)] == ["two-memory"]


@pytest.mark.parametrize("way", ["PGPASSWORD", "PGPASSFILE", "URL"])
def test_the_password_comes_from_where_libpq_looks(
    stranger, way, postgres_server, opened, monkeypatch, tmp_path
):
    postgres_server.run(f"GRANT CREATE ON DATABASE postgres TO {servers.STRANGER}")
    file = tmp_path / "pgpass"
    file.write_text(f"*:*:*:{servers.STRANGER}:{PASSWORD}\n")
    file.chmod(0o600)
    given = {"PGPASSWORD": PASSWORD, "PGPASSFILE": str(file)}
    if way in given:
        monkeypatch.setenv(way, given[way])
    storage = opened(stranger.replace("@", f":{PASSWORD}@") if way == "URL" else stranger)
    with storage.write() as writer:
        writer.put_project("demo")
    assert storage.url == stranger


def test_an_option_that_is_not_known_is_refused_without_repeating_it(postgres_server):
    url = f"{postgres_server.url()}&passwort={PASSWORD}"
    assert refusal(url, InvalidInput) == (
        f"store '{postgres_server.url()}' is named with an option that PostgreSQL does not "
        "know, or a value that it does not take; check what follows the question mark"
    )


def test_a_database_of_another_encoding_is_refused(postgres_server):
    postgres_server.run(
        "DROP DATABASE IF EXISTS latin",
        "CREATE DATABASE latin ENCODING 'SQL_ASCII' TEMPLATE template0",
    )
    url = postgres_server.url("latin")
    assert refusal(url, StoreUnreadable) == (
        f"the database of store '{url}' is of the encoding 'SQL_ASCII', which does not hold every "
        "text; create one with `createdb --encoding=UTF8 --template=template0`"
    )


def test_a_connection_that_broke_while_idle_is_not_noticed(url, opened, postgres_server):
    storage = opened(url)
    for _ in range(2):
        with storage.read() as reader:
            assert reader.projects() == []
        with storage.write():
            pass
        end_sessions(postgres_server)


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_connection_that_breaks_in_a_transaction_is_told_and_the_next_call_works(
    url, opened, postgres_server, mode
):
    storage = opened(url)

    def meet_the_end():
        with getattr(storage, mode)() as view:
            end_sessions(postgres_server)
            view.projects()

    with pytest.raises(StorageError) as error:
        meet_the_end()
    assert str(error.value) == (
        f"the connection to store '{url}' was lost, nothing was changed; repeat the command when "
        "the server is up"
    )
    with getattr(storage, mode)() as view:
        assert view.projects() == []


def test_a_commit_whose_answer_is_lost_is_called_uncertain(url, opened, postgres_server):
    storage = opened(url)

    def lose():
        with storage.write() as writer:
            writer.put_project("demo")
            end_sessions(postgres_server, "state = 'idle in transaction'")

    with pytest.raises(StorageError) as error:
        lose()
    assert str(error.value) == (
        f"the connection to store '{url}' was lost while a change was being committed, so that it "
        "may have been made or not; look before you repeat it"
    )
    with storage.write() as writer:
        assert writer.projects() == []


def test_more_readers_than_connections_wait_in_line(url, opened):
    storage = opened(url)
    start = threading.Barrier(24)

    def read():
        start.wait(60)
        with storage.read() as reader:
            return reader.store_id()

    with ThreadPoolExecutor(24) as threads:
        futures = [threads.submit(read) for _ in range(24)]
        assert len({future.result(60) for future in futures}) == 1


def test_when_all_connections_broke_the_next_call_does_not_try_each(
    url, opened, postgres_server, monkeypatch
):
    monkeypatch.setattr(connections, "_PATIENCE", 4.0)  # tried one by one, they take longer
    storage = opened(url, busy_timeout=0.1)
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(storage.read())
    end_sessions(postgres_server)
    with storage.read() as reader:
        assert reader.projects() == []


def test_when_every_connection_is_in_use_the_next_reader_gives_up(url, opened, monkeypatch):
    monkeypatch.setattr(connections, "_PATIENCE", 0.2)
    storage = opened(url, busy_timeout=0.1)
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(storage.read())
        with pytest.raises(StorageBusy), storage.read():
            pass
    with storage.read() as reader:
        assert reader.projects() == []


def test_a_server_that_is_down_is_told_and_used_again_when_it_is_up(
    url, opened, postgres_server, monkeypatch
):
    monkeypatch.setattr(connections, "_PATIENCE", 0.2)
    storage = opened(url, busy_timeout=0.1)
    with storage.read():
        pass
    postgres_server.stop()
    for mode in (storage.read, storage.write):
        with pytest.raises(StoreUnreadable) as error, mode():
            pass
        assert str(error.value).startswith(f"store '{url}' is out of reach (")
        assert str(error.value).endswith("); check the URL, and that the server is up")
    postgres_server.start()
    storage._readers._seconds = storage._writers._seconds = 60.0
    for mode in (storage.read, storage.write):
        with mode() as view:
            assert view.projects() == []


def test_a_forked_process_opens_a_store_of_its_own(url, opened):
    storage = opened(url)
    with storage.read():
        pass
    storage._readers._process = storage._writers._process = os.getpid() + 1
    for mode in (storage.read, storage.write):
        with pytest.raises(StorageError) as error, mode():
            pass
        assert str(error.value) == (
            f"store '{url}' was opened before this process was forked; open it in each process"
        )
    storage._readers._process = storage._writers._process = os.getpid()


def test_an_unforeseen_failure_names_the_store_and_the_remedy(url, opened, postgres_server):
    storage = opened(url)
    postgres_server.run("ALTER TABLE project_memory.projects DROP COLUMN settings")
    with storage.read() as reader, pytest.raises(StorageError) as error:
        reader.projects()
    assert str(error.value) == (
        f"store '{url}' failed (column \"settings\" does not exist); run `project-memory doctor`"
    )


def test_tables_that_are_gone_are_told(url, opened, postgres_server):
    storage = opened(url)
    postgres_server.run("DROP SCHEMA project_memory CASCADE")
    with pytest.raises(StorageError) as error, storage.read():
        pass
    assert str(error.value) == f"the tables of store '{url}' are gone; put a backup in their place"


def test_a_server_that_takes_no_changes_is_told(url, opened, monkeypatch):
    storage = opened(url)
    refused = psycopg.errors.ReadOnlySqlTransaction("cannot set transaction read-write mode")
    assert str(failures.translated(refused, storage._server)) == (
        f"store '{url}' is on a server that takes no changes; name the primary server, or add "
        "`?target_session_attrs=read-write` to the URL"
    )


def test_writers_of_two_projects_do_not_wait_for_each_other(url, opened):
    storage = opened(url, busy_timeout=0.1)
    with storage.write() as writer:
        for name in ("one", "two"):
            writer.put_project(name, [f"host/{name}"])
    with storage.write("one") as first:
        with storage.write("two") as second:
            assert first.next_key() != second.next_key()
        for whose in ("one", "host/one", None):
            with pytest.raises(StorageBusy), storage.write(whose):
                pass
    with storage.write(), pytest.raises(StorageBusy), storage.write("two"):
        pass


def test_a_statement_that_takes_longer_than_the_server_lets_it_is_busy(url, opened):
    storage = opened(f"{url}&options=-c%20statement_timeout%3D200")
    with storage.read() as reader, pytest.raises(StorageBusy) as error:
        reader.session.rows("SELECT pg_sleep(60)")
    assert str(error.value) == (
        f"store '{url}' is busy, another writer has held it for too long; repeat the command"
    )


def test_whoever_listens_is_told_of_a_revision_once_it_is_committed(url, opened, postgres_server):
    storage = opened(url)
    with psycopg.connect(url, autocommit=True) as listening:
        listening.execute("LISTEN project_memory")
        with storage.write() as writer:
            project = writer.put_project("demo")
            writer.append_revision(project.key, revision(1))
            assert list(listening.notifies(timeout=0)) == []
        told = [notice.payload for notice in listening.notifies(timeout=30, stop_after=1)]
    assert told == [f"{project.key}:1"]


def test_who_follows_is_told_of_changes_and_again_after_a_broken_connection(
    url, opened, postgres_server, monkeypatch
):
    monkeypatch.setattr(following, "_RETRY", 0.01)
    storage, end = opened(url), threading.Event()
    with storage.write() as writer:
        key = writer.put_project("demo").key
    told = iter(storage.follow(end))
    with ThreadPoolExecutor(1) as threads:
        number = 0
        for _ in range(2):
            waiting = threads.submit(next, told)
            while not waiting.done():  # until it listens, nothing is heard
                number += 1
                with storage.write() as writer:
                    writer.append_revision(key, revision(number))
            assert waiting.result(60) == key
            end_sessions(postgres_server)
        end.set()
        threads.submit(list, told).result(60)
    assert list(storage.follow(end)) == []
