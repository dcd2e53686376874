from __future__ import annotations

import pytest

from project_memory.errors import InvalidInput
from project_memory.storage import findings

LOSSY = (
    "the server of store '{}' has 'fsync' off, so that it can lose what it said was stored; turn "
    "it on"
)


def test_a_server_that_may_lose_what_it_acknowledged_is_a_finding(url, opened):
    opened(url)
    assert findings(url) == [LOSSY.format(url)]


def test_a_missing_store_is_a_finding(url):
    assert findings(url) == [
        f"no store at '{url}'; check the URL, or create it with `project-memory init`"
    ]


def test_an_index_that_is_not_valid_is_a_finding(url, opened, postgres_server):
    opened(url)
    postgres_server.run(
        "UPDATE pg_index SET indisvalid = false "
        "WHERE indexrelid = 'project_memory.history_by_id'::regclass"
    )
    assert findings(url)[0] == (
        f"index 'project_memory.history_by_id' of store '{url}' is not valid; run `REINDEX INDEX "
        "project_memory.history_by_id`"
    )


def test_a_url_that_cannot_be_used_is_no_finding():
    with pytest.raises(InvalidInput):
        findings("postgresql://a b")
