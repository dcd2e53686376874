"""A match is direct where the query's rarer words are the memory's own."""

from __future__ import annotations

import pytest
from factories import memory

from project_memory.index import Index, Scored
from project_memory.model import Registry

COMMON = "build server restart"


def index() -> Index:
    """Return forty memories of common words, of which two hold a rare one."""
    texts = {f"plain-{number:02}": f"the {COMMON} takes a while" for number in range(38)}
    texts |= {"rare-one": f"the {COMMON} needs zstd", "rarer-one": "the zstd and quorum settings"}
    made = (
        memory(key, id=name, description=text, remembered_facts=[text])
        for key, (name, text) in enumerate(sorted(texts.items()), 1)
    )
    return Index.build(made, Registry(), 1)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("zstd", {"rare-one", "rarer-one"}),
        ("zstd build", {"rare-one", "rarer-one"}),
        ("quorum zstd build", {"rarer-one"}),  # the other lacks the rarest word
        ("zstd build server restart", {"rare-one", "rarer-one"}),
        ("build server", set()),
        ("build server restart unheardof", set()),
        ("unheardof", set()),
        ("the", set()),
    ],
)
def test_direct_is_what_the_rarer_words_reach(query, expected):
    names = ("plain-00", "rare-one", "rarer-one", "no-such-memory")
    assert index().direct(query, [Scored(name) for name in names]) == expected


@pytest.mark.parametrize(
    ("words", "least", "expected"),
    [
        ("zstd build", 2, {"rare-one"}),
        ("zstd and quorum, said loudly", 2, {"rarer-one"}),
        ("zstd", 1, {"rare-one", "rarer-one"}),
        ("zstd", 2, set()),
        # common words, however many, weigh less than two fifths of these
        ("the build server needs a restart for quorum and settings", 2, {"rarer-one"}),
        ("quorum settings build", 2, {"rarer-one"}),
        ("unheardof", 1, set()),
        ("", 1, set()),
    ],
)
def test_enough_is_shared_by_count_and_by_weight(words, least, expected):
    names = ("plain-00", "rare-one", "rarer-one", "no-such-memory")
    hits = [Scored(name) for name in names]
    assert index().shared(words, hits, least=least) == expected


def test_words_of_a_neighbour_are_not_its_own():
    linked = {"related": [{"id": "rare-one", "reason": "met on the same day"}]}
    mirror = {"related": [{"id": "other-one", "reason": "met on the same day"}]}
    pair = [
        memory(1, id="rare-one", description="the zstd settings", relationships=mirror),
        memory(2, id="other-one", description="the parser reads", relationships=linked),
    ]
    found = Index.build(pair, Registry(), 1).direct("zstd", [Scored(m.id) for m in pair])
    assert found == {"rare-one"}


def test_an_answer_for_an_outdated_memory_is_reached_by_its_words():
    hits = [Scored("plain-00", scored_as="rare-one"), Scored("plain-01")]
    assert index().direct("zstd", hits) == {"plain-00"}


def test_nothing_is_direct_among_nothing():
    assert index().direct("zstd", []) == set()


def test_of_a_long_question_three_rarer_words_are_enough():
    texts = {f"word-{n:02}": f"about gadget{n} and gadget{n + 1}" for n in range(20)}
    texts["three-words"] = "about zstd and quorum and raft"
    made = [
        memory(key, id=name, description=text, remembered_facts=[text])
        for key, (name, text) in enumerate(sorted(texts.items()), 1)
    ]
    words = " ".join(f"gadget{n}" for n in range(20))
    hits = [Scored(name) for name in ("three-words", "word-05")]
    assert Index.build(made, Registry(), 1).direct(f"{words} zstd quorum raft", hits) == {
        "three-words"
    }
