"""Find the folders that ship with the package: schema/, skills/ and the example store."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent


@cache
def data_root() -> Path:
    """Return the folder that holds schema/ and skills/: the packaged one, else the repository."""
    packaged = _PACKAGE / "_data"
    return packaged if packaged.is_dir() else _PACKAGE.parent


@cache
def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema ``schema/<name>.schema.json``."""
    text = (data_root() / "schema" / f"{name}.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def schema_names() -> list[str]:
    """Return the names of all schemas, sorted."""
    suffix = ".schema.json"
    return sorted(
        path.relative_to(data_root() / "schema").as_posix().removesuffix(suffix)
        for path in (data_root() / "schema").rglob(f"*{suffix}")
    )
