"""What is kept of tokens, of codes that become one once, and of sessions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from project_memory.roles import Role, Speaker
from project_memory.tokens import Enrollment, Session, Token

NOW, LATER, END = "2026-01-31T09:30:00Z", "2026-01-31T09:44:59Z", "2026-01-31T09:45:00Z"
ADA = Speaker("ada", Role.WRITER, frozenset({1, 2}))
CODE = Enrollment("d" * 64, ADA, 30, END)
FOR_A_PERSON = Enrollment("f" * 64, ADA, 1, END, person=True)


def token(name="0a1b2c3d", speaker=ADA, **fields):
    times = {"created_at": NOW, "expires_at": END, **fields}
    return Token(name, "c" * 64, speaker, **times)


def put(storage, *tokens):
    with storage.write() as writer:
        for one in tokens:
            writer.put_token(one)


def redeemed(storage, digest, now):
    with storage.write() as writer:
        return writer.redeem(digest, now)


def test_a_token_comes_back_as_it_was(storage):
    every = token("ffffffff", Speaker("root", Role.ADMIN), revoked_at=LATER)
    put(storage, token(), every)
    with storage.read() as reader:
        assert reader.token("0a1b2c3d") == token()
        assert reader.token("ffffffff") == every
        assert reader.token("00000000") is None


def test_tokens_are_listed_by_actor_time_and_id(storage):
    bob = Speaker("bob", Role.READER, frozenset())
    names = ["22222222", "11111111", "33333333"]
    put(storage, *(token(name, bob) for name in names), token("99999999", ADA))
    put(storage, token("33333333", bob, created_at="2025-01-01T00:00:00Z"))
    with storage.read() as reader:
        listed = [one.id for one in reader.tokens()]
    assert listed == ["99999999", "33333333", "11111111", "22222222"]


def test_a_token_is_replaced_by_the_one_of_its_id(storage):
    put(storage, token())
    put(storage, replace(token(), revoked_at=LATER))
    with storage.read() as reader:
        assert [one.revoked_at for one in reader.tokens()] == [LATER]


def test_a_code_is_redeemed_once(storage):
    with storage.write() as writer:
        writer.put_enrollment(CODE)
        writer.put_enrollment(FOR_A_PERSON)
    assert redeemed(storage, FOR_A_PERSON.digest, NOW) == FOR_A_PERSON
    assert redeemed(storage, "e" * 64, NOW) is None
    assert redeemed(storage, CODE.digest, LATER) == CODE
    assert redeemed(storage, CODE.digest, LATER) is None


def test_a_code_that_expired_is_not_redeemed(storage):
    with storage.write() as writer:
        writer.put_enrollment(CODE)
    assert redeemed(storage, CODE.digest, END) is None


def test_what_redeemed_and_failed_redeemed_nothing(storage):
    with storage.write() as writer:
        writer.put_enrollment(CODE)
    try:
        with storage.write() as writer:
            assert writer.redeem(CODE.digest, NOW) == CODE
            raise ZeroDivisionError
    except ZeroDivisionError:
        pass
    assert redeemed(storage, CODE.digest, NOW) == CODE


def test_of_many_who_redeem_at_once_one_does(storage):
    with storage.write() as writer:
        writer.put_enrollment(CODE)
    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(lambda _: redeemed(storage, CODE.digest, NOW), range(50)))
    assert sorted(map(bool, found)) == [False] * 49 + [True]


def test_a_session_comes_back_as_it_was_until_it_is_removed(storage):
    first = Session("a" * 64, "0a1b2c3d", None, NOW, END)
    second = Session("b" * 64, None, "c" * 64, NOW, END, person=True)
    with storage.write() as writer:
        writer.put_session(first)
        writer.put_session(second)
    with storage.write() as writer:
        assert writer.session_of(first.digest) == first
        writer.remove_session(first.digest)
        writer.remove_session("d" * 64)
    with storage.read() as reader:
        assert reader.session_of(first.digest) is None
        assert reader.session_of(second.digest) == second


def test_sessions_that_have_expired_are_removed(storage):
    with storage.write() as writer:
        writer.put_session(Session("a" * 64, "0a1b2c3d", None, NOW, LATER))
        writer.put_session(Session("b" * 64, "0a1b2c3d", None, NOW, END))
        writer.remove_expired_sessions(LATER)
        assert writer.session_of("a" * 64) is None
        assert writer.session_of("b" * 64) is not None
