"""From text to terms: the same rules for documents and queries.

Text is NFKC, case folded, and stripped of combining marks where marks are spelling (Latin, Greek,
Cyrillic). A token is a maximal run of letters, marks and numbers (Unicode categories L, M, N), so
that Hindi, Thai and Arabic words stay whole. Identifiers give the whole and its parts; runs of
Han, kana, Hangul and Thai, which are written without spaces, give character bigrams.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from project_memory.ranking import languages

_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ё": "е"}
)
_MARK_SCRIPTS = re.compile("[\u0041-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff]")
_WORD = r"[^\W_]"
_MARKED = r"(?:[^\W_]|[\u0300-\u036f\u0900-\u0e7f\u064b-\u065f\u0670\u200d])"
_RUN = re.compile(
    rf"""
    (?P<named>(?<![\w.])\.NET\b | \b[A-Za-z](?:\+\+|\#)(?!\w))     # .NET C++ C# F#
    |(?P<path>[\w.-]*\w(?:/[\w.-]*\w)+ | [\w-]+\.(?:[A-Za-z]\w{{0,5}})(?![\w(]))   # foo/bar a-b.ts
    |(?P<version>v?\d+(?:\.\d+)+\w*)                              # v2.10.3
    |(?P<word>{_MARKED}+(?:[_'’-]{_MARKED}+)*)
    """,
    re.VERBOSE,
)
_PART = re.compile(_MARKED + "+")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
    "\U00020000-\U0003ffff]+"
)


@dataclass(frozen=True, slots=True)
class Token:
    """One term at one place.

    Attributes:
        surface: The unstemmed term.
        stem: The stemmed term, with a language prefix where it is not English.
        stop: Whether it is a stop word.
        single: Whether it is one character out of a longer unspaced run.
    """

    surface: str
    stem: str
    stop: bool = False
    single: bool = False


def tokens(text: str, language: str | None = None) -> list[Token]:
    """Return the terms of a text in order; `language` None guesses it from the text itself."""
    plain = unicodedata.normalize("NFKC", text)
    words = list(_words(plain))
    chosen = language or languages.of(surface for surface, _ in words)
    return [_token(surface, chosen, single) for surface, single in words]


@lru_cache(maxsize=1 << 16)
def fold(text: str) -> str:
    """Return text case folded and without the marks that are spelling."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    if _MARK_SCRIPTS.search(folded):
        folded = _without_marks(folded)
    return folded.translate(_UNDECOMPOSED)


def _without_marks(text: str) -> str:
    kept: list[str] = []
    strip = False
    for character in unicodedata.normalize("NFD", text):
        if unicodedata.combining(character):
            if not strip:
                kept.append(character)
            continue
        strip = bool(_MARK_SCRIPTS.match(character))
        kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept))


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """Yield (surface, single) for every term."""
    for match in _RUN.finditer(text):
        yield from _terms(match[0], match.lastgroup)


@lru_cache(maxsize=1 << 17)
def _terms(run: str, kind: str | None) -> tuple[tuple[str, bool], ...]:
    return tuple(dict.fromkeys(_all_terms(run, kind)))


def _all_terms(run: str, kind: str | None) -> Iterator[tuple[str, bool]]:
    if kind == "named":
        yield fold(run), False
        return
    if kind in {"path", "version"}:
        yield fold(run), False
    for piece in _pieces(run):
        yield from _piece_terms(piece)


def _pieces(run: str) -> Iterator[str]:
    """Yield a run itself where it is an identifier, then what punctuation divides it into."""
    joined = run.replace("’", "'")
    divided = re.split(r"[_/.\-]+", joined)
    if "_" in joined or ("-" in joined and any(c.isdigit() for c in joined)):
        yield joined
    yield from filter(None, divided)


def _piece_terms(piece: str) -> Iterator[tuple[str, bool]]:
    if _UNSPACED.search(piece):
        for part in _split_scripts(piece):
            yield from _gram_terms(part) if _UNSPACED.match(part) else [(fold(part), False)]
        return
    plain = re.sub("'s$", "", piece).replace("'", "")
    if plain:
        yield fold(plain), False
    if plain.isascii() and not (plain.islower() or plain.isupper() or plain.istitle()):
        parts = _CAMEL.findall(plain)
        if len(parts) > 1:
            yield from ((part.lower(), False) for part in parts)


def _split_scripts(piece: str) -> list[str]:
    return [m[0] for m in re.finditer(f"{_UNSPACED.pattern}|(?:(?!{_UNSPACED.pattern}).)+", piece)]


def _gram_terms(run: str) -> Iterator[tuple[str, bool]]:
    letters = re.findall(r"[^\W](?:[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]*)|.", fold(run))
    if len(letters) == 1:
        yield letters[0], False
        return
    for first, second in pairwise(letters):
        yield first + second, False
    for letter in letters:
        yield letter, True


@lru_cache(maxsize=1 << 17)
def _token(surface: str, language: str, single: bool) -> Token:  # noqa: FBT001  # for the cache
    stop = surface in languages.STOP_WORDS[language]
    return Token(surface, languages.stem(surface, language), stop, single)
