"""The notes of an Obsidian vault: each is a lesson, its links are links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from project_memory.exchange import frontmatter
from project_memory.exchange.foreign import markdown, reading
from project_memory.exchange.foreign.agent_files import kind_of
from project_memory.exchange.foreign.item import Findings, Item, Tie
from project_memory.exchange.frontmatter import Note

NAME = "obsidian"
_LINK = re.compile(r"!?\[\[([^\[\]|#^]*)(?:[#^][^\[\]|]*)?(?:\|[^\[\]]*)?\]\]")
_TAG = re.compile(r"(?:^|\s)#([^\W\d_][\w/-]*)")


def read(text: str, found: Findings) -> None:
    """Add the item of one note."""
    parsed = reading.note(text, found)
    if parsed is None:
        return
    item = _item(parsed, found)
    if item is None:
        found.leave(1, "the note says nothing; left out")
    else:
        found.items.append(item)


def _item(parsed: Note, found: Findings) -> Item | None:
    fields, name = parsed.fields, found.file.removesuffix(".md")
    title = frontmatter.text(fields.get("title")) or name.rpartition("/")[2]
    facts = tuple(texts(markdown.sections(parsed.body, start=parsed.start), title))
    summary = frontmatter.text(fields.get("description"))
    if not facts and not summary:
        return None
    prose = markdown.without_code(parsed.body)
    related = [link for field in fields.values() for each in strings(field)
               for link in wikilinks(each)]  # fmt: skip
    return Item(
        origin=name,
        file=found.file,
        line=1,
        title=f"{title}: {summary}" if summary else title,
        facts=facts or (summary,),
        kind=kind_of(title.lower(), "observation"),
        names=(*frontmatter.strings(fields.get("tags")), *_TAG.findall(prose)),
        created=day(fields),
        ties=tuple(Tie("links to", each) for each in [*related, *wikilinks(prose)]),
        aliases=(
            found.file,
            name.rpartition("/")[2],
            title,
            *frontmatter.strings(fields.get("aliases")),
        ),
    )


def texts(sections: Iterable[markdown.Section], title: str) -> Iterator[str]:
    """Yield what a note says: each block, the first below a heading with that before it."""
    for section in sections:
        heading = section.titles[-1] if section.titles else ""
        for place, block in enumerate(section.blocks):
            named = heading and place == 0 and heading.casefold() != title.casefold()
            yield f"{heading}: {block.text}" if named else block.text


def wikilinks(text: str) -> list[str]:
    """Return what ``[[links]]`` lead to, each once, in order."""
    named = (found[1].strip().removesuffix(".md") for found in _LINK.finditer(text))
    return list(dict.fromkeys(name for name in named if name))


def strings(value: Any) -> list[str]:
    """Return the texts of a value of the frontmatter."""
    several = value if isinstance(value, list) else [value]
    return [each for each in several if isinstance(each, str)]


def day(fields: Any) -> str | None:
    """Return when a note was made, as its frontmatter says, or None."""
    known = (frontmatter.text(fields.get(name)) for name in ("created", "date", "created_at"))
    return next(filter(None, known), None)
