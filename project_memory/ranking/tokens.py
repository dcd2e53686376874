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
from functools import cache, lru_cache
from itertools import pairwise

from project_memory.ranking import languages

_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ё": "е"}
)
_MARK_SCRIPTS = re.compile("[\u0041-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff]")
_BREVE = "\u0306"
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+\w*")
_DOTTED = re.compile(r".*\.[A-Za-z]\w{0,5}")
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
    chunks = list(_chunked(unicodedata.normalize("NFKC", text)))
    chosen = language or languages.of(fold(s) for chunk in chunks for s, _ in _terms(chunk))
    return [token for chunk in chunks for token in _chunk_tokens(chunk, chosen)]


def _chunked(plain: str) -> Iterator[str]:
    """Yield the words of a text with what joins them; none reaches over white space."""
    find = _chunks("" if plain.isascii() else _marks()).findall
    for piece in plain.split():
        if piece.isalnum():  # most are, and then they are one word as they stand
            yield piece
        else:
            yield from find(piece)


def fold(text: str) -> str:
    """Return text case folded and without the marks that are spelling."""
    return text.lower() if text.isascii() else _folded(text)


@lru_cache(maxsize=1 << 15)
def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    if _MARK_SCRIPTS.search(folded):
        folded = _without_marks(folded)
    return folded.translate(_UNDECOMPOSED)


def surfaces(text: str) -> list[str]:
    """Return the unstemmed terms of a text in order, as names are compared."""
    return [token.surface for token in tokens(text, languages.ENGLISH) if not token.single]


def _without_marks(text: str) -> str:
    kept: list[str] = []
    strip = False
    for character in unicodedata.normalize("NFD", text):
        # Russian endings are told by й, which is a letter, not и with a mark
        spelled = character == _BREVE and kept[-1:] == ["и"]
        if not unicodedata.combining(character):
            strip = bool(_MARK_SCRIPTS.match(character))
        elif strip and not spelled:
            continue
        kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept))


@cache
def _marks() -> str:
    """Return the combining marks of all scripts, and the joiner of Indic ones, as ranges."""
    found = [c for c in range(0x300, 0x1F000) if unicodedata.category(chr(c))[0] == "M"]
    starts = [c for c in found if unicodedata.category(chr(c - 1))[0] != "M"]
    ends = [c for c in found if unicodedata.category(chr(c + 1))[0] != "M"]
    return "\u200d" + "".join(f"{chr(a)}-{chr(b)}" for a, b in zip(starts, ends, strict=True))


@cache
def _chunks(marks: str) -> re.Pattern[str]:
    """Return the pattern of words with what may join them: a.b, a/b, a-b, a_b, a'b, a++, a#, .a.

    A bracket that opens after them is taken too: it tells a call from a file name.

    Quantifiers of joiners are possessive: hostile text must not make the scan quadratic.
    """
    word = rf"(?:[^\W_]|[{marks}])++" if marks else r"[^\W_]++"
    join = r"(?:_++[./'’\-]?+_*+|[./'’\-]_*+)"
    return re.compile(
        rf"(?:(?<![\w.])\.(?=[^\W\d_]))?(?<!_)_*+{word}(?:{join}{word})*+_*+(?:\+\+|\#(?!\w)|\()?"
    )


@lru_cache(maxsize=1 << 17)
def _chunk_tokens(chunk: str, language: str) -> tuple[Token, ...]:
    return tuple(_token(spelling, language, single) for spelling, single in _terms(chunk))


@lru_cache(maxsize=1 << 15)
def _terms(chunk: str) -> tuple[tuple[str, bool], ...]:
    """Return (spelling, single) for every term of a chunk, without repetition."""
    return tuple(dict.fromkeys(_all_terms(chunk.replace("’", "'"))))


def _all_terms(chunk: str) -> Iterator[tuple[str, bool]]:
    base = chunk.rstrip("+#(")
    if chunk[-1] in "+#":  # C++, C#
        yield _spelling(chunk), False
        if len(base) == 1:
            return
    elif _is_name(chunk):
        yield _spelling(base), False
    last = base.rpartition("/")[2]
    if last != base and _is_name(last):
        yield _spelling(last), False
    for piece in filter(None, re.split(r"[_/.\-]+", base)):
        yield from _piece_terms(piece)


def _is_name(chunk: str) -> bool:
    """Return whether punctuation holds a chunk together, as in a path, a file or a version.

    A dotted call, `self.stream.write(`, is known by its parts.
    """
    return (
        chunk.startswith(".")
        or any(character in chunk for character in "/_")
        or ("-" in chunk and any(character.isdigit() for character in chunk))
        or _VERSION.fullmatch(chunk) is not None
        or _DOTTED.fullmatch(chunk) is not None
    )


def _piece_terms(piece: str) -> Iterator[tuple[str, bool]]:
    if _UNSPACED.search(piece):
        for part in _split_scripts(piece):
            yield from _gram_terms(part) if _UNSPACED.match(part) else [(_spelling(part), False)]
        return
    plain = re.sub("'s$", "", piece).replace("'", "")
    if plain:
        yield _spelling(plain), False
    if plain.isascii() and not (plain.islower() or plain.isupper() or plain.istitle()):
        parts = _CAMEL.findall(plain)
        if len(parts) > 1:
            yield from ((part.lower(), False) for part in parts)


def _spelling(text: str) -> str:
    """Return text case folded, with its marks."""
    return unicodedata.normalize("NFKC", text.casefold())


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


@lru_cache(maxsize=1 << 16)
def _token(spelling: str, language: str, single: bool) -> Token:  # noqa: FBT001  # for the cache
    surface = fold(spelling)
    stop = surface in languages.STOP_WORDS[language]
    # accents are part of other languages' endings; English words are found without them
    stemmed = languages.stem(surface if language == languages.ENGLISH else spelling, language)
    return Token(surface, fold(stemmed), stop, single)
