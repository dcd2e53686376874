from __future__ import annotations

from contextlib import ExitStack

import pytest

from project_memory.storage import open_storage


@pytest.fixture
def url(postgres):
    """Return the URL of a database without a store."""
    return postgres()


@pytest.fixture
def opened():
    """Return what opens a store; all are closed at the end."""
    with ExitStack() as stack:

        def opening(url, **options):
            storage = open_storage(url, **{"create": True, **options})
            stack.callback(storage.close)
            return storage

        yield opening
