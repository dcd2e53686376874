"""Every check: its code, its function, how serious it is, and why it is made.

A check is a generator function over `Evidence`. A function that finds several kinds of things
stands in the table under each code, and runs once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from project_memory.audit.checks import (
    contradictions,
    duplicates,
    facts,
    files,
    inbox,
    labels,
    leaks,
    proof,
    retention,
    size,
    succession,
    upkeep,
)
from project_memory.audit.evidence import Evidence
from project_memory.audit.finding import Finding, Severity

Function: TypeAlias = Callable[[Evidence], Iterator[Finding]]
"""Yields what it finds, in any order."""


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the table.

    Attributes:
        function: Yields findings, this code's among them.
        severity: The severity of this code's findings.
        explanation: One sentence for a person: what is found, and why it matters.
    """

    function: Function
    severity: Severity
    explanation: str


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "secret": Check(
            leaks.leaked,
            Severity.ERROR,
            "Stored text looks like a credential, which whoever reads the store has then.",
        ),
        "duplicate": Check(
            duplicates.exact,
            Severity.WARNING,
            "Several memories have one text; edits of one leave the others behind.",
        ),
        "near-duplicate": Check(
            duplicates.near,
            Severity.NOTE,
            "Two memories say one lesson in nearly the same words, and share its uses.",
        ),
        "contradiction": Check(
            contradictions.linked,
            Severity.WARNING,
            "Two active memories are linked as contradicting each other; one misleads.",
        ),
        "contradictory-facts": Check(
            facts.expired_and_contradictory,
            Severity.WARNING,
            "One key has two values in what readers take for true.",
        ),
        "expired-fact": Check(
            facts.expired_and_contradictory,
            Severity.WARNING,
            "A fact's last day is over; readers are told that it is only an assumption.",
        ),
        "old-assumption": Check(
            facts.old_assumptions,
            Severity.NOTE,
            "An assumption that nobody settles turns into a rumour.",
        ),
        "superseded-removable": Check(
            succession.superseded,
            Severity.NOTE,
            "A live successor says it better; archived, the old text is still kept.",
        ),
        "superseded-expired": Check(
            retention.removable,
            Severity.NOTE,
            "It was archived long ago, and what superseded it is still there.",
        ),
        "silent": Check(
            retention.silent_and_earned,
            Severity.NOTE,
            "No question needed the memory while there was time; archived, it is still kept.",
        ),
        "earned": Check(
            retention.silent_and_earned,
            Severity.NOTE,
            "The memory has been of use; a higher tier looks at it less often.",
        ),
        "file-missing": Check(
            files.fates,
            Severity.WARNING,
            "A file that the memory names is gone, and with it perhaps what the lesson is about.",
        ),
        "file-renamed": Check(
            files.fates,
            Severity.WARNING,
            "A file has another path now; who asks by that path does not find the memory.",
        ),
        "file-changed": Check(
            files.fates,
            Severity.NOTE,
            "A file is not what it was when the memory was last held against it.",
        ),
        "check-contradicted": Check(
            proof.failing,
            Severity.WARNING,
            "The code says something else than the lesson does; one of the two is wrong.",
        ),
        "check-undecided": Check(
            proof.failing,
            Severity.NOTE,
            "A check of the memory cannot be decided, so nothing tests the lesson.",
        ),
        "wrong-without-pitfall": Check(
            upkeep.without_pitfall,
            Severity.WARNING,
            "A wrong memory is kept as a warning, and this one does not say of what.",
        ),
        "unvalidated": Check(
            upkeep.unvalidated,
            Severity.NOTE,
            "Nobody has held the memory against the code for long.",
        ),
        "orphan": Check(
            upkeep.orphans,
            Severity.NOTE,
            "Neither a link nor a telling label leads to the memory.",
        ),
        "noisy": Check(
            upkeep.noisy,
            Severity.NOTE,
            "The memory is shown often and helps nobody; it takes the place of others.",
        ),
        "oversize": Check(
            size.oversize,
            Severity.WARNING,
            "The memory is too large to be read whole beside others.",
        ),
        "standing-overflow": Check(
            size.standing_overflow,
            Severity.WARNING,
            "More rules stand than fit into what a session is told at its start.",
        ),
        "label-missing": Check(
            labels.missing,
            Severity.WARNING,
            "The memory lacks a label of a prefix that the project requires.",
        ),
        "label-twin": Check(
            labels.twins,
            Severity.NOTE,
            "Two labels say the same in two spellings, so each finds half.",
        ),
        "label-broad": Check(
            labels.broad,
            Severity.NOTE,
            "So many memories carry the label that it tells nothing apart.",
        ),
        "label-rare": Check(
            labels.rare,
            Severity.NOTE,
            "A single memory carries the label, which groups nothing.",
        ),
        "label-unused": Check(
            labels.unused,
            Severity.NOTE,
            "No memory carries the label; whoever reads the registry reads past it.",
        ),
        "review-overdue": Check(
            inbox.overdue,
            Severity.NOTE,
            "A proposal waits for a decision, and who made it for an answer.",
        ),
    }
)
"""Code -> check, in the order of the documentation."""

OF_FILES = frozenset(code for code, check in CHECKS.items() if check.function is files.fates)
"""Codes of the checks that need to know what became of files; they need a checkout."""

OF_PROOF = frozenset(code for code, check in CHECKS.items() if check.function is proof.failing)
"""Codes of the checks that need those of memories to be made; they need a checkout."""
