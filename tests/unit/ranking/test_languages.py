import pytest

from project_memory.ranking import languages


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the lock is held by the writer", "english"),
        ("pytest fixture scope", "english"),
        ("die datenbank ist nicht gesperrt und wird sich erholen", "german"),
        ("la base de donnees est verrouillee par un processus", "french"),
        ("el archivo no se puede abrir por la red", "spanish"),
        ("", "english"),
    ],
)
def test_stop_words_tell_the_language(text, language):
    assert languages.of(text.split()) == language


def test_one_foreign_word_does_not_change_the_language():
    assert languages.of(["der", "parser", "crashes"]) == "english"


def test_cyrillic_is_stemmed_as_russian_whatever_the_language():
    assert languages.stem("шейдеров", "english") == languages.stem("шейдера", "german")


@pytest.mark.parametrize("word", ["数据", "캐시", "c++", "v2.10.3"])
def test_other_scripts_and_names_have_no_stem_but_themselves(word):
    assert languages.stem(word, "english") == word
