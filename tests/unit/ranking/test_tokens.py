"""Text analysis: what a text and a query share."""

from __future__ import annotations

import unicodedata

import pytest

from project_memory.ranking import languages
from project_memory.ranking.tokens import fold, tokens


def surfaces(text: str) -> list[str]:
    return [token.surface for token in tokens(text) if not token.single]


def stems(text: str, language: str | None = None) -> set[str]:
    return {token.stem for token in tokens(text, language) if not token.single}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("POL-358", ["pol-358", "pol", "358"]),
        ("C++ and C# or F# on .NET", ["c++", "and", "c#", "or", "f#", "on", ".net", "net"]),
        ("foo/bar", ["foo/bar", "foo", "bar"]),
        ("GB/s", ["gb/s", "gb", "s"]),
        ("memory:safe", ["memory", "safe"]),
        ('say "hi', ["say", "hi"]),
        ("don't", ["dont"]),
        ("the user's", ["the", "user"]),
        ("(python", ["python"]),
        ("NEAR(", ["near"]),
        ("*", []),
        ("", []),
        ("CLAUDE.md", ["claude.md", "claude", "md"]),
        ("node.js", ["node.js", "node", "js"]),
        ("a-b.ts", ["a-b.ts", "a", "b", "ts"]),
        ("x86_64", ["x86_64", "x86", "64"]),
        ("snake_case", ["snake_case", "snake", "case"]),
        ("v2.10.3", ["v2.10.3", "v2", "10", "3"]),
        ("E0277", ["e0277"]),
        ("getUserById", ["getuserbyid", "get", "user", "by", "id"]),
        ("HTTPServerError", ["httpservererror", "http", "server", "error"]),
        ("bReplicates", ["breplicates", "b", "replicates"]),
        ("agent-crew", ["agent", "crew"]),
        ("数据库连接池", ["数据", "据库", "库连", "连接", "接池"]),
        ("缓存", ["缓存"]),
        ("캐시를", ["캐시", "시를"]),
        ("ＡＰＩ", ["api"]),
        ("हिन्दी", ["हिन्दी"]),
        ("العربية", ["العربية"]),
        ("ёлка", ["елка"]),
        ("Straße", ["strasse"]),
        ("ﬁle", ["file"]),
    ],
)
def test_a_text_and_its_terms(text: str, expected: list[str]) -> None:
    assert surfaces(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("caf\u00e9", "cafe\u0301"),
        ("cafe", "café"),
        ("ＡＰＩ", "api"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("Ёж", "еж"),
    ],
)
def test_spellings_of_one_word_are_one_term(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("user", "getUserById"),
        ("null pointer", "NullPointerException"),
        ("agent crew", "agent-crew"),
        ("кэш шейдеров", "кэш шейдера"),
        ("数据库", "数据库连接池"),
        ("캐시", "캐시를"),
        ("การทดสอบ", "เครื่องมือการทดสอบระบบ"),
        ("retries", "retry"),
        ("Häuser", "das Haus ist nicht mit dem Auto und der Bahn"),
    ],
)
def test_every_word_of_the_query_is_in_the_text(query: str, text: str) -> None:
    language = languages.of(surfaces(text))
    assert stems(query, language) <= stems(text)


def test_single_characters_of_a_run_are_kept_apart() -> None:
    assert [t.surface for t in tokens("数据") if t.single] == ["数", "据"]
    assert [t.surface for t in tokens("数") if t.single] == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the lock is held by the writer", "english"),
        ("die Sperre wird von dem Schreiber nicht gelöst und die Datei ist zu", "german"),
        ("le verrou est dans la base et ne se libère pas avec les autres", "french"),
        ("el cerrojo no se libera en la base de los datos con una orden", "spanish"),
        ("null pointer", "english"),
        ("", "english"),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert languages.of(fold(word) for word in text.split()) == language


def test_stop_words_are_marked_and_not_dropped() -> None:
    assert [(t.surface, t.stop) for t in tokens("what did we fix")] == [
        ("what", True),
        ("did", True),
        ("we", True),
        ("fix", False),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/a-b.ts", ["src/a-b.ts", "a-b.ts", "src", "a", "b", "ts"]),
        ("/etc/passwd", ["etc/passwd", "etc", "passwd"]),
        ("__init__.py", ["__init__.py", "init", "py"]),
        ("(.gitignore)", [".gitignore", "gitignore"]),
        ("in os.path it", ["in", "os.path", "os", "path", "it"]),
        ("os.path.join(a)", ["os", "path", "join", "a"]),
        ("well-known", ["well", "known"]),
        ("end. Next", ["end", "next"]),
    ],
)
def test_files_and_paths_are_found_by_each_of_their_names(text, expected):
    assert surfaces(text) == expected


def test_a_russian_adjective_meets_its_other_forms():
    assert stems("новый") == stems("новые") == stems("нового")


def test_accents_serve_the_stemmer_and_are_not_needed_in_a_query():
    assert stems("répétée", "french") == stems("répéter", "french") == {"fr|repet"}
    assert surfaces("répétée") == surfaces("repetee")


@pytest.mark.parametrize(
    "word",
    ["שָׁלוֹם", "မြန်မာ", "ភាសា", "བོད་", "ܫܠܡܐ", "தமிழ்", "ኢትዮጵያ"],
)
def test_words_of_every_script_keep_their_marks(word):
    letters = "".join(c for c in word if unicodedata.category(c)[0] in "LMN")
    assert surfaces(f"({letters})") == [unicodedata.normalize("NFKC", letters)]


@pytest.mark.parametrize(
    "piece", ["a.", "a-", "-a.", ".", "--", "__", "_a", "a/", "1.", "a'", "+#", "数"]
)
def test_hostile_text_is_read_in_one_pass(piece):
    assert len(tokens(piece * 100_000)) < 1_000_000
