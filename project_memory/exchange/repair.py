"""Bring documents of older tools into today's form, where that loses nothing."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from typing import Any

from project_memory import documents, labels

_OPTIONAL_TEXT = ("area", "reach")
_OPTIONAL_EVIDENCE = ("created", "source", "related_doc", "commit", "confidence")


def normalised(document: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return (the document with what can be put right put right, one sentence for each repair).

    One that needs no repair, or whose shape is wrong, comes back as it is.
    """
    repairs: list[str] = []
    try:
        repaired = _repaired(dict(document), repairs)
        return (documents.canonical(repaired) if repairs else repaired), repairs
    except (AttributeError, KeyError, TypeError, ValueError):
        return dict(document), []


def _repaired(document: dict[str, Any], repairs: list[str]) -> dict[str, Any]:
    if not unicodedata.is_normalized("NFC", json.dumps(document, ensure_ascii=False)):
        repairs.append("text was not in NFC; composed")
    if "labels" in document:
        document["labels"] = [_label(label, repairs) for label in document["labels"]]
    for field, optional in (("scope", _OPTIONAL_TEXT), ("evidence", _OPTIONAL_EVIDENCE)):
        if isinstance(document.get(field), Mapping):
            document[field] = _without_blank(document[field], field, optional, repairs)
    if isinstance(document.get("status_reason"), str) and not document["status_reason"].strip():
        del document["status_reason"]
        repairs.append("status_reason was blank; left out")
    for field in ("tags", "triggers", "solution_pattern", "pitfalls"):
        if isinstance(document.get(field), list):
            document[field] = _filled(document[field], field, repairs)
    scope = document.get("scope")
    if isinstance(scope, dict) and isinstance(scope.get("files"), list):
        scope["files"] = [_path(path, repairs) for path in scope["files"]]
    return document


def _label(label: Any, repairs: list[str]) -> Any:
    if isinstance(label, str) and labels.prefix(label) in labels.RESERVED:
        mapped = f"x{label}"
        repairs.append(f"label '{label}' has a reserved prefix; taken as '{mapped}'")
        return mapped
    return label


def _without_blank(
    value: Mapping[str, Any], field: str, optional: tuple[str, ...], repairs: list[str]
) -> dict[str, Any]:
    blank = [
        name
        for name in optional
        if name in value and (value[name] is None or not str(value[name]).strip())
    ]
    repairs += [f"{field}.{name} was blank; left out" for name in blank]
    return {name: item for name, item in value.items() if name not in blank}


def _filled(items: list[Any], field: str, repairs: list[str]) -> list[Any]:
    kept = [item for item in items if not (isinstance(item, str) and not item.strip())]
    if len(kept) != len(items):
        repairs.append(f"a blank entry of {field} was left out")
    return kept


def _path(path: Any, repairs: list[str]) -> Any:
    if isinstance(path, str) and "\\" in path:
        repairs.append(f"path '{path}' was written with backslashes; turned")
        return path.replace("\\", "/")
    return path
