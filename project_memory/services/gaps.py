"""Group the questions that recall did not help with: what the project does not know yet.

Grouping is text in, groups out; only the report reads a store.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum, log

from project_memory import access, secrets
from project_memory.model import Project, Question
from project_memory.ports import Reader
from project_memory.ranking import tokens
from project_memory.services import browse, tally, traces
from project_memory.services.store import StoreInfo

LONGEST = 200
"""Characters that are kept of a question."""

SHOWN_TERMS = 5
"""Terms that name a gap, at most."""

ALIKE = 0.5
"""Share of the lighter question's weight that two must have in common to be one gap."""

_REDACTED = re.compile(r"\[redacted: [^\]]*\]?")


@dataclass(frozen=True, slots=True)
class Gap:
    """Questions that share terms.

    Attributes:
        terms: Lower-case words that name it, the most telling first; none where the questions
            have no words.
        questions: How many different questions it holds, from 1.
        unanswered: Sum over its questions.
        unapplied: Sum over its questions.
        first_day: The earliest of its days.
        last_day: The latest of its days.
        example: The text of the question that was noted most.
    """

    terms: tuple[str, ...]
    questions: int
    unanswered: int
    unapplied: int
    first_day: str
    last_day: str
    example: str


@dataclass(frozen=True, slots=True)
class GapReport:
    """What recall did not help with, the most noted first.

    Attributes:
        gaps: Those in the window.
        count: How many there are.
        questions: How many different questions are kept of them.
        most: How many are kept at most; beyond, the least noted are dropped.
        keeping: Whether the project keeps such questions.
        store: Where it was.
    """

    gaps: tuple[Gap, ...]
    count: int
    questions: int
    most: int
    keeping: bool
    store: StoreInfo


def listed(
    reader: Reader, project: Project, info: StoreInfo, *, limit: int, offset: int
) -> GapReport:
    """Return the gaps of a project.

    Raises:
        InvalidInput: `limit` is below 1 or `offset` below 0.
    """
    browse.check_window(limit, offset)
    kept = reader.questions(project.key)
    found = gaps(kept)
    keeping = project.settings.get("questions") != access.Questions.OFF
    shown = found[offset : offset + limit]
    return GapReport(shown, len(found), len(kept), tally.KEPT, keeping, info)


def telling(questions: Iterable[Question], texts: Iterable[str], ids: Iterable[str]) -> list[str]:
    """Return the texts of the questions that hold one of these texts, or a part, or an id.

    What is kept is one line without secrets, and may be cut: both count as held, in any case.
    """
    known = [_folded(secrets.redact(text)) for text in texts]
    names = [re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])") for name in ids]
    return [q.text for q in questions if _tells(_folded(q.text), known, names)]


def _tells(kept: str, texts: Iterable[str], names: Iterable[re.Pattern[str]]) -> bool:
    if any(name.search(kept) for name in names):
        return True
    if not kept.endswith("…"):
        return any(text in kept for text in texts)
    cut = kept[:-1].rstrip()
    return any(text in cut or _ends_within(cut, text) for text in texts)


def _ends_within(cut: str, text: str) -> bool:
    """Return whether a text begins at the end of one that was cut, by a dozen letters or more."""
    return any(
        cut.endswith(text[:length])
        for length in range(traces.SHORTEST, min(len(text), len(cut)) + 1)
    )


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def kept_text(question: str) -> str:
    """Return what may be kept of a question: one line, without secrets, at most `LONGEST` long.

    Secrets go before the cut: one that is cut in half is no longer known as one. They are looked
    for in the text as it came, whose lines rules may go by, and again in the one line, where a
    value stands beside a name that was on the line before.
    """
    storable = question.encode("utf-8", "replace").decode()
    plain = secrets.redact(" ".join(secrets.redact(storable).split()))
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"


def gaps(questions: Iterable[Question]) -> tuple[Gap, ...]:
    """Return the questions in groups, the most noted first; the order they come in is no matter.

    Every group is what one question, its most noted, has in common with others, so that no chain
    of likenesses joins two that share nothing. Terms are those of recall, and a rare one counts
    for more than one that many questions have.
    """
    ordered = sorted(questions, key=_standing)
    words = [_words(question.text) for question in ordered]
    weights = _weights(words)
    groups: list[list[int]] = []
    for number, stems in enumerate(words):
        likeness = [_likeness(words[group[0]], stems, weights) for group in groups]
        best = max(likeness, default=0.0)
        if best >= ALIKE:
            groups[likeness.index(best)].append(number)
        else:
            groups.append([number])
    found = [
        _gap([ordered[n] for n in group], [words[n] for n in group], weights) for group in groups
    ]
    return tuple(sorted(found, key=lambda gap: (-gap.unanswered - gap.unapplied, gap.example)))


def _standing(question: Question) -> tuple[int, str, str]:
    return (-question.unanswered - question.unapplied, question.first_day, question.text)


def _words(text: str) -> dict[str, str]:
    """Return stem -> the word it stands for; stop words only where there is nothing else."""
    every = tokens.tokens(_REDACTED.sub(" ", text))
    telling = [token for token in every if not token.stop and not token.single]
    return {token.stem: token.surface for token in reversed(telling or every)}


def _weights(words: Iterable[Mapping[str, str]]) -> dict[str, float]:
    """Return stem -> its weight, above 0 and the higher the fewer questions have it."""
    every = list(words)
    held = Counter(stem for stems in every for stem in stems)
    return {stem: log(1 + len(every) / count) for stem, count in held.items()}


def _likeness(
    one: Mapping[str, str], other: Mapping[str, str], weights: dict[str, float]
) -> float:
    """Return what two share of the lighter's weight, from 0 to 1."""
    shared = one.keys() & other.keys()
    if not shared:
        return 0.0
    lighter = min(fsum(weights[stem] for stem in stems) for stems in (one, other))
    return fsum(weights[stem] for stem in shared) / lighter


def _gap(
    members: list[Question], words: list[dict[str, str]], weights: Mapping[str, float]
) -> Gap:
    leading = words[0]
    weight = {stem: weights[stem] * sum(stem in other for other in words) for stem in leading}
    telling = sorted(leading, key=lambda stem: (-weight[stem], stem))[:SHOWN_TERMS]
    return Gap(
        terms=tuple(leading[stem] for stem in telling),
        questions=len(members),
        unanswered=sum(question.unanswered for question in members),
        unapplied=sum(question.unapplied for question in members),
        first_day=min(question.first_day for question in members),
        last_day=max(question.last_day for question in members),
        example=members[0].text,
    )
