"""Every check: its code, its function, how serious it is, and why it is made.

A check is a generator function over `Evidence`. A function that finds several kinds of things
stands in the table under each code, and runs once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from project_memory.audit.checks import labels, succession
from project_memory.audit.evidence import Evidence
from project_memory.audit.finding import Finding, Severity


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the table.

    Attributes:
        function: Yields findings, this code's among them.
        severity: The severity of this code's findings.
        explanation: One sentence for a person: what is found, and why it matters.
    """

    function: Callable[[Evidence], Iterator[Finding]]
    severity: Severity
    explanation: str


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "superseded-removable": Check(
            succession.superseded,
            Severity.NOTE,
            "A live successor says it better; archived, the old text is still kept.",
        ),
        "label-unused": Check(
            labels.unused,
            Severity.NOTE,
            "No memory carries the label; whoever reads the registry reads past it.",
        ),
    }
)
"""Code -> check, in the order of the documentation."""
