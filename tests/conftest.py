"""Settings for the whole suite."""

import os
import tempfile
from collections.abc import Callable, Iterator

import pytest
import servers
from hypothesis import settings
from lacking import lack

# How long an example takes says nothing about the code on a busy machine. A change is judged by
# the same examples on every run; `make soak` looks for new ones.
SOAK = "PROJECT_MEMORY_SOAK" in os.environ
settings.register_profile("suite", deadline=None, derandomize=not SOAK)
settings.load_profile("suite")

# what is kept between processes is not kept between runs, nor beside what the user keeps
_CACHE = tempfile.TemporaryDirectory(prefix="project-memory-tests-")
os.environ["XDG_CACHE_HOME"] = _CACHE.name

# nor may a test meet the keyring of who runs it
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[servers.Server]:
    """Return a PostgreSQL that runs until the tests end."""
    with servers.running() as server:
        if server is None:
            lack("PostgreSQL is not installed (on Debian: apt-get install postgresql)")
        yield server


@pytest.fixture
def postgres(postgres_server: servers.Server) -> Callable[[], str]:
    """Return what takes any store out of a database, and returns its URL."""

    def emptied() -> str:
        postgres_server.run("DROP SCHEMA IF EXISTS project_memory CASCADE")
        return postgres_server.url()

    return emptied
