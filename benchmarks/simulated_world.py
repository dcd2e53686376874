"""Lessons whose fate is known: which are asked for, which nobody needs, doubled or at odds.

Everything is drawn by seed. What the store is told of is the drafts and the questions; `fate` and
`group` are the hidden truth that an audit is measured against.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from lessons import REASON, generate

AUDIT_EVERY = 30
"""Days between audits; what is useful is asked for at least once in so many after it is made."""

FIRST_NEED = (1, 20)
LATER_NEEDS = (10, 80)
WORDS = 7
"""Words of a question: half of those of its memory's description."""


TWIN_SHARE, SIBLING_SHARE = 0.1, 0.04
"""Shares of the useful lessons that have one."""


class Fate(StrEnum):
    """What will become of a lesson, which the store does not know."""

    USEFUL = "useful"
    UNNEEDED = "unneeded"
    DECISION = "decision"
    OUTDATED = "outdated"
    TWIN = "twin"


SHARES = {Fate.USEFUL: 0.53, Fate.UNNEEDED: 0.29, Fate.DECISION: 0.07, Fate.OUTDATED: 0.11}
"""How often a new lesson has each fate; twins come of useful ones."""


@dataclass(slots=True)
class Lesson:
    """One lesson and its hidden truth.

    Attributes:
        draft: What the store is told.
        fate: What will become of it.
        born: Day on which it is stored, from 0.
        needed: Days on which somebody asks for it.
        group: Number that twins share.
    """

    draft: dict[str, Any]
    fate: Fate
    born: int
    group: int
    needed: list[int] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Return the lesson's id."""
        return str(self.draft["id"])


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks, the same in other words, and the id of what answers it, or None."""

    words: str
    again: str
    wanted: str | None


@dataclass(frozen=True, slots=True)
class World:
    """One project's year.

    Attributes:
        lessons: By id.
        clashes: Pairs of ids that say the opposite of each other.
        questions: Day -> what is asked.
    """

    lessons: dict[str, Lesson]
    clashes: frozenset[frozenset[str]]
    questions: dict[int, list[Question]]

    def born(self, day: int) -> list[dict[str, Any]]:
        """Return the drafts of a day, those that others link to first."""
        return [lesson.draft for _, lesson in sorted(self.lessons.items()) if lesson.born == day]

    def are_twins(self, one: str, other: str) -> bool:
        """Return whether two lessons say the same."""
        return self.lessons[one].group == self.lessons[other].group

    def current(self, fate: Fate) -> list[Lesson]:
        """Return the lessons of this fate, by id."""
        return [lesson for _, lesson in sorted(self.lessons.items()) if lesson.fate is fate]


def world(seed: int, memories: int, recalls: int, days: int) -> World:
    """Return a project of about so many memories that is asked so many questions."""
    chance = random.Random(seed)
    lessons = _lessons(chance, seed, memories, days)
    clashes = _clashes(chance, lessons, max(2, memories // 50))
    by_id = {lesson.id: lesson for lesson in lessons}
    return World(by_id, clashes, _questions(chance, lessons, recalls, days))


def _lessons(chance: random.Random, seed: int, memories: int, days: int) -> list[Lesson]:
    found: list[Lesson] = []
    for number, draft in enumerate(generate(memories + seed)):
        if len(found) >= memories:
            break
        fate = chance.choices(list(SHARES), list(SHARES.values()))[0]
        lesson = Lesson(_alone(draft), fate, _birth(chance, days), number)
        found += [lesson, *_others(chance, lesson, days)]
    for lesson in found:
        if lesson.fate is Fate.USEFUL:
            lesson.needed = list(_needs(chance, lesson.born, days))
    return found


def _others(chance: random.Random, lesson: Lesson, days: int) -> list[Lesson]:
    """Return what comes of a lesson: a successor, or now and then a twin or a sibling."""
    if lesson.fate is Fate.DECISION:
        lesson.draft["labels"] = [*lesson.draft["labels"], "kind:decision"]
    if lesson.fate is Fate.OUTDATED:
        return [_successor(chance, lesson, days)]
    luck = chance.random()
    if lesson.fate is not Fate.USEFUL or luck > TWIN_SHARE + SIBLING_SHARE:
        return []
    return [_twin(chance, lesson, days)] if luck < TWIN_SHARE else [_sibling(lesson)]


def _alone(draft: dict[str, Any]) -> dict[str, Any]:
    # a lesson with links stays for their sake, whatever is asked
    return {name: value for name, value in draft.items() if name != "relationships"}


def _birth(chance: random.Random, days: int) -> int:
    return 0 if chance.random() < 0.7 else chance.randrange(1, max(2, days * 2 // 3))


def _successor(chance: random.Random, old: Lesson, days: int) -> Lesson:
    """Return what replaces a lesson, which is asked for until then."""
    born = min(days - 1, old.born + chance.randrange(5, max(6, days // 2)))
    old.needed = [day for day in _needs(chance, old.born, days) if day < born]
    draft = {
        **old.draft,
        "id": f"{old.id}-anew",
        "description": _reworded(chance, old.draft["description"], 0.6),
        "remembered_facts": [_reworded(chance, f, 0.8) for f in old.draft["remembered_facts"]],
        "relationships": {"supersedes": [old.id]},
    }
    return Lesson(draft, Fate.USEFUL, born, -old.group - 1)


def _twin(chance: random.Random, told: Lesson, days: int) -> Lesson:
    """Return the same lesson, told again with a word or two exchanged, or none."""
    rate = chance.choice((0.0, 0.03, 0.06))
    texts = {
        name: [_reworded(chance, text, rate) for text in told.draft[name]]
        for name in ("triggers", "remembered_facts", "solution_pattern", "pitfalls")
    }
    text = _reworded(chance, told.draft["description"], rate)
    draft = {**told.draft, **texts, "id": f"{told.id}-again", "description": text.capitalize()}
    born = min(days - 1, told.born + chance.randrange(1, max(2, days // 2)))
    return Lesson(draft, Fate.TWIN, born, told.group)


def _sibling(told: Lesson) -> Lesson:
    """Return a lesson that differs from one by a number only, and so is another."""
    first, second = (f"retry {number} times before the lock is given up" for number in (3, 5))
    other = {**told.draft, "id": f"{told.id}-fifth"}
    other["remembered_facts"] = [second, *told.draft["remembered_facts"]]
    told.draft["remembered_facts"] = [first, *told.draft["remembered_facts"]]
    return Lesson(other, Fate.USEFUL, told.born, -10_000_000 - told.group)


def _reworded(chance: random.Random, text: str, rate: float) -> str:
    words = text.split()
    return " ".join(w if chance.random() >= rate else f"{w[::-1]}ix" for w in words)


def _needs(chance: random.Random, born: int, days: int) -> Iterator[int]:
    day = born + chance.randint(*FIRST_NEED)
    while day < days:
        yield day
        day += chance.randint(*LATER_NEEDS)


def _clashes(
    chance: random.Random, lessons: list[Lesson], count: int
) -> frozenset[frozenset[str]]:
    """Let pairs of lessons contradict each other, by a link or by a fact; others agree."""
    told = Counter(lesson.id[: len("memory-000000")] for lesson in lessons)
    free = [each for each in lessons if each.fate is Fate.USEFUL and told[each.id] == 1]
    chance.shuffle(free)
    pairs = list(zip(free[0::2], free[1::2], strict=False))[: count * 2]
    found = set()
    for number, pair in enumerate(pairs):
        one, other = sorted(pair, key=lambda lesson: (lesson.born, lesson.id))
        agree = number >= count
        if number % 2 and not agree:
            link = {"id": one.id, "reason": f"{REASON}, and both cannot hold"}
            other.draft["relationships"] = {"contradicts": [link]}
        else:
            for value, lesson in ((10, one), (10 if agree else 20, other)):
                fact = {"fact": f"{value} seconds", "key": f"timeout of {one.id}"}
                lesson.draft["remembered_facts"] = [*lesson.draft["remembered_facts"], fact]
        if not agree:
            found.add(frozenset((one.id, other.id)))
    return frozenset(found)


def _questions(
    chance: random.Random, lessons: list[Lesson], recalls: int, days: int
) -> dict[int, list[Question]]:
    """Return the questions of need, and as many more, of popular lessons and of none, as asked."""
    asked: dict[int, list[Question]] = defaultdict(list)
    needs = [(day, lesson) for lesson in lessons for day in lesson.needed]
    popular = [lesson for lesson in lessons if lesson.needed]
    weights = [1 / place for place in range(1, len(popular) + 1)]
    while len(needs) < recalls:
        lesson = chance.choices(popular, weights)[0]
        needs.append((chance.randrange(lesson.needed[0], lesson.needed[-1] + 1), lesson))
    for day, lesson in needs:
        asked[day].append(Question(_words(chance, lesson), _words(chance, lesson), lesson.id))
        if chance.random() < 0.05:
            words = f"nothing of the kind {chance.random()}"
            asked[chance.randrange(days)].append(Question(words, words, None))
    return asked


def _words(chance: random.Random, lesson: Lesson) -> str:
    words = lesson.draft["description"].split()
    return " ".join(chance.sample(words, min(WORDS, len(words))))
