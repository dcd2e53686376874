"""Text as messages repeat it: on one line, short, and with no secret in it."""

from __future__ import annotations

import pytest

from project_memory import documents
from project_memory.errors import InvalidDocument

# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"


def test_what_cannot_be_printed_is_escaped() -> None:
    assert documents.quotable("a\nb\x1b[31m\ud800é\u2028") == "a\\nb\\x1b[31m\\ud800é\\u2028"


def test_a_secret_is_not_repeated() -> None:
    assert documents.quotable(f"use {TOKEN} here") == "use [redacted: github-token] here"


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    assert documents.quotable("y" * 2_000_000) == "y" * 2000


@pytest.mark.parametrize(
    ("text", "short"),
    [("y" * 80, "y" * 80), (f"'{'y' * 90}'", f"'{'y' * 75}...'")],
)
def test_long_text_is_shortened(text: str, short: str) -> None:
    assert documents.shortened(text) == short


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        (
            {"status": TOKEN},
            "abc $.status: a patch cannot change status to '[redacted: github-token]'; "
            "change it with `project-memory status` [fixed-field]",
        ),
        (
            {"id": {"a": "b\n"}},
            'abc $.id: a patch cannot change id to {"a": "b\\n"}; '
            "rename it with `project-memory rename` [fixed-field]",
        ),
        (
            {"relationships": {TOKEN: []}},
            "$.relationships.[redacted: github-token]: no kind of link "
            "'[redacted: github-token]'; kinds: related, supersedes, superseded_by, contradicts, "
            "depends_on, required_by, caused_by, causes, generalizes, specializes [unknown-field]",
        ),
    ],
)
def test_a_refused_patch_repeats_no_secret(patch: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidDocument) as refused:
        documents.merge_patch({"id": "abc", "status": "active"}, patch)
    assert str(refused.value) == message


@pytest.mark.parametrize("depth", [17, 100_000])
def test_a_patch_nested_beyond_any_document_is_refused(depth: int) -> None:
    patch: dict[str, object] = {}
    for _ in range(depth):
        patch = {"scope": patch}
    with pytest.raises(InvalidDocument) as refused:
        documents.merge_patch({"id": "abc"}, patch)
    assert str(refused.value) == "$: nested too deep to be a patch [too-deep]"
