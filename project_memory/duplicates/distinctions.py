"""What makes two lessons of two texts that share nearly all their words.

"retry 3" and "retry 5" are not twins, nor are "is safe" and "is not safe", nor one sentence about
two services. A text that only says more than the other, a number or a name further, may well be
its twin: numbers, names and opposites count where each text has its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from project_memory.duplicates import words
from project_memory.ranking import languages

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])v?(\d+(?:[.,:/\-]\d+)*)(?:[ -]?(%|[A-Za-z]+))?", re.IGNORECASE
)
_CHUNK = re.compile(r"[^\s,;()\[\]{}\"“”「」、。，；：！？|<>=]+")
_QUOTED = re.compile(r"`([^`\n]{1,60})`")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_TOKEN = re.compile(r"[^\W_]+(?:['._/-][^\W_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?;:])\s|\n")
_INNER = re.compile(r"\w[-_./\\:@#]+\w|^--?[A-Za-z]|^\.\w")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Za-z]\d|\d[A-Za-z]{2}")
_ABBREVIATION = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]?")
_REACH = 3
_TITLED = 0.25


@dataclass(frozen=True, slots=True)
class Distinctions:
    """What a text says that its look-alike may say otherwise.

    Attributes:
        numbers: Its numbers, with the unit after a blank where one follows.
        names: Identifiers, paths, options, products: what is spelled as a name, case folded.
        words: Its words, case folded.
        subjects: Those that it says twice or more, and that are not common.
        negated: Stems right after a negation.
        plain: Stems elsewhere.
        turns: Count of negations in scripts without spaces.
    """

    numbers: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]
    subjects: frozenset[str]
    negated: frozenset[str]
    plain: frozenset[str]
    turns: int


def distinctions(text: str) -> Distinctions:
    """Return what can tell a text from another of nearly the same words."""
    normal = unicodedata.normalize("NFKC", text).replace("’", "'")
    spoken = [word.casefold() for word in _WORD.findall(normal)]
    negated, plain = _polarity(normal)
    return Distinctions(
        numbers=frozenset(_numbers(normal, spoken)),
        names=frozenset(_names(normal)),
        words=frozenset(spoken),
        subjects=frozenset(w for w, n in Counter(spoken).items() if n > 1 and w not in _COMMON),
        negated=negated,
        plain=plain,
        turns=_turns(normal),
    )


def told_apart(one: Distinctions, other: Distinctions) -> tuple[str, ...]:
    """Return what makes two lessons of two texts, each in a few words; symmetric but for order."""
    found = [
        *_numbers_apart(one.numbers, other.numbers),
        *_apart("names", one.names - other.names, other.names - one.names),
        *_apart("subjects", one.subjects - other.words, other.subjects - one.words),
        *_negation(one, other),
        *_opposites(one.words, other.words),
    ]
    return tuple(found)


def _apart(what: str, own: frozenset[str], others: frozenset[str]) -> Iterator[str]:
    if own and others:
        yield f"{what} {_few(own)} and {_few(others)}"


def _numbers_apart(one: frozenset[str], other: frozenset[str]) -> Iterator[str]:
    """Yield what numbers differ; one without a unit is the same as one with any."""
    own, others = one - other, other - one
    bare = {number for number in own | others if " " not in number}
    either = {number.partition(" ")[0] for number in own} & {
        number.partition(" ")[0] for number in others
    }
    same = either & bare
    yield from _apart(
        "numbers",
        frozenset(number for number in own if number.partition(" ")[0] not in same),
        frozenset(number for number in others if number.partition(" ")[0] not in same),
    )


def _negation(one: Distinctions, other: Distinctions) -> Iterator[str]:
    turned = (one.negated & other.plain - other.negated) | (
        other.negated & one.plain - one.negated
    )
    if turned:
        yield f"negation of {_few(turned)}"
    elif one.turns != other.turns:
        yield "negation"


def _opposites(one: frozenset[str], other: frozenset[str]) -> Iterator[str]:
    own, others = one - other, other - one
    for first, second in words.OPPOSITES:
        if (first in own and second in others) or (second in own and first in others):
            yield f"opposites {first} and {second}"
    for word in sorted(own | others):
        for prefix in words.REVERSING_PREFIXES:
            whole = prefix + word
            if len(word) > 3 and (
                (word in own and whole in others) or (word in others and whole in own)
            ):
                yield f"opposites {word} and {whole}"


def _few(values: frozenset[str]) -> str:
    shown = sorted(values)
    return ", ".join(shown[:3]) + (", ..." if len(shown) > 3 else "")


def _numbers(text: str, spoken: list[str]) -> Iterator[str]:
    for number, word in _NUMBER.findall(text):
        unit = words.UNITS.get(word.casefold())
        yield f"{number} {unit}" if unit else number
    yield from (words.NUMBERS[word] for word in spoken if word in words.NUMBERS)


def _names(text: str) -> Iterator[str]:
    yield from (quoted.casefold().strip() for quoted in _QUOTED.findall(text))
    bare = _QUOTED.sub(" ", text)
    for chunk in _CHUNK.findall(bare):
        word = chunk.strip("'").rstrip(".:!?'")
        if _is_spelled_as_name(word):
            yield word.casefold()
    yield from _titled(bare)


def _is_spelled_as_name(word: str) -> bool:
    if not word or word[0].isdigit() or _ABBREVIATION.fullmatch(word) or not word.isascii():
        return False
    shouted = len(word) > 1 and word.isupper() and word.casefold() not in _COMMON
    return shouted or bool(_INNER.search(word)) or bool(_CAMEL.search(word))


def _titled(text: str) -> Iterator[str]:
    """Yield words with a capital inside a sentence, unless the language or a title has many."""
    inner = [w for sentence in _SENTENCE.split(text) for w in _WORD.findall(sentence)[1:]]
    titled = [word.casefold() for word in inner if word.istitle() and len(word) > 1]
    if len(titled) <= _TITLED * len(inner):
        yield from (word for word in titled if word not in _COMMON)


def _polarity(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return (stems that a negation governs, all others)."""
    negated: set[str] = set()
    plain: set[str] = set()
    for sentence in _SENTENCE.split(text):
        left = 0
        for word in (found.casefold() for found in _TOKEN.findall(sentence)):
            if word in words.NEGATIONS or word.endswith("n't"):
                left = _REACH
            elif word not in _COMMON:
                stem = languages.stem(word, languages.ENGLISH)
                (negated if left else plain).add(stem)
                left = 0
            else:
                left = max(0, left - 1)
    return frozenset(negated), frozenset(plain)


def _turns(text: str) -> int:
    if text.isascii():
        return 0
    characters = sum(character in words.NEGATING_CHARACTERS for character in text)
    return characters + sum(text.count(ending) for ending in words.NEGATING_ENDINGS)


_COMMON = frozenset(languages.STOP_WORDS[languages.ENGLISH]) | words.NEGATIONS | {"must", "may"}
