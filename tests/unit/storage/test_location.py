from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from project_memory.errors import InvalidInput
from project_memory.storage.location import address, called, is_local, located

REMEDY = "use a path, `sqlite:///path`, `postgresql://host/database` or `inmemory://`"


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("/data/memory.db", "/data/memory.db"),
        ("/data/../other/./memory.db", "/other/memory.db"),
        ("/data/with space#and?marks%20.db", "/data/with space#and?marks%20.db"),
        ("sqlite:///data/memory.db", "/data/memory.db"),
        ("sqlite:////data/memory.db", "/data/memory.db"),
        ("SQLite:///data/memory.db", "/data/memory.db"),
        ("sqlite:///data/with%20space%23and%3Fmarks.db", "/data/with space#and?marks.db"),
        ("sqlite:///данные/память.db", "/данные/память.db"),
    ],
)
def test_a_url_leads_to_a_file(url, path):
    assert located(url) == Path(path)


def test_a_relative_path_counts_from_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert located("memory.db") == tmp_path / "memory.db"


def test_a_tilde_is_the_home_directory(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ada")
    assert located("~/memory.db") == Path("/home/ada/memory.db")


def test_no_url_is_the_users_data_directory():
    folder = platformdirs.user_data_dir("project-memory", appauthor=False)
    assert located(None) == Path(folder) / "memory.db"


@pytest.mark.parametrize("url", ["inmemory://", "inmemory://anything"])
def test_the_in_memory_store_has_no_file(url):
    assert located(url) is None


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", f"store '' is no path; {REMEDY}"),
        ("  ", f"store '  ' is no path; {REMEDY}"),
        (":memory:", f"store ':memory:' is no path; {REMEDY}"),
        ("a\0b", f"store 'a\\x00b' is no path; {REMEDY}"),
        (
            "sqlite://memory.db",
            "store 'sqlite://memory.db' names no file; write `sqlite:///path`, three slashes",
        ),
        ("sqlite://", "store 'sqlite://' names no file; write `sqlite:///path`, three slashes"),
        ("sqlite:///", "store 'sqlite:///' names no file; write `sqlite:///path`, three slashes"),
        (
            "sqlite:///m.db?mode=ro",
            "store 'sqlite:///m.db?mode=ro' has options, which a store does not take; remove them",
        ),
        (
            "memory://demo/some-id",
            f"'memory://' names resources, not a store; {REMEDY}",
        ),
        (
            "mysql://ada:s3cret@host/db",
            f"store scheme 'mysql://' is not known; {REMEDY}",
        ),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_without_repeating_a_password(url, message):
    with pytest.raises(InvalidInput) as error:
        located(url)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("sqlite:///home/ada/memory.db", True),
        ("inmemory://", True),
        ("postgresql://db.example.org/memory", False),
        ("https://memory.example.org", False),
    ],
)
def test_only_a_store_on_this_machine_is_local(url: str, *, local: bool) -> None:
    assert is_local(url) is local


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:///home/ada/secret%20plans/memory.db", "memory.db"),
        ("sqlite:///home/ada/with%20space.db", "with space.db"),
        ("postgresql://ada@db.example.org:5433/memory", "memory"),
        ("postgresql:///lessons?host=/run/pg", "lessons"),
        ("postgresql://%2Frun%2Fpg/memory", "memory"),
        ("postgresql://db.example.org", "memory"),
        ("inmemory://", "memory"),
    ],
)
def test_what_a_store_is_called_says_nothing_of_where_it_is(url: str, name: str) -> None:
    assert called(url) == name


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://db.example.org/memory", "postgresql://db.example.org/memory"),
        ("POSTGRES://db.example.org:5433/memory", "postgresql://db.example.org:5433/memory"),
        ("postgresql://ada:s3cret@db/memory", "postgresql://ada@db/memory"),
        ("postgresql://ada@one:5432,two:5433/m", "postgresql://ada@one:5432,two:5433/m"),
        ("postgresql://[2001:db8::1]:5432/m", "postgresql://[2001:db8::1]:5432/m"),
        ("postgresql:///memory?host=/run/pg", "postgresql:///memory?host=/run/pg"),
        ("postgresql://%2Frun%2Fpg/memory", "postgresql://%2Frun%2Fpg/memory"),
        ("postgresql://", "postgresql://"),
        (
            "postgresql://ada@db/m?sslmode=require&password=s3cret&sslpassword=s3cret",
            "postgresql://ada@db/m?sslmode=require",
        ),
        ("postgresql://:s3cret@db/m", "postgresql://db/m"),
        ("postgresql://ada:s%403%2Fcret@db/m", "postgresql://ada@db/m"),
    ],
)
def test_a_server_is_shown_without_its_password(url, shown):
    assert address(url) == shown
    assert "s3cret" not in repr(located(url))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:s3/cret@db/m",
        "postgresql://ada:s3#cret@db/m",
        "postgresql://ada:s3?cret@db/m",
        "postgresql://ada:s3@cret@db/m",
        "postgresql://ada:s3 cret@db/m",
        "postgresql://db/m#s3cret",
        "postgresql://db/m/s3cret",
        "postgresql://db:port/m",
    ],
)
def test_a_server_whose_password_cannot_be_told_apart_is_refused_whole(url):
    with pytest.raises(InvalidInput) as error:
        located(url)
    assert str(error.value) == (
        "a store URL that begins with 'postgresql://' cannot be read; write "
        "`postgresql://user@host:port/database`, with other characters percent-encoded, and give "
        "the password in PGPASSWORD or ~/.pgpass"
    )
