"""Bring documents of older tools into today's form, where that loses nothing."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from project_memory import documents, labels, relations, validation

_OPTIONAL = {
    "scope": ("area", "reach"),
    "evidence": ("created", "source", "related_doc", "commit", "confidence"),
}
_OPTIONAL_FIELDS = ("status_reason", "standing", "checks")
_OPTIONAL_OF_FACT = ("key", "status", "verified_at", "source", "expires")
_LISTS = ("tags", "triggers", "solution_pattern", "pitfalls")
_ENTRY = re.compile(rf"\$\.({'|'.join(_LISTS)}|scope\.files|scope\.applies_to)\[(\d+)\]")


def is_sound(document: Any, content: str) -> bool:
    """Return whether a document, read from `content`, is valid as it stands.

    False only says that a closer look is due.
    """
    if "\\u" in content or not unicodedata.is_normalized("NFC", content):
        return False
    size = len(content) if content.isascii() else len(content.encode("utf-8", "surrogatepass"))
    return (
        size <= validation.MAX_BYTES
        and validation.is_valid(document)
        and not any(labels.prefix(name) in labels.RESERVED for name in document["labels"])
    )


def normalised(document: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return (the document with what can be put right put right, one sentence for each repair).

    One that needs no repair, or whose shape is wrong, comes back as it is.
    """
    repairs: list[str] = []
    try:
        repaired = _tidied(document, repairs)
        for repair in (_map_labels, _drop_blanks, _drop_blank_parts, _turn_paths):
            repair(repaired, repairs)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return dict(document), []
    return (repaired if repairs else dict(document)), repairs


def path_in_file(read: Mapping[str, Any], repaired: Mapping[str, Any], path: str) -> str:
    """Return where a value of the normalised document stands in the document that was read.

    Entries of a list move up where a blank one before them was left out.
    """
    found = _ENTRY.match(path)
    if found is None:
        return path
    before, after = (_list_at(document, found[1]) for document in (read, repaired))
    kept = [place for place, item in enumerate(before) if documents.cleaned(item) != ""]
    if len(kept) == len(before) or len(kept) != len(after):
        return path
    return f"$.{found[1]}[{kept[int(found[2])]}]{path[found.end() :]}"


def mapped_label(label: str) -> str:
    """Return the label that stands for one whose prefix is reserved."""
    return f"x{label}" if labels.prefix(label) in labels.RESERVED else label


def _tidied(document: Mapping[str, Any], repairs: list[str]) -> dict[str, Any]:
    if not unicodedata.is_normalized("NFC", json.dumps(document, ensure_ascii=False)):
        repairs.append("text was not in NFC; composed")
    if any(text != text.strip() for _, text in documents.strings(document)):
        repairs.append("blanks around text were taken off")
    tidied: dict[str, Any] = documents.cleaned(document)
    return tidied


def _map_labels(document: dict[str, Any], repairs: list[str]) -> None:
    carried = document.get("labels")
    if not isinstance(carried, list) or not all(isinstance(name, str) for name in carried):
        return
    document["labels"] = [mapped_label(name) for name in carried]
    repairs += [
        f"label '{name}' has a reserved prefix; taken as '{mapped_label(name)}'"
        for name in carried
        if mapped_label(name) != name
    ]


def _drop_blanks(document: dict[str, Any], repairs: list[str]) -> None:
    _without(document, "", _OPTIONAL_FIELDS, repairs)
    for field, optional in _OPTIONAL.items():
        _without(document.get(field), f"{field}.", optional, repairs)
    for fact in document.get("remembered_facts") or ():
        _without(fact, "a fact's ", _OPTIONAL_OF_FACT, repairs)
    for kind, items in (document.get("relationships") or {}).items():
        known = relations.KINDS.get(kind)
        if known is not None and known.reason is relations.Reason.OPTIONAL:
            for item in items:
                _without(item, f"{kind}.", ("reason",), repairs)


def _without(value: Any, where: str, optional: tuple[str, ...], repairs: list[str]) -> None:
    if isinstance(value, dict):
        for name in optional:
            if name in value and value[name] in (None, ""):
                del value[name]
                repairs.append(f"{where}{name} was blank; left out")


def _drop_blank_parts(document: dict[str, Any], repairs: list[str]) -> None:
    scope = document.get("scope")
    places = [(document, "", field) for field in _LISTS]
    if isinstance(scope, dict):
        places += [(scope, "scope.", "files"), (scope, "scope.", "applies_to")]
    for holder, where, field in places:
        items = holder.get(field)
        if isinstance(items, list) and "" in items:
            holder[field] = [item for item in items if item != ""]
            repairs.append(f"a blank entry of {where}{field} was left out")


def _list_at(document: Any, field: str) -> list[Any]:
    for name in field.split("."):
        document = document.get(name) if isinstance(document, Mapping) else None
    return document if isinstance(document, list) else []


def _turn_paths(document: dict[str, Any], repairs: list[str]) -> None:
    scope, evidence = document.get("scope"), document.get("evidence")
    if isinstance(scope, dict) and isinstance(scope.get("files"), list):
        scope["files"] = [_turned(path, repairs) for path in scope["files"]]
    if isinstance(evidence, dict) and "related_doc" in evidence:
        evidence["related_doc"] = _turned(evidence["related_doc"], repairs)


def _turned(path: Any, repairs: list[str]) -> Any:
    if not isinstance(path, str) or "\\" not in path:
        return path
    repairs.append(f"path '{path}' was written with backslashes; turned")
    return path.replace("\\", "/")
