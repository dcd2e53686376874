"""Add to the evidence of an audit what the project's code says."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from project_memory.audit import OF_FILES, OF_PROOF, Evidence
from project_memory.audit.evidence import current
from project_memory.errors import InvalidInput
from project_memory.services import checking
from project_memory.services.files import compared_files

_OF_CODE = OF_FILES | OF_PROOF


@dataclass(frozen=True, slots=True)
class Beside:
    """Evidence with what the code says.

    Attributes:
        evidence: What can be judged.
        codes: Checks that can be made of it.
        notes: What is not known, and why.
    """

    evidence: Evidence
    codes: tuple[str, ...]
    notes: tuple[str, ...] = ()


def beside(
    evidence: Evidence, checkout: Path | None, codes: tuple[str, ...], asked: Collection[str]
) -> Beside:
    """Return the evidence with what the code says, as far as checks of these codes need it.

    Args:
        evidence: What was gathered otherwise.
        checkout: Top of a checkout, or None.
        codes: Checks to make.
        asked: Those that were asked for by name.

    Raises:
        InvalidInput: there is no checkout, and a check that needs one was asked for by name.
    """
    try:
        return _with_code(evidence, checkout, codes)
    except InvalidInput as error:
        if not _OF_CODE.isdisjoint(asked):
            raise
        left = tuple(code for code in codes if code not in _OF_CODE)
        missed = " and ".join(_missed(evidence))
        return Beside(evidence, left, (f"{missed}: {error}",) if missed else ())


def _with_code(evidence: Evidence, checkout: Path | None, codes: tuple[str, ...]) -> Beside:
    notes: tuple[str, ...] = ()
    if not OF_FILES.isdisjoint(codes):
        files = compared_files(current(evidence), checkout)
        evidence, notes = replace(evidence, files=files.states), files.notes
    if not OF_PROOF.isdisjoint(codes):
        evidence = replace(evidence, verdicts=checking.verdicts_of(current(evidence), checkout))
    return Beside(evidence, codes, notes)


def _missed(evidence: Evidence) -> list[str]:
    """Return what was not done, of what there was to do."""
    memories = list(current(evidence))
    files = any(memory.document["scope"].get("files") for memory in memories)
    checks = any(map(checking.carried, memories))
    said = {"files were not compared": files, "checks of facts were not made": checks}
    return [each for each, was_to_do in said.items() if was_to_do]
