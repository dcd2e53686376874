"""What is broken is told by file, line and remedy, and nothing of it is imported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from malformed import FOREIGN, cases

from project_memory.app import ProjectMemory
from project_memory.errors import ProjectMemoryError
from project_memory.exchange.foreign import IMPORTERS
from project_memory.model import Actor, Authority

CASES = list(cases())
SAID = json.loads((FOREIGN / "malformed.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "variant", "make"), CASES, ids=[f"{name}: {variant}" for name, variant, _ in CASES]
)
def test_what_is_broken_is_told_and_nothing_is_imported(
    tmp_path: Path, name: str, variant: str, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "x.md")
    actor = Actor("ada", Authority.USER)
    with ProjectMemory.open("inmemory://", project="demo", actor=actor, create=True) as memory:
        before = memory.stats()
        with pytest.raises(ProjectMemoryError) as error:
            memory.import_path(tmp_path / "x.md", form=name)
        assert str(error.value) == SAID[name][variant]
        assert memory.stats() == before
    assert [path.name for path in tmp_path.iterdir()] == ["x.md"]


def test_every_format_has_ten_broken_variants() -> None:
    assert {name: len(variants) >= 10 for name, variants in SAID.items()} == dict.fromkeys(
        IMPORTERS, True
    )
