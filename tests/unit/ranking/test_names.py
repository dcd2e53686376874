import pytest

from project_memory.ranking import names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Theodred II (Bishop of Elmham)", "theodred ii"),
        ("Lothair's Crown", "lothair crown"),
        ("agent-crew", "agent crew"),
        ("  Café  Society ", "cafe society"),
    ],
)
def test_a_name_is_compared_folded_and_without_punctuation(text, name):
    assert names.canonical(text) == name


@pytest.mark.parametrize(
    "text",
    ["", "()", "ab", "the", "1984", "one two three four five six seven eight nine ten eleven"],
)
def test_what_names_nothing_is_no_name(text):
    assert names.canonical(text) is None


def known(*found: str) -> dict[str, set[str]]:
    openings: dict[str, set[str]] = {}
    for name in found:
        openings.setdefault(name.partition(" ")[0], set()).add(name)
    return openings


def test_the_longest_name_at_a_place_is_the_one_mentioned():
    text = names.words("He left New York City for New York")
    assert names.mentioned(text, known("new york", "new york city", "york")) == [
        "new york city",
        "new york",
    ]


def test_a_name_may_end_a_text():
    assert names.mentioned(["in", "new"], known("new york", "new")) == ["new"]


def test_nothing_is_mentioned_in_nothing():
    assert names.mentioned([], known("new york")) == []
