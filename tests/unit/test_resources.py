"""Resources: one copy of schema/ and skills/, found in the package or in the repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from project_memory import resources

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Move the package to an empty folder."""
    package = tmp_path / "site" / "project_memory"
    package.mkdir(parents=True)
    monkeypatch.setattr(resources, "_PACKAGE", package)
    resources.data_root.cache_clear()
    resources.schema.cache_clear()
    yield package
    resources.data_root.cache_clear()
    resources.schema.cache_clear()


def test_packaged_data_wins(elsewhere: Path) -> None:
    (elsewhere / "_data").mkdir()
    assert resources.data_root() == elsewhere / "_data"


def test_a_checkout_uses_its_own_folders(elsewhere: Path) -> None:
    assert resources.data_root() == elsewhere.parent


def test_schemas_are_found_by_name_also_in_folders(elsewhere: Path) -> None:
    folder = elsewhere / "_data" / "schema"
    (folder / "output").mkdir(parents=True)
    (folder / "memory.schema.json").write_text('{"title": "Memory ☃"}', encoding="utf-8")
    (folder / "output" / "recall.schema.json").write_text("{}", encoding="utf-8")
    (folder / "README.md").write_text("not a schema", encoding="utf-8")
    assert resources.schema_names() == ["memory", "output/recall"]
    assert resources.schema("memory") == {"title": "Memory ☃"}


def test_this_checkout_has_the_schema_of_a_memory() -> None:
    if not (REPOSITORY / "schema").is_dir():
        pytest.skip("the tests run apart from their checkout")
    assert "memory" in resources.schema_names()
    assert resources.schema("memory")["type"] == "object"
