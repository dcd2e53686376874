"""One lesson told twice is found, and the more credible telling stays."""

from __future__ import annotations

from typing import Any

from factories import evidence, memory

from project_memory import audit
from project_memory.audit import Action, Finding, Severity
from project_memory.duplicates import Pair
from project_memory.model import Authority, Memory

TEXT = "Writers on one file see 'database is locked' under load"


def told(key: int, name: str, text: str = TEXT, **fields: Any) -> Memory:
    return memory(key, id=name, description=text, **fields)


def found(code: str, *memories: Memory, twins: tuple[Pair, ...] = ()) -> list[Finding]:
    return audit.judge(evidence(*memories, twins=twins), [code])


def pairs(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.subject, finding.evidence["twin"]) for finding in findings]


def test_of_one_text_all_but_the_most_credible_are_to_be_merged_into_it() -> None:
    memories = (
        told(1, "by-agent", asserted_by=Authority.AGENT),
        told(2, "by-import", TEXT.upper(), asserted_by=Authority.IMPORT),
        told(3, "by-user", asserted_by=Authority.USER),
        told(4, "other", "Another lesson on another subject"),
    )
    assert found("duplicate", *memories) == [
        Finding(
            "duplicate",
            Severity.WARNING,
            name,
            "has the same text as 'by-user'; merge it into that one",
            {"twin": "by-user"},
            Action("merge", {"id": name, "into": "by-user"}, keeps=("by-user",)),
        )
        for name in ("by-agent", "by-import")
    ]


def test_near_twins_are_to_be_merged_into_the_more_credible() -> None:
    memories = (
        told(1, "aaa", asserted_by=Authority.IMPORT),
        told(2, "bbb", f"{TEXT} now", asserted_by=Authority.AGENT),
    )
    assert found("near-duplicate", *memories, twins=(Pair("aaa", "bbb", 0.875),)) == [
        Finding(
            "near-duplicate",
            Severity.NOTE,
            "aaa",
            "says nearly what 'bbb' says (0.88); merge it into that one, or link the two to say "
            "how they differ",
            {"twin": "bbb", "score": 0.875},
            Action("merge", {"id": "aaa", "into": "bbb"}, keeps=("bbb",)),
        )
    ]


def test_what_is_pinned_or_standing_is_not_merged_away_unasked() -> None:
    for kept in ({"pinned": True}, {"standing": True}):
        victim = told(2, "bbb", asserted_by=Authority.AGENT, **kept)
        (finding,) = found("duplicate", told(1, "aaa"), victim)
        assert (finding.subject, finding.action) == ("bbb", None)


def test_a_pair_that_someone_told_apart_is_left_alone() -> None:
    against = {"contradicts": [{"id": "bbb", "reason": "one of them is wrong"}]}
    beside = {"related": [{"id": "bbb", "reason": "both are about writers"}]}
    pair = (Pair("aaa", "bbb", 0.9),)
    other = told(2, "bbb", f"{TEXT} now")
    apart = told(1, "aaa", relationships=against)
    assert found("near-duplicate", apart, other, twins=pair) == []
    related = told(1, "aaa", relationships=beside)
    assert pairs(found("near-duplicate", related, other, twins=pair)) == [("bbb", "aaa")]


def test_of_several_of_one_text_only_the_one_that_stays_is_anyones_near_twin() -> None:
    memories = (told(1, "aaa"), told(2, "bbb"), told(3, "ccc", f"{TEXT} now"))
    twins = (Pair("aaa", "bbb", 1.0), Pair("aaa", "ccc", 0.9), Pair("bbb", "ccc", 0.9))
    assert pairs(found("near-duplicate", *memories, twins=twins)) == [("ccc", "aaa")]
    assert pairs(found("duplicate", *memories)) == [("bbb", "aaa")]


def test_what_is_archived_superseded_or_wrong_is_nobodys_duplicate() -> None:
    gone = {"archived_at": "2026-02-01T00:00:00Z"}
    memories = (
        told(1, "aaa"),
        told(2, "bbb", **gone),
        told(3, "ccc", status="superseded"),
        told(4, "ddd", status="wrong"),
    )
    assert found("duplicate", *memories) == []
