from __future__ import annotations

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from project_memory.storage.postgres.texts import adaptation

TEXTS = st.text(st.sampled_from("\0\1\2ab\u00e9\U0001f600"), max_size=8) | st.text(
    st.characters(exclude_categories=["Cs"])
)


@pytest.fixture(scope="module")
def connection(postgres_server):
    with psycopg.connect(postgres_server.url(), context=adaptation()) as connection:
        yield connection


@given(text=TEXTS)
def test_any_text_comes_back(connection, text):
    assert connection.execute("SELECT %s::text, %s = %s", (text, text, text)).fetchone() == (
        text,
        True,
    )


@given(left=TEXTS, right=TEXTS)
def test_texts_are_as_different_and_as_sorted_as_their_code_points(connection, left, right):
    sql = 'SELECT %(l)s = %(r)s, %(l)s::text COLLATE "C" < %(r)s::text COLLATE "C"'
    found = connection.execute(sql, {"l": left, "r": right}).fetchone()
    assert found == (left == right, left < right)


def test_a_list_of_texts_arrives(connection):
    row = connection.execute("SELECT %s::text = ANY(%s)", ("a\0b", ["c", "a\0b"])).fetchone()
    assert row == (True,)


def test_a_lone_surrogate_is_left_to_the_caller(connection):
    with pytest.raises(UnicodeEncodeError):
        connection.execute("SELECT %s::text", ("\ud800",))
