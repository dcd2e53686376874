"""Which changes of the own status are allowed."""

from __future__ import annotations

import pytest

from project_memory import lifecycle
from project_memory.errors import InvalidTransition
from project_memory.model import Status

REASON = "it was measured again"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("active", "stale", REASON),
        ("active", "wrong", REASON),
        ("stale", "active", None),
        ("stale", "wrong", REASON),
        ("wrong", "active", REASON),
    ],
)
def test_an_allowed_change_passes(old: str, new: str, reason: str | None) -> None:
    lifecycle.check_transition("lesson", Status(old), Status(new), reason)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("wrong", "stale", "'lesson' is wrong and cannot become stale; allowed: active"),
        ("active", "active", "'lesson' is active and cannot become active; allowed: stale, wrong"),
        ("stale", "stale", "'lesson' is stale and cannot become stale; allowed: active, wrong"),
        (
            "active",
            "superseded",
            "'lesson' becomes superseded only by a link; use "
            "`project-memory link NEW-ID supersedes lesson`",
        ),
    ],
)
def test_any_other_change_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(InvalidTransition) as caught:
        lifecycle.check_transition("lesson", Status(old), Status(new), REASON)
    assert str(caught.value) == message


@pytest.mark.parametrize("reason", [None, "", " \n"])
@pytest.mark.parametrize(
    ("old", "new"),
    [("active", "stale"), ("active", "wrong"), ("stale", "wrong"), ("wrong", "active")],
)
def test_a_change_that_needs_a_reason_is_refused_without_one(
    old: str, new: str, reason: str | None
) -> None:
    with pytest.raises(InvalidTransition) as caught:
        lifecycle.check_transition("lesson", Status(old), Status(new), reason)
    assert str(caught.value) == (
        f"a change of 'lesson' from {old} to {new} needs a reason; "
        "say in one sentence what showed it"
    )
