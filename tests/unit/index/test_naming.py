"""Which memories name a path, told by every name that one can have for it."""

from __future__ import annotations

import pytest
from factories import memory

from project_memory.index.selection import Selection

PATH = "src/store/sqlite.py"


@pytest.mark.parametrize(
    ("name", "exact", "wide"),
    [
        (PATH, True, False),
        (f"./{PATH}", True, False),
        ("src", False, True),
        ("src/store/", False, True),
        ("src/store/*.py", False, True),
        ("**/sqlite.*", False, True),
        ("src/**", False, True),
        ("src/sto", False, False),
        ("src/store/sqlite", False, False),
        ("store/sqlite.py", False, False),
        ("src/*.py", False, False),
        ("src/store/sqlite.py/x", False, True),
    ],
)
@pytest.mark.parametrize("is_check", [False, True])
def test_a_path_is_named_by_itself_by_folders_and_by_globs(
    name: str, is_check: bool, exact: bool, wide: bool
) -> None:
    scope = {"project": "demo", "files": [] if is_check else [name], "applies_to": []}
    checks = [{"type": "file_exists", "path": name}] if is_check else []
    selection = Selection()
    selection.put(7, memory(key=7, scope=scope, checks=checks))
    found = selection.naming([PATH, "docs/other.md"])
    assert ([*found.exact], [*found.wide]) == ([7] * exact, [7] * wide)
    assert [*found.either] == [7] * (exact or wide)
    selection.remove(7)
    assert [*selection.naming([PATH]).either] == []


def test_a_check_without_a_path_names_nothing() -> None:
    selection = Selection()
    selection.put(1, memory(checks=[{"type": "dependency", "requirement": "requests"}]))
    assert [*selection.naming(["pyproject.toml", "requests"]).either] == []
