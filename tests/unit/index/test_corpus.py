"""The parts of the corpus by themselves: merging, mentions, hubs, context, statistics."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import pytest
from factories import memory as made

from project_memory.index import context, hubs, lexical
from project_memory.index.corpus import TIER, Corpus
from project_memory.index.hub_table import hub_table
from project_memory.index.segment import Tie
from project_memory.ranking import hashing
from project_memory.ranking.names import MAX_WORDS
from project_memory.ranking.tokens import surfaces


def lesson(key: int, text: str, *, fact: str = "nothing more", **fields):
    return made(
        key, **{"id": f"memory-{key}", "description": text, "remembered_facts": [fact], **fields}
    )


def corpus(*memories) -> Corpus:
    """Return what takes in one memory after the other."""
    found = Corpus()
    for each in memories:
        found = found.updated({each.key: each})
    return found


@dataclass(frozen=True)
class Hub:
    """What the table of a corpus holds of one hub."""

    named: bool
    owned: bool
    df: int
    owners: int
    valid: bool


NOWHERE = Hub(named=False, owned=False, df=0, owners=0, valid=False)


def hub(found: Corpus, text: str) -> Hub:
    words = surfaces(text)
    return numbered(found, hashing.run_number(words) if words else 0)


def carried(found: Corpus, text: str) -> Hub:
    return numbered(found, hashing.number(text))


def numbered(found: Corpus, number: int) -> Hub:
    table = hub_table(found)
    place = int(table.find(np.array([number], np.uint64))[0])
    if place < 0:
        return NOWHERE
    columns = (getattr(table, each.name)[place].item() for each in fields(Hub))
    return Hub(*columns)


def mentioning(found: Corpus, text: str) -> dict[int, int]:
    """Return key -> bits of every counting row tied to a name."""
    number = np.array([hashing.run_number(surfaces(text))], np.uint64)
    place = hub_table(found).find(number)
    ties, _ = hubs.members(found, place[place >= 0])
    return dict(zip(found.keys[ties.rows].tolist(), ties.bits.tolist(), strict=True))


def holding(found: Corpus, channel: str, term: str) -> int:
    """Return in how many counting rows a term occurs."""
    return int(lexical.document_frequencies(found, channel, hashing.numbers([term]))[0])


def test_segments_stay_few_and_far_apart_in_size() -> None:
    found = Corpus()
    for key in range(1, 101):
        found = found.updated({key: lesson(key, f"text of number {key}")})
        sizes = [len(segment) for segment in found.segments]
        for place in range(len(sizes) - 1):
            assert sizes[place] > TIER * sum(sizes[place + 1 :])
    assert found.n == 100
    assert len(found.segments) <= 3


def test_a_segment_half_of_whose_rows_are_replaced_is_made_anew() -> None:
    every = {key: lesson(key, f"text of number {key}") for key in range(1, 1001)}
    found = Corpus().updated(every)
    for start in range(0, 400, 40):
        found = found.updated(dict.fromkeys(list(every)[start : start + 40]))
    assert found.n == 600
    assert len(found) < 1000, "the replaced rows are gone from the arrays"


def test_an_older_corpus_is_not_disturbed_by_a_newer_one() -> None:
    older = corpus(lesson(1, "a lock is held"), lesson(2, "a file is left"))
    newer = older.updated({1: None, 2: lesson(2, "another text")})
    assert (older.n, newer.n) == (2, 1)
    assert holding(older, "surfaces", "lock") == 1
    assert holding(newer, "surfaces", "lock") == 0


def test_statistics_are_of_live_and_unarchived_memories_alone() -> None:
    found = corpus(
        lesson(1, "a lock is held"),
        lesson(2, "a lock is left"),
        lesson(3, "a lock is old", archived_at="2026-01-31T09:30:00Z"),
    )
    assert found.n == 2
    assert holding(found, "stems", "lock") == 2
    fresh = corpus(lesson(1, "a lock is held"), lesson(2, "a lock is left"))
    assert found.averages == fresh.averages


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_a_mention_is_found_whichever_memory_comes_first(order: tuple[int, int]) -> None:
    both = {
        1: lesson(1, "the lease of a worker ends", id="worker-lease"),
        2: lesson(2, "jobs run twice", fact="the worker lease is too short for them"),
    }
    found = corpus(*(both[key] for key in order))
    assert mentioning(found, "worker lease") == {1: Tie.OWNER, 2: Tie.MENTION}


def test_a_mention_counts_only_while_somebody_owns_the_name() -> None:
    owner = lesson(1, "the lease of a worker ends", id="worker-lease")
    found = corpus(owner, lesson(2, "jobs run twice", fact="the worker lease is too short"))
    without = found.updated({1: None})
    assert mentioning(without, "worker lease") == {}
    assert not hub(without, "worker lease").valid
    again = without.updated({1: owner})
    assert mentioning(again, "worker lease") == {1: Tie.OWNER, 2: Tie.MENTION}


def test_a_name_does_not_reach_over_the_end_of_a_sentence() -> None:
    found = corpus(
        lesson(1, "the lease of a worker ends", id="worker-lease"),
        lesson(2, "jobs run twice", fact="ask the worker. Lease it again"),
    )
    assert mentioning(found, "worker lease") == {1: Tie.OWNER}


def test_code_mentions_nothing() -> None:
    code = "def lease(worker):\n    return sqlite_locked(worker)"
    owner = lesson(1, "the database is locked", id="sqlite-locked")
    for order in ((owner, lesson(2, code, fact=code)), (lesson(2, code, fact=code), owner)):
        assert mentioning(corpus(*order), "sqlite locked") == {1: Tie.OWNER}


def test_a_name_of_too_many_memories_is_no_hub() -> None:
    few = corpus(*(lesson(key, f"Berlin Wall number {key}") for key in range(1, 31)))
    many = few.updated({31: lesson(31, "Berlin Wall number 31")})
    assert hub(few, "berlin wall").df == 30
    assert hub(few, "berlin wall").valid
    assert not hub(many, "berlin wall").valid


def test_a_word_that_is_written_small_as_well_names_nothing() -> None:
    rare = corpus(
        lesson(1, "we met Ada there"), lesson(2, "then Ada left"), lesson(3, "and so on")
    )
    common = rare.updated({4: lesson(4, "an ada compiler"), 5: lesson(5, "ada again")})
    assert hub(rare, "ada").valid
    assert not hub(common, "ada").valid
    assert hub(common.updated({4: None, 5: None}), "ada").valid


def test_a_label_of_more_than_a_quarter_of_a_small_project_is_no_hub() -> None:
    labels = {key: ["area:a" if key < 4 else "area:b"] for key in range(1, 13)}
    found = corpus(*(lesson(key, f"text {key}", labels=labels[key]) for key in labels))
    assert carried(found, "label area:a").valid
    assert not carried(found, "label area:b").valid


def test_context_is_what_is_linked_then_what_mentions() -> None:
    def linked(key: int, *others: int, **fields):
        links = [{"id": f"memory-{other}", "reason": "they go together"} for other in others]
        return lesson(key, f"number {key}", relationships={"related": links}, **fields)

    found = corpus(
        linked(1, 2),
        linked(2, 1, 3),
        linked(3, 2),
        lesson(4, "speaks of it", fact="see memory 1 for more"),
        lesson(5, "has nothing to do with it"),
    )
    rows = np.sort(found.rows_of(np.array([1, 5])))
    around = context.around(found, rows)
    keys = {
        int(found.keys[row]): [int(found.keys[near]) for near in line if near >= 0]
        for row, line in zip(rows, around, strict=True)
    }
    # two links on in a chain counts, too; what mentions it comes last
    assert set(keys[1][:2]) == {2, 3}
    assert keys[1][2:] == [4]
    assert keys[5] == []
    context.work_out(found)
    assert context.around(found, rows).tolist() == around.tolist()


def test_a_run_over_many_words_has_one_number_however_it_is_found() -> None:
    words = ["the", "worker", "lease", "is", "short"]
    runs = list(hashing.run_numbers(hashing.numbers(words), 10))
    assert [len(run) for run in runs] == [5, 4, 3, 2, 1]
    assert int(runs[1][1]) == hashing.run_number(["worker", "lease"])
    assert int(runs[0][2]) == hashing.run_number(["lease"]) == hashing.number("lease")
    assert hashing.run_number(["worker", "lease"]) != hashing.run_number(["lease", "worker"])


def test_a_name_of_many_terms_is_no_name_whichever_way_it_is_written() -> None:
    long = "".join(chr(0x4E00 + number) for number in range(300))
    path = "/".join(f"part{number}" for number in range(260))
    found = corpus(lesson(1, long, fact=path), lesson(2, "speaks of it", fact=long))
    assert found.n == 2
    assert int(found.segments[0].hub_words.max(initial=0)) <= MAX_WORDS


def test_a_replaced_row_of_a_large_segment_is_taken_from_the_hubs_it_had() -> None:
    found = Corpus().updated(
        {key: lesson(key, f"Berlin Wall number {key}") for key in range(1, 32)}
    )
    found = found.updated({98: lesson(98, "another text")})
    found = found.updated({1: None, 99: lesson(99, "a third text")})
    assert [len(segment) for segment in found.segments] == [31, 2], "the row is still there"
    assert hub(found, "berlin wall").df == 30
    assert hub(found, "berlin wall").valid
