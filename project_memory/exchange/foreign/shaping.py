"""Make drafts of what importers found: within every limit, and without losing a word."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from project_memory import documents, labels
from project_memory.exchange import repair
from project_memory.exchange.foreign.item import Item
from project_memory.model import Status, timestamp

MAX_TEXT = 2000
"""Characters of one fact."""
MAX_FACTS = 64
"""Facts of one memory."""
_MAX_SAID = 20_000  # characters of all facts of one memory, four bytes each at most
_MAX_LIST = 32
_MAX_FILES = 64
_DESCRIPTION = (20, 500)
_MAX_NAME = 150

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff\U000e0000-\U000e007f]")
_PATH = re.compile(r"(?![/~])(?![A-Za-z]:)(?!.*(?:^|/)\.\.(?:/|$))[^\\]{1,400}", re.DOTALL)
_LABEL = re.compile(r"#?\s*([A-Za-z][A-Za-z0-9]*)\s*:\s*(\S.*)", re.DOTALL)
_FENCE = re.compile(r"^ *(?:```|~~~).*$", re.MULTILINE)
_SOURCE = re.compile(r"([a-z0-9-]+: .*?):\d+ \((.*)\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Shape:
    """A draft without id and links, of an item or a part of one.

    Attributes:
        item: What it is of.
        origin: The item's, and which part.
        wish: The id that it would have were that free.
        draft: Everything else; `evidence.last_validated` only where the source tells a day.
        continues: Whether it is a further part, which is linked to the one before.
    """

    item: Item
    origin: str
    wish: str
    draft: dict[str, Any]
    continues: bool = False


def shapes(item: Item, name: str) -> Iterator[Shape]:
    """Yield the drafts of an item in the format of a name: one, and more where it says much."""
    title = _one_line(item.title) or "untitled"
    facts = [piece for fact in item.facts for piece in pieces(cleaned(fact))] or [title]
    for number, group in enumerate(_groups(facts)):
        part = f" (part {number + 1})" if number else ""
        origin, wish = f"{item.origin}{part}", documents.make_id(f"{_cut(title, 80)}{part}")
        head = f"{_cut(title, 400)}{part}" if part else title
        yield Shape(item, origin, wish, _draft(item, name, head, origin, group), number > 0)


def cleaned(text: str) -> str:
    """Return text without the signs that no document may hold."""
    unbroken = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", unbroken).strip()


def pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces of at most `MAX_TEXT` characters, cut where a line or word ends."""
    rest = text
    while len(rest) > MAX_TEXT:
        cut = max(rest.rfind(sign, 1, MAX_TEXT) for sign in ("\n", " "))
        cut = cut if cut > 0 else MAX_TEXT
        if piece := rest[:cut].strip():
            yield piece
        rest = rest[cut:].strip()
    if rest:
        yield rest


def place_and_origin(source: str) -> str | None:
    """Return what of an `evidence.source` stays the same when lines move, or None if foreign."""
    found = _SOURCE.fullmatch(source)
    return None if found is None else f"{found[1]} ({found[2]})"


def fingerprint(source: str) -> str:
    """Return six hexadecimal digits that tell what is from one place from what is from others."""
    return hashlib.sha256((place_and_origin(source) or source).encode()).hexdigest()[:6]


def task(name: str) -> str:
    """Return the `created_from_task` of everything that is imported from a format."""
    return f"import from {name}"


def _draft(item: Item, name: str, title: str, origin: str, facts: list[str]) -> dict[str, Any]:
    made, day = moment(item.created)
    undated = [f"dated: {_one_line(item.created)}"] if item.created and made is None else []
    carried, tags = _names(item)
    paths = [cleaned(path) for path in item.files]
    files = [path for path in paths if _PATH.fullmatch(path)]
    told = [f"about: {path}" for path in paths if path not in files[:_MAX_FILES]]
    evidence = {
        "created_from_task": task(name),
        "last_validated": day,
        "created": made,
        "source": source(name, item, origin),
        "related_doc": item.related_doc if _PATH.fullmatch(item.related_doc or "") else None,
        "confidence": item.confidence,
    }
    draft: dict[str, Any] = {
        "description": _description(title, facts, item.file),
        "labels": carried,
        "tags": tags,
        "scope": {"files": list(dict.fromkeys(files))[:_MAX_FILES]},
        "triggers": _some(item.triggers),
        "remembered_facts": [*facts, *undated, *told],
        "pitfalls": _some(item.pitfalls),
        "evidence": {field: value for field, value in evidence.items() if value is not None},
        "status": item.status.value,
    }
    if item.standing:
        draft["standing"] = True
    if item.status is not Status.ACTIVE:
        draft["status_reason"] = _cut(_one_line(item.status_reason or "imported so"), 500)
    return draft


def source(name: str, item: Item, origin: str) -> str:
    """Return where an item is from: format, file, line, and what its source calls it."""
    return f"{name}: {_named(item.file)}:{item.line} ({_named(origin)})"


def moment(text: str | None) -> tuple[str | None, str | None]:
    """Return (date or UTC timestamp, calendar date) of ISO 8601; None where a text is none."""
    try:
        found = datetime.fromisoformat((text or "").strip())
    except ValueError:
        return None, None
    if found.year < 1:
        return None, None
    try:
        utc = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except OverflowError:
        return None, None
    day = utc.date().isoformat()
    return (day if _is_day(text or "") else timestamp(utc)), day


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text.strip())
    except ValueError:
        return False
    return True


def _description(title: str, facts: Iterable[str], file: str) -> str:
    least, most = _DESCRIPTION
    text = title
    if len(text) < least:
        said = (_one_line(_FENCE.sub("", fact)) for fact in facts if not _FENCE.match(fact))
        first = next((one for one in said if one != title), "")
        text = f"{title}: {first}" if first else title
    if len(text) < least:
        text = f"{text} (imported from {_named(file)})"
    return _cut(text, most)


def _groups(facts: list[str]) -> Iterator[list[str]]:
    """Yield facts in groups that each fit into one memory, with room for what is told beside."""
    group: list[str] = []
    said = 0
    for fact in facts:
        if group and (len(group) == MAX_FACTS - 1 or said + len(fact) > _MAX_SAID):
            yield group
            group, said = [], 0
        group.append(fact)
        said += len(fact)
    yield group


def _names(item: Item) -> tuple[list[str], list[str]]:
    """Return (labels, tags): a name of the form ``prefix: value`` is a label."""
    carried: list[str] = []
    tags: list[str] = []
    for name in item.names:
        label = _label(name)
        if label:
            carried.append(label)
        elif tag := _cut(_one_line(name).removeprefix("#"), 200):
            tags.append(tag)
    if not any(labels.prefix(label) == "kind" for label in carried):
        carried.insert(0, f"kind:{item.kind}")
    return list(dict.fromkeys(carried)), list(dict.fromkeys(tags))


def _label(name: str) -> str | None:
    found = _LABEL.fullmatch(_one_line(name))
    if found is None:
        return None
    value = re.sub(r"[^a-z0-9]+", "-", found[2].casefold()).strip("-")
    label = repair.mapped_label(f"{found[1].lower()}:{value}")
    return label if value and len(label) <= labels.MAX_LENGTH else None


def _some(texts: Iterable[str]) -> list[str]:
    return [piece for text in texts for piece in pieces(cleaned(text))][:_MAX_LIST]


def _one_line(text: str) -> str:
    return " ".join(cleaned(text).split())


def _cut(text: str, most: int) -> str:
    """Return the beginning of a text, with an ellipsis where something is missing."""
    if len(text) <= most:
        return text
    cut = text.rfind(" ", most // 2, most - 1)
    return f"{text[: cut if cut > 0 else most - 1].rstrip()}…"


def _named(name: str) -> str:
    """Return a name on one line, short and yet unlike any other."""
    plain = _one_line(name)
    if len(plain) <= _MAX_NAME:
        return plain
    digest = hashlib.sha256(plain.encode()).hexdigest()[:12]
    return f"{plain[: _MAX_NAME - 14]}… {digest}"
