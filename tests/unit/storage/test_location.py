from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from project_memory.errors import InvalidInput
from project_memory.storage.location import is_local, located


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
        ("", "store '' is no path; use a path, `sqlite:///path` or `inmemory://`"),
        ("  ", "store '  ' is no path; use a path, `sqlite:///path` or `inmemory://`"),
        (":memory:", "store ':memory:' is no path; use a path, `sqlite:///path` or `inmemory://`"),
        ("a\0b", "store 'a\\x00b' is no path; use a path, `sqlite:///path` or `inmemory://`"),
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
            "'memory://' names resources, not a store; use a path, `sqlite:///path` or "
            "`inmemory://`",
        ),
        (
            "postgresql://ada:s3cret@host/db",
            "this version has no back end for 'postgresql://'; use a path, `sqlite:///path` or "
            "`inmemory://`",
        ),
        (
            "mysql://ada:s3cret@host/db",
            "store scheme 'mysql://' is not known; use a path, `sqlite:///path` or `inmemory://`",
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
