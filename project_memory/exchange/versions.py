"""Three versions of one file of a folder, as git has them when branches are merged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from project_memory import documents
from project_memory.documents import merging
from project_memory.exchange import text
from project_memory.model import Status

_OURS, _BETWEEN, _THEIRS = "<<<<<<< ours\n", "=======\n", ">>>>>>> theirs\n"
_BY_NAME = ("labels", "memories", "prefixes")
"""What a file that is no document has by name, in its order."""


@dataclass(frozen=True, slots=True)
class MergedText:
    """What a merge of texts comes to.

    Attributes:
        text: The file, with markers around what both sides changed, each otherwise.
        conflicts: JSON paths of it, sorted; ``$`` where a version is no JSON object.
    """

    text: str
    conflicts: tuple[str, ...] = ()


def merged_text(base: str, ours: str, theirs: str) -> MergedText:
    """Return a file of a folder with both changes; see `merging.merge`.

    Args:
        base: What both come from; blank where there is nothing.
        ours: One side.
        theirs: The other.
    """
    values = [_object(each) for each in (base if base.strip() else "{}", ours, theirs)]
    before, mine, other = values
    if before is None or mine is None or other is None:
        return _whole(ours, theirs)
    try:
        return _merged(before, mine, other)
    except (AttributeError, KeyError, TypeError, ValueError):  # no file of a folder after all
        return _whole(ours, theirs)


def readable(written: str) -> str:
    """Return a file of a folder as it is best compared: a document as a note, else what it is."""
    value = _object(written)
    if value is None or not _is_document(value):
        return written
    from project_memory.exchange import notes  # noqa: PLC0415  # a parser of YAML

    try:
        return notes.to_text({**dict.fromkeys(notes.HEADINGS, ()), **documents.canonical(value)})
    except (AttributeError, KeyError, TypeError):  # no document after all
        return written


def _merged(
    base: Mapping[str, Any], ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> MergedText:
    of_document = _is_document(ours) and _is_document(theirs)
    if of_document and not all(_is_of(base, side) for side in (ours, theirs)):
        return _whole(documents.to_text(ours), documents.to_text(theirs))
    merged = merging.merge(base, ours, theirs)
    value = merged.value
    if of_document and "status" not in merged.conflicts:
        value["status"] = _status(value, ours, theirs)
    mine = _written(value, of_document=of_document)
    if not merged.conflicts:
        return MergedText(mine)
    turned = merging.merge(base, theirs, ours).value
    for path in merged.conflicts:
        value = _with(value, path.split("."), turned)
    other = _written(value, of_document=of_document)
    return MergedText(
        "".join(_marked(mine.splitlines(keepends=True), other.splitlines(keepends=True))),
        tuple(f"$.{path}" for path in merged.conflicts),
    )


def _is_of(base: Mapping[str, Any], side: Mapping[str, Any]) -> bool:
    """Return whether a version is of the same memory as what it is told to come from.

    Git takes a new file for a deleted one under another name where they look alike.
    """
    if not _is_document(base) or base["id"] == side["id"]:
        return True
    return documents.text_digest(base) == documents.text_digest(side)


def _status(value: Mapping[str, Any], *sides: Mapping[str, Any]) -> Any:
    """Return the status to show: what still has a successor stays superseded if a side says so."""
    superseded = Status.SUPERSEDED.value
    held = documents.targets(value, "superseded_by")
    told = any(side.get("status") == superseded for side in sides)
    return superseded if held and told else value.get("status")


def _with(value: Mapping[str, Any], path: list[str], other: Any) -> dict[str, Any]:
    """Return an object with one field as another one has it, or without it where that lacks it."""
    name, *rest = path
    found = other.get(name, merging.ABSENT) if isinstance(other, Mapping) else merging.ABSENT
    inner = value.get(name)
    if rest and isinstance(inner, Mapping):
        return {**value, name: _with(inner, rest, found)}
    if found is merging.ABSENT:
        return {each: held for each, held in value.items() if each != name}
    return {**value, name: found}


def _marked(ours: list[str], theirs: list[str]) -> Iterator[str]:
    """Yield the lines of both texts, those that differ between markers."""
    matched = SequenceMatcher(None, ours, theirs, autojunk=False)
    for what, *places in matched.get_opcodes():
        first, last, start, end = places
        if what == "equal":
            yield from ours[first:last]
        else:
            yield from (_OURS, *ours[first:last], _BETWEEN, *theirs[start:end], _THEIRS)


def _written(value: Mapping[str, Any], *, of_document: bool) -> str:
    if of_document:
        return documents.to_text(documents.canonical(value))
    in_order = {
        name: dict(sorted(each.items())) if name in _BY_NAME and isinstance(each, dict) else each
        for name, each in value.items()
    }
    return documents.to_text(in_order)


def _whole(ours: str, theirs: str) -> MergedText:
    """Return both sides, one after the other: what cannot be read cannot be merged."""
    sides = [[_ended(side)] if side else [] for side in (ours, theirs)]
    return MergedText("".join((_OURS, *sides[0], _BETWEEN, *sides[1], _THEIRS)), ("$",))


def _ended(written: str) -> str:
    return written if written.endswith("\n") else f"{written}\n"


def _is_document(value: Mapping[str, Any]) -> bool:
    return value.keys() >= {"id", "description", "remembered_facts"}


def _object(written: str) -> dict[str, Any] | None:
    value, _ = text.parse(written, "")
    return value if isinstance(value, dict) else None
