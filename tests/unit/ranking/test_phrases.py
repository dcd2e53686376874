import pytest

from project_memory.ranking import phrases

FUNCTION = """def writeBoolean(self, n):
    t = TYPE_BOOL_TRUE
    if n is False:
        t = TYPE_BOOL_FALSE
    self.stream.write(t)"""


def test_capitalised_phrases_lose_the_stop_words_around_them():
    found = list(phrases.phrases("The Journal of Mathematical Physics was read by Jan Philip"))
    assert "journal of mathematical physics" in found
    assert "jan philip" in found


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("call `rm -rf` never", "rm rf"),
        ("the field user_id is null", "user_id"),
        ("getUserById is slow", "getuserbyid"),
        ("see src/main.py there", "src/main.py"),
        ("edit setup.py first", "setup.py"),
        ("the API is down", "api"),
    ],
)
def test_identifiers_are_found_in_prose(text, identifier):
    assert identifier in list(phrases.identifiers(text))


def test_plain_words_are_no_identifiers():
    assert list(phrases.identifiers("plain words only")) == []


def test_code_is_told_from_prose_about_it():
    assert phrases.is_code(FUNCTION)
    assert not phrases.is_code("Writers on one SQLite file see 'database is locked' (error 5).")
    assert not phrases.is_code("")
    assert not phrases.is_code("Set the timeout (30 s)\nCall close() twice\nNever retry a commit")


@pytest.mark.parametrize("piece", ["a-", "A ", "A.", "A of the ", "a_", "`a", "a/", "(", "-"])
def test_hostile_text_is_read_in_one_pass(piece):
    text = piece * 60_000
    found = [*phrases.phrases(text), *phrases.identifiers(text), phrases.is_code(text)]
    assert len(found) < 100_000
