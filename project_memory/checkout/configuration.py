"""What a checkout says about how its memories are to be kept."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from project_memory.errors import InvalidInput

FILE = "pyproject.toml"
TABLE = "tool.project-memory"


def settings(root: Path) -> Mapping[str, Any]:
    """Return the table ``[tool.project-memory]`` of pyproject.toml; empty where there is none.

    Args:
        root: Top of the checkout.

    Raises:
        InvalidInput: the file cannot be read or is not TOML, or the name is no table's.
    """
    place = root / FILE
    value: Mapping[str, Any]
    try:
        value = tomllib.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InvalidInput(f"'{place}' cannot be read as TOML ({error}); correct it") from error
    for name in TABLE.split("."):
        value = value.get(name, {})
        if not isinstance(value, Mapping):
            raise InvalidInput(f"'{name}' in '{place}' is no table; write [{TABLE}]")
    return value
