"""How like two texts are, and whether they are one lesson told twice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from project_memory.duplicates.distinctions import Distinctions, distinctions, told_apart
from project_memory.duplicates.shingles import resemblance, shingles
from project_memory.ranking import tokens

LEAST = 0.5
"""Twins resemble each other at least so much, in their 5-grams and in their terms."""

_DIGITS = 4


class Profile:
    """A text with what comparisons need of it, each worked out when first asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def shingles(self) -> frozenset[str]:
        """Return its 5-grams."""
        return shingles(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Return its stems, stop words left out unless there is nothing else."""
        found = tokens.tokens(self.text)
        telling = frozenset(token.stem for token in found if not token.stop and not token.single)
        return telling or frozenset(token.stem for token in found)

    @cached_property
    def distinctions(self) -> Distinctions:
        """Return what can make it another lesson than a text of the same words."""
        return distinctions(self.text)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like two texts are.

    Attributes:
        score: Jaccard similarity of their 5-grams, in [0, 1].
        terms: That of their terms, in [0, 1]; 0 where the score is below `LEAST` already.
        apart: What makes two lessons of them, such as ``numbers 3 and 5``.
    """

    score: float
    terms: float
    apart: tuple[str, ...]

    @property
    def is_near(self) -> bool:
        """Return whether most of the words are the same."""
        return self.score >= LEAST and self.terms >= LEAST

    @property
    def are_twins(self) -> bool:
        """Return whether they are near, and nothing makes two lessons of them."""
        return self.is_near and not self.apart


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories that say nearly the same; `one` < `other`, `score` in (0, 1]."""

    one: str
    other: str
    score: float


def likeness(one: Profile, other: Profile) -> Likeness:
    """Return how like two texts are; symmetric."""
    score = round(resemblance(one.shingles, other.shingles), _DIGITS)
    if score < LEAST:
        return Likeness(score, 0.0, ())
    terms = round(resemblance(one.terms, other.terms), _DIGITS)
    return Likeness(score, terms, told_apart(one.distinctions, other.distinctions))
