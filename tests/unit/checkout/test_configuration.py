"""The table of a checkout's pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from project_memory.checkout import configuration
from project_memory.errors import InvalidInput


def written(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder


def test_the_table_is_read(tmp_path: Path) -> None:
    root = written(tmp_path, "[tool.project-memory]\nvalidated-days = 30\nignore = ['orphan']\n")
    assert configuration.settings(root) == {"validated-days": 30, "ignore": ["orphan"]}


@pytest.mark.parametrize("text", ["", "[project]\nname = 'x'\n", "[tool.other]\na = 1\n"])
def test_without_the_table_there_is_nothing(tmp_path: Path, text: str) -> None:
    assert configuration.settings(written(tmp_path, text)) == {}


def test_without_the_file_there_is_nothing(tmp_path: Path) -> None:
    assert configuration.settings(tmp_path) == {}


def test_what_is_not_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        configuration.settings(written(tmp_path, "[tool"))
    message = str(caught.value)
    assert message.startswith(f"'{tmp_path / 'pyproject.toml'}' cannot be read as TOML (")
    assert message.endswith("); correct it")


def test_a_name_that_is_no_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        configuration.settings(written(tmp_path, "[tool]\nproject-memory = 3\n"))
    assert str(caught.value) == (
        f"'project-memory' in '{tmp_path / 'pyproject.toml'}' is no table; "
        "write [tool.project-memory]"
    )
