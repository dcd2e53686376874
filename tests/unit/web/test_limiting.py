"""How often strangers may try something."""

from __future__ import annotations

import pytest

from project_memory.web.limiting import Attempts
from project_memory.web.refusals import Refusal

ADA, BOB, EVE = ({"client": (f"192.0.2.{number}", 4711)} for number in (1, 2, 3))


def test_an_address_has_its_share_and_all_have_theirs() -> None:
    now = [100.0]
    attempts = Attempts(per_address=2, in_all=3, clock=lambda: now[-1])
    attempts.check(ADA)
    attempts.check(ADA)
    with pytest.raises(Refusal) as own:
        attempts.check(ADA)
    assert (own.value.status, own.value.headers) == (429, {"Retry-After": "60"})
    attempts.check(BOB)
    now.append(159.5)
    with pytest.raises(Refusal) as every:
        attempts.check(EVE)
    assert every.value.headers == {"Retry-After": "1"}
    assert str(every.value) == "there were too many attempts that failed; repeat it in 1 seconds"
    now.append(160.0)
    attempts.check(EVE)
    attempts.check(ADA)


def test_what_succeeds_is_no_attempt() -> None:
    now = [100.0]
    attempts = Attempts(per_address=1, in_all=1, clock=lambda: now[-1])
    for _ in range(3):
        attempts.check(ADA)
        attempts.succeeded(ADA)
    attempts.check(ADA)
    now.append(160.0)
    attempts.check(BOB)
    attempts.succeeded(ADA)  # begun a minute ago
    with pytest.raises(Refusal):
        attempts.check(ADA)


def test_who_has_no_address_is_counted_too() -> None:
    attempts = Attempts(per_address=1)
    attempts.check({"client": None})
    with pytest.raises(Refusal):
        attempts.check({})
