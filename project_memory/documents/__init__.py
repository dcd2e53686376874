"""Sole owner of a document's field names: drafts, canonical form, patches, links, digests.

Documents are plain JSON mappings; every function here is pure and returns new ones.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from project_memory.documents import relationships
from project_memory.documents.compact import compact, size
from project_memory.documents.cost import tokens
from project_memory.documents.patches import LISTS, merge_patch, patch_between
from project_memory.documents.quoting import printable, quotable, shortened, well_formed
from project_memory.documents.relationships import (
    RELATION_FIELDS,
    Link,
    has_link,
    links,
    targets,
    with_link,
    with_links,
)
from project_memory.model import Document

__all__ = [
    "FIELDS",
    "RELATION_FIELDS",
    "Link",
    "canonical",
    "cleaned",
    "compact",
    "diff",
    "fact_texts",
    "fact_values",
    "fold",
    "from_draft",
    "has_link",
    "keyed_facts",
    "lesson",
    "links",
    "make_id",
    "merge_patch",
    "patch_between",
    "printable",
    "quotable",
    "relabelled",
    "searchable_text",
    "shortened",
    "size",
    "strings",
    "targets",
    "text_digest",
    "to_text",
    "tokens",
    "value_digest",
    "well_formed",
    "with_link",
    "with_links",
]

FIELDS = (
    "schema_version",
    "id",
    "status",
    "status_reason",
    "description",
    "labels",
    "tags",
    "scope",
    "triggers",
    "remembered_facts",
    "solution_pattern",
    "pitfalls",
    "standing",
    "checks",
    "evidence",
    "relationships",
)
"""Every field, in canonical order."""

_NESTED = {
    "scope": ("project", "area", "files", "applies_to", "reach"),
    "evidence": (
        "created_from_task",
        "last_validated",
        "created",
        "source",
        "related_doc",
        "commit",
        "confidence",
    ),
    "remembered_facts": ("fact", "key", "status", "verified_at", "source", "expires"),
    "checks": ("type", "path", "text", "requirement"),
}
_ID_LENGTH = 80


def from_draft(
    draft: Mapping[str, Any],
    *,
    project: str,
    today: date,
    taken: Callable[[str], bool],
    task: str = "unspecified",
) -> dict[str, Any]:
    """Return the complete canonical document of a valid draft.

    Args:
        draft: What the caller submitted.
        project: Name for `scope.project` where the draft has none.
        today: Date for `evidence.last_validated` where the draft has none.
        taken: Whether an id is in use; asked only when the draft has no id.
        task: Text for `evidence.created_from_task` where the draft has none.
    """
    name = draft.get("id") or _free_id(make_id(draft["description"]), taken)
    defaults: dict[str, Any] = {
        "schema_version": 1,
        "status": "active",
        **{field: [] for field in LISTS},
    }
    given = {k: v for k, v in draft.items() if v is not None}
    scope = {"project": project, "files": [], "applies_to": [], "reach": "project"}
    evidence = {"created_from_task": task, "last_validated": today.isoformat()}
    return canonical(
        {
            **defaults,
            **given,
            "id": name,
            "scope": {**scope, **given.get("scope", {})},
            "evidence": {**evidence, **given.get("evidence", {})},
        }
    )


def canonical(document: Document) -> dict[str, Any]:
    """Return a document in canonical form.

    Keys stand in fixed order, text is NFC and trimmed, labels and links are sorted, and every
    kind of relationship is present.
    """
    tidy = {field: cleaned(document[field]) for field in _ordered(document, FIELDS)}
    for field, order in _NESTED.items():
        if field in tidy:
            tidy[field] = _in_order(tidy[field], order)
    if "labels" in tidy:
        tidy["labels"] = sorted(set(tidy["labels"]))
    tidy["relationships"] = relationships.ordered(links(tidy))
    return tidy


def relabelled(document: Document, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a canonical document that carries other labels in place of some: old -> new."""
    carried = {names.get(name, name) for name in document["labels"]}
    return {**document, "labels": sorted(carried)}


def to_text(document: Document) -> str:
    """Return a document as a file holds it: two-space JSON with a final newline."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def lesson(document: Document) -> str:
    """Return what tells a lesson from others: its description and facts, one a line."""
    return "\n".join([document["description"], *fact_texts(document)])


def text_digest(document: Document) -> str:
    """Return the SHA-256 of description and facts, blind to case, width and white space."""
    texts = [document["description"], *fact_texts(document)]
    folded = "\n".join(fold(text) for text in texts)
    return hashlib.sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()


def fact_texts(document: Document) -> list[str]:
    """Return the text of every remembered fact."""
    facts = document.get("remembered_facts", ())
    return [fact["fact"] if _is_object(fact) else fact for fact in facts]


def fact_values(document: Document) -> list[tuple[str, str]]:
    """Return (key, digest of the value), sorted, for each keyed fact that is not deprecated.

    Two spellings of one key, or of one value, are the same.
    """
    keyed = keyed_facts(document)
    return sorted({(fold(fact["key"]), value_digest(fact["fact"])) for fact in keyed})


def keyed_facts(document: Document) -> list[Mapping[str, Any]]:
    """Return the facts that have a key and are not deprecated."""
    facts = [f for f in document.get("remembered_facts", ()) if _is_object(f)]
    return [f for f in facts if f.get("key") and f.get("status") != "deprecated"]


def value_digest(text: str) -> str:
    """Return what tells the value of a keyed fact from others: 16 hexadecimal digits."""
    return hashlib.sha256(fold(text).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def fold(text: str) -> str:
    """Return text as two spellings of one thing share it: NFKC, case folded, single spaces."""
    plain = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    return " ".join(plain.split())


def make_id(description: str) -> str:
    """Return a kebab-case id of 3 to 80 characters made from a description."""
    from anyascii import anyascii  # noqa: PLC0415  # its tables load only when an id is made

    words = re.findall("[a-z0-9]+", anyascii(description).lower().replace("'", ""))
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word[:_ID_LENGTH]
        if len(longer) > _ID_LENGTH:
            break
        name = longer
    return name if len(name) >= 3 else f"memory-{name}".rstrip("-")


def strings(document: Any, path: str = "$") -> Iterator[tuple[str, str]]:
    """Yield (JSON path, text) for every string of a document."""
    if isinstance(document, str):
        yield path, document
    elif isinstance(document, Mapping):
        for key, value in document.items():
            yield from strings(value, f"{path}.{key}")
    elif isinstance(document, (list, tuple)):
        for position, value in enumerate(document):
            yield from strings(value, f"{path}[{position}]")


def cleaned(value: Any) -> Any:
    """Return JSON data with every string in NFC and without the blanks around it."""
    if isinstance(value, str):
        return (value if value.isascii() else unicodedata.normalize("NFC", value)).strip()
    if isinstance(value, (list, tuple)):
        return [cleaned(item) for item in value]
    if isinstance(value, (dict, Mapping)):  # asking for the first is quick
        return {key: cleaned(item) for key, item in value.items()}
    return value


def searchable_text(document: Document) -> str:
    """Return every string of a document, folded, one a line."""
    return "\n".join(fold(text) for _, text in strings(document))


def diff(before: Document, after: Document) -> dict[str, list[Any]]:
    """Return top-level field -> [old, new] for every field that differs; absent is None."""
    fields = list(dict.fromkeys([*before, *after]))
    return {f: [before.get(f), after.get(f)] for f in fields if before.get(f) != after.get(f)}


def _is_object(value: Any) -> bool:
    # most facts are text, and asking an abstract class takes ten times as long
    return not isinstance(value, str) and isinstance(value, (dict, Mapping))


def _in_order(value: Any, order: Iterable[str]) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return [_in_order(item, order) for item in value]
    return {k: value[k] for k in _ordered(value, order)} if isinstance(value, dict) else value


def _ordered(mapping: Mapping[str, Any], order: Iterable[str]) -> list[str]:
    known = [name for name in order if name in mapping]
    return [*known, *(name for name in mapping if name not in known)]


def _free_id(base: str, taken: Callable[[str], bool]) -> str:
    name, number = base, 1
    while taken(name):
        number += 1
        suffix = f"-{number}"
        name = base[: _ID_LENGTH - len(suffix)].rstrip("-") + suffix
    return name
