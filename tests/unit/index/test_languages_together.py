"""Lessons in several languages in one store."""

from __future__ import annotations

import pytest
from factories import memory
from pyroaring import BitMap

from project_memory.index import Index, RankRequest
from project_memory.model import Registry

ITALIAN = "il pacchetto della libreria non si installa con la versione di prova"
GERMAN = "die Datenbank ist gesperrt und der Schreiber wird nicht fertig"


def found(query: str) -> list[str]:
    english = [
        memory(
            key,
            id=f"lesson-{key:02}",
            description=f"The module number {key} of the parser is what the reader loads",
            remembered_facts=["the database of the test is locked by a writer"],
            labels=[f"kind:k{key}"],
        )
        for key in range(1, 13)
    ]
    other = [
        memory(20, id="libreria", description=ITALIAN, remembered_facts=[ITALIAN], labels=["a:b"]),
        memory(21, id="datenbank", description=GERMAN, remembered_facts=[GERMAN], labels=["a:c"]),
    ]
    index = Index.build([*english, *other], Registry(), 1)
    every = BitMap(m.key for m in (*english, *other))
    return [hit.id for hit in index.rank(RankRequest(query), every).hits]


def test_stop_words_of_the_query_do_not_look_rare_in_another_language():
    assert found("what is the database of the test")[0].startswith("lesson-")
    assert "libreria" not in found("what is the number 3 of a module in the parser")


@pytest.mark.parametrize("query", ["Datenbanken gesperrt", "wie sperrt die Datenbank"])
def test_a_lesson_is_found_by_other_forms_of_its_language(query):
    assert found(query)[0] == "datenbank"


def test_a_word_that_only_another_language_knows_as_a_stop_word_is_answered():
    assert found("quokkas die young") == ["datenbank"]
