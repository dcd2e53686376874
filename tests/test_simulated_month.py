"""A month of the simulated year: what audits find and archive, against a hidden truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def outcome() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        from simulated_year import simulated  # no package: found by that path

        return simulated(projects=1, memories=90, recalls=220, days=32, seed=3)


def test_nothing_useful_and_nothing_protected_is_archived_for_its_silence(outcome: Any) -> None:
    assert outcome.judged > 20
    assert (outcome.useful_archived, outcome.protected_archived) == (0, 0)


def test_planted_twins_and_contradictions_are_found_and_little_else(outcome: Any) -> None:
    assert min(outcome.twins, outcome.clashes) >= 2
    assert outcome.twins_found >= 0.9 * outcome.twins
    assert outcome.clashes_found >= 0.9 * outcome.clashes
    assert outcome.false_pairs <= 0.05 * outcome.pairs


def test_what_has_a_successor_is_archived(outcome: Any) -> None:
    assert 0 < outcome.outdated == outcome.outdated_archived


def test_every_applied_audit_is_undone_byte_for_byte(outcome: Any) -> None:
    assert outcome.actions > 20
    assert outcome.changed_by_undo == 0


def test_nothing_falls_short(outcome: Any) -> None:
    assert outcome.faults() == []
