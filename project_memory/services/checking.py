"""Hold the checks of memories against the project's code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from project_memory.checkout.git import checkout_at
from project_memory.model import CodePlace, Document, Memory, Problem, Severity
from project_memory.services.files import checkout_of
from project_memory.verdicts import Standing, Verdict

_SEVERITIES = {Standing.CONTRADICTED: Severity.ERROR, Standing.UNDECIDED: Severity.WARNING}


@dataclass(frozen=True, slots=True)
class Facts:
    """What checks were held against: the top of a checkout; and how many checks there were."""

    checkout: str
    checks: int


def held(
    checks: Mapping[str, Sequence[Mapping[str, Any]]], folder: Path
) -> tuple[Facts, list[Problem]]:
    """Return what was held against the checkout that holds a folder, and what does not hold.

    Args:
        checks: By id of the memory; well formed.
        folder: A folder in the checkout.

    Raises:
        InvalidInput: there is no checkout, or git cannot read it.
    """
    from project_memory.checkout.evaluation import verdicts  # noqa: PLC0415  # only with --facts

    checkout = checkout_at(folder)
    found = verdicts(checkout, checks)
    facts = Facts(str(checkout.root), sum(map(len, checks.values())))
    return facts, list(_problems(found))


def verdicts_of(
    memories: Iterable[Memory], folder: Path | None
) -> Mapping[str, tuple[Verdict, ...]]:
    """Return memory id -> its checks that do not hold; memories without any are left out.

    Raises:
        InvalidInput: there is no folder, no checkout, or git cannot read it.
    """
    from project_memory.checkout.evaluation import verdicts  # noqa: PLC0415  # see `held`

    return verdicts(checkout_of(folder), {memory.id: carried(memory) for memory in memories})


def carried(memory: Memory) -> Sequence[Mapping[str, Any]]:
    """Return the checks of a memory."""
    found: Sequence[Mapping[str, Any]] = memory.document.get("checks", ())
    return found


def requirement_problems(document: Document) -> Iterator[Problem]:
    """Yield a problem for each check of a dependency that can never be decided.

    Args:
        document: One that satisfies the schema.
    """
    for position, check in enumerate(document.get("checks", ())):
        if check["type"] == "dependency":
            from project_memory.checkout.depending import unmeant  # noqa: PLC0415  # see `held`

            verdict = unmeant(check["requirement"])
            if verdict is not None:
                where = f"$.checks[{position}].requirement"
                yield Problem(
                    "no-requirement", verdict.message, where, document["id"], verdict.fix
                )


def _problems(found: Mapping[str, Sequence[Verdict]]) -> Iterator[Problem]:
    for name, verdicts in found.items():
        for verdict in verdicts:
            yield Problem(
                f"check-{verdict.standing}",
                verdict.message,
                f"$.checks[{verdict.position}]",
                name,
                verdict.fix,
                _SEVERITIES[verdict.standing],
                at=None if verdict.file is None else CodePlace(verdict.file, verdict.line),
            )
