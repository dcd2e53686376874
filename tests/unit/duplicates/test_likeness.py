"""Twins say one lesson twice; a number, a name or a negation that differs makes two of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from project_memory.duplicates import LEAST, Profile, likeness

TWINS = {
    "the same": (
        "The build fails when the lock file is missing from the repository",
        "The build fails when the lock file is missing from the repository",
    ),
    "case, marks and spaces": (
        "Run `make lint` first -- the hook refuses anything else!",
        "run make lint first;  the hook  refuses anything else",
    ),
    "other order": (
        "The build fails when the lock file is missing from the repository",
        "When the lock file is missing from the repository, the build fails",
    ),
    "another word": (
        "The build fails when the lock file is missing from the repository",
        "The build breaks when the lock file is missing in the repository",
    ),
    "a number more": (
        "Set the timeout of the gateway in its own configuration file",
        "Set the timeout of the gateway to 30 s in its own configuration file",
    ),
    "a name more": (
        "Close the connection before the worker forks, or both will use it",
        "Close the connection before the worker forks in `pool.py`, or both will use it",
    ),
    "negation spelled otherwise": (
        "Do not commit generated files to the repository",
        "Don't commit generated files to the repository!",
    ),
    "number spelled otherwise": (
        "The client retries three times before it gives the payment up",
        "The client retries 3 times before it gives the payment up",
    ),
    "a unit spelled otherwise": (
        "The gateway waits 30 s for the backend before it gives up",
        "The gateway waits 30 seconds for the backend before it gives up",
    ),
    "a unit more": (
        "The gateway waits 30 for the backend before it gives up",
        "The gateway waits 30 s for the backend before it gives up",
    ),
    "reordered Chinese": (
        "数据库迁移之后必须重新启动服务器；否则缓存会返回旧的数据",
        "否则缓存会返回旧的数据；数据库迁移之后必须重新启动服务器",
    ),
}

APART = {
    "numbers": (
        "The client must retry 3 times before it gives up on the payment queue",
        "The client must retry 5 times before it gives up on the payment queue",
        ("numbers 3 and 5",),
    ),
    "numbers in words": (
        "The client must retry three times before it gives up on the queue",
        "The client must retry five times before it gives up on the queue",
        ("numbers 3 and 5",),
    ),
    "versions": (
        "The parser fails on Python 3.11 with a segmentation fault",
        "The parser fails on Python 3.12 with a segmentation fault",
        ("numbers 3.11 and 3.12",),
    ),
    "units": (
        "The job runs every 5 minutes on the leader of the cluster",
        "The job runs every 5 hours on the leader of the cluster",
        ("numbers 5 min and 5 h",),
    ),
    "ordinals": (
        "The first argument of the command is the name of the store",
        "The second argument of the command is the name of the store",
        ("opposites first and second",),
    ),
    "subjects": (
        "redis loses keys when it is full: set an eviction policy for redis in the settings",
        "minio loses keys when it is full: set an eviction policy for minio in the settings",
        ("subjects redis and minio",),
    ),
    "what is denied of which": (
        "The parser accepts UTF-8 but not UTF-16 input files",
        "The parser accepts UTF-16 but not UTF-8 input files",
        ("negation of utf-16, utf-8",),
    ),
    "weekdays": (
        "Deploy to staging on Monday after the schema was migrated",
        "Deploy to staging on Friday after the schema was migrated",
        ("names monday and friday",),
    ),
    "an opposite and a negation": (
        "Never retry a failed payment automatically; the bank counts it twice",
        "Always retry a failed payment automatically; the bank counts it twice",
        ("negation of retri", "opposites always and never"),
    ),
    "numbers in Chinese": (
        "重试3次后放弃连接数据库服务器并记录错误",
        "重试5次后放弃连接数据库服务器并记录错误",
        ("numbers 3 and 5",),
    ),
    "products": (
        "Restart the Redis container after every change of its configuration",
        "Restart the Kafka container after every change of its configuration",
        ("names redis and kafka",),
    ),
    "identifiers": (
        "Call `save_form` before the session is closed by the middleware",
        "Call `save_page` before the session is closed by the middleware",
        ("names save_form and save_page",),
    ),
    "hyphenated services": (
        "The orders-api must be deployed before the schema is migrated",
        "The billing-api must be deployed before the schema is migrated",
        ("names orders-api and billing-api",),
    ),
    "options": (
        "Run the suite with --no-cache whenever the image was changed",
        "Run the suite with --use-cache whenever the image was changed",
        ("names --no-cache and --use-cache",),
    ),
    "negation": (
        "It is safe to delete the cache folder while the server runs",
        "It is not safe to delete the cache folder while the server runs",
        ("negation of safe",),
    ),
    "contracted negation": (
        "Transactions on replicas can wait for the lock of the writer",
        "Transactions on replicas can't wait for the lock of the writer",
        ("negation of wait",),
    ),
    "negation in German": (
        "Den Index der Datenbank vor dem Import löschen, damit er schneller wird",
        "Den Index der Datenbank vor dem Import nicht löschen, damit er schneller wird",
        ("negation of löschen",),
    ),
    "negation in Chinese": (
        "删除缓存目录是安全的，对正在运行的服务器没有影响",
        "删除缓存目录是不安全的，对正在运行的服务器没有影响",
        ("negation",),
    ),
    "opposites": (
        "Enable the query cache before you run the tests in parallel",
        "Disable the query cache before you run the tests in parallel",
        ("opposites enable and disable",),
    ),
    "a reversing prefix": (
        "Retries are idempotent on this endpoint of the public interface",
        "Retries are nonidempotent on this endpoint of the public interface",
        ("opposites idempotent and nonidempotent",),
    ),
}

UNLIKE = {
    "another subject": (
        "The build fails when the lock file is missing from the repository",
        "Dates in the export are local time, not UTC, whatever the header says",
    ),
    "one topic, another lesson": (
        "SQLite writers see 'database is locked' when a transaction upgrades",
        "SQLite readers see old rows until the checkpoint of the log has run",
    ),
    "nothing": ("", ""),
    "marks only": ("!!!", "???"),
}


@pytest.mark.parametrize("name", TWINS)
def test_one_lesson_told_twice_is_a_pair_of_twins(name: str) -> None:
    one, other = TWINS[name]
    found = likeness(Profile(one), Profile(other))
    assert found.are_twins
    assert found.apart == ()


@pytest.mark.parametrize("name", APART)
def test_what_differs_in_meaning_keeps_two_lessons_apart(name: str) -> None:
    one, other, apart = APART[name]
    found = likeness(Profile(one), Profile(other))
    assert found.is_near
    assert not found.are_twins
    assert found.apart == apart


@pytest.mark.parametrize("name", UNLIKE)
def test_texts_of_other_words_are_not_near(name: str) -> None:
    one, other = UNLIKE[name]
    found = likeness(Profile(one), Profile(other))
    assert not found.is_near
    assert not found.are_twins


def test_words_that_share_most_of_their_letters_are_not_the_same_words() -> None:
    found = likeness(
        Profile("xinternationalization yadministration zconfiguration"),
        Profile("ainternationalization badministration cconfiguration"),
    )
    assert found.score >= LEAST
    assert found.terms == 0.0
    assert not found.is_near


def test_a_text_resembles_itself_wholly() -> None:
    found = likeness(Profile("a lock of the file"), Profile("A lock, of the file."))
    assert found.score == 1.0
    assert found.terms == 1.0


def test_the_score_is_the_share_of_common_five_grams() -> None:
    # "abcde f" and "abcde g": abcde, "bcde " in common; "cde f" and "cde g" not
    assert likeness(Profile("abcde f"), Profile("abcde g")).score == LEAST


@given(st.text(max_size=80), st.text(max_size=80))
def test_likeness_has_no_direction(one: str, other: str) -> None:
    there = likeness(Profile(one), Profile(other))
    back = likeness(Profile(other), Profile(one))
    assert (there.score, there.terms, bool(there.apart)) == (
        back.score,
        back.terms,
        bool(back.apart),
    )
