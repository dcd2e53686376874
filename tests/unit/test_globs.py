"""Patterns: what they mean, and that none is slow."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from project_memory import globs


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/*.py", "src/deep/er/a.py", True),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "srca.py", False),
        ("src/**", "src/deep/a.py", True),
        ("src/**", "src", False),
        ("**/a.py", "a.py", True),
        ("**/a.py", "deep/a.py", True),
        ("**/a.py", "ba.py", False),
        ("**/deep/**/b/*.py", "a/deep/x/b/c.py", True),
        ("**/deep/**/b/*.py", "a/deep/x/c/c.py", False),
        ("**", "a/b", True),
        ("src/**.py", "src/a.py", True),
        ("src/**.py", "src/deep/a.py", False),
        ("src/?.py", "src/a.py", True),
        ("src?a.py", "src/a.py", False),
        ("src/[ab].py", "src/b.py", False),
        ("app/[id]/*.tsx", "app/[id]/page.tsx", True),
        ("SRC/a.py", "src/a.py", False),
        ("a.py", "axpy", False),
        ("a*b*c", "aXbYc", True),
        ("a*b*c", "abXc", True),
        ("a*b*bc", "abc", False),
    ],
)
def test_a_glob_means_these_paths(glob: str, path: str, matches: bool) -> None:
    assert bool(globs.path_pattern(glob).fullmatch(path)) is matches


def parts_match(glob: list[str], path: list[str]) -> bool:
    """Return the same, by trying every way."""
    if not glob:
        return not path
    if glob[0] != "**":
        return bool(path) and text_matches(glob[0], path[0]) and parts_match(glob[1:], path[1:])
    if len(glob) == 1:
        return bool(path)
    return any(parts_match(glob[1:], path[n:]) for n in range(len(path) + 1))


def text_matches(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "*":
        return any(text_matches(pattern[1:], text[n:]) for n in range(len(text) + 1))
    return bool(text) and pattern[0] in (text[0], "?") and text_matches(pattern[1:], text[1:])


names = st.text("ab", min_size=1, max_size=4)
paths = st.lists(names, min_size=1, max_size=5)
pieces = st.one_of(st.just("**"), st.text("ab*?", min_size=1, max_size=5))


@settings(max_examples=500, deadline=None)
@given(st.lists(pieces, min_size=1, max_size=5), paths)
def test_a_glob_matches_as_if_every_way_were_tried(glob: list[str], path: list[str]) -> None:
    matched = globs.path_pattern("/".join(glob)).fullmatch("/".join(path))
    assert bool(matched) is parts_match(glob, path)


@settings(max_examples=300, deadline=None)
@given(st.text("ab*", max_size=8), st.text("ab", max_size=10))
def test_a_text_matches_as_if_every_way_were_tried(pattern: str, text: str) -> None:
    assert bool(globs.text_pattern(pattern).fullmatch(text)) is text_matches(pattern, text)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("a*" * 200 + "b", "a" * 400),
        ("**/" * 100 + "b", "a/" * 200 + "a"),
        ("**/a/" * 100 + "b", "a/" * 200 + "a"),
        ("**/a*/" * 50 + "b", "aaaa/" * 100 + "a"),
        ("*/" * 100 + "b", "a/" * 100 + "a"),
    ],
)
def test_no_glob_is_slow(glob: str, path: str) -> None:
    assert globs.path_pattern(glob).fullmatch(path) is None


def test_no_pattern_of_text_is_slow() -> None:
    assert globs.text_pattern("a*" * 200 + "b").fullmatch("a" * 400) is None


@pytest.mark.parametrize(
    ("path", "plain"), [("./src/a.py", "src/a.py"), ("src/", "src"), (".env", ".env")]
)
def test_a_path_is_written_in_one_way(path: str, plain: str) -> None:
    assert globs.plain(path) == plain


@pytest.mark.parametrize(
    ("glob", "start"), [("src/**/*.py", "src/"), ("src/a?.c", "src/a"), ("*.py", ""), ("a", "a")]
)
def test_what_a_glob_means_begins_with_the_text_before_its_first_wildcard(
    glob: str, start: str
) -> None:
    assert globs.literal_start(glob) == start
