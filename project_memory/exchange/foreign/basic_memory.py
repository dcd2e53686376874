"""Notes of basic-memory: observations are facts, relations are links."""

from __future__ import annotations

import re

from project_memory.exchange import frontmatter
from project_memory.exchange.foreign import markdown, reading, vault
from project_memory.exchange.foreign.item import Findings, Item, Tie

NAME = "basic-memory"
_OBSERVATION = re.compile(r"\[([^\[\]()]{1,80})\]\s+(.+)", re.DOTALL)
_RELATION = re.compile(r"([^\[\]]{1,200}?)\s*\[\[([^\[\]]+)\]\]\s*(?:\((.*)\))?", re.DOTALL)
_TAG = re.compile(r"(?:^|\s)#([^\s#]+)")
_FIELDS = ("title", "type", "permalink")
_FIX = "write the frontmatter as basic-memory does, with title, type and permalink"


def is_note(fields: object) -> bool:
    """Return whether frontmatter is that of a note of this kind."""
    return isinstance(fields, dict) and {"permalink", "type"} <= fields.keys()


def read(text: str, found: Findings) -> None:
    """Add the item of one note."""
    parsed = reading.note(text, found)
    if parsed is None:
        return
    for field in ("title", "permalink"):
        given = parsed.fields.get(field)
        if not frontmatter.text(given):
            found.problem("bad-note", reading.wrong(field, given, "text"), _FIX)
            return
    facts: list[str] = []
    names = [*frontmatter.strings(parsed.fields.get("tags"))]
    ties: list[Tie] = []
    title = frontmatter.text(parsed.fields["title"])
    for section in markdown.sections(parsed.body, start=parsed.start):
        for block in section.blocks:
            _take(block, facts, names, ties)
    kind = frontmatter.text(parsed.fields.get("type"))
    permalink = frontmatter.text(parsed.fields["permalink"])
    found.items.append(
        Item(
            origin=permalink,
            file=found.file,
            line=1,
            title=title,
            facts=tuple(facts) or (title,),
            names=tuple(dict.fromkeys([*names, *([] if kind in {"", "note"} else [kind])])),
            created=vault.day(parsed.fields),
            ties=tuple(dict.fromkeys(ties)),
            aliases=(title, found.file, found.file.removesuffix(".md")),
        )
    )


def _take(block: markdown.Block, facts: list[str], names: list[str], ties: list[Tie]) -> None:
    observation = _OBSERVATION.fullmatch(block.text) if block.point else None
    relation = _RELATION.fullmatch(block.text) if block.point else None
    if observation and observation[1].strip() not in {"x", "X", "-", "/"}:
        facts.append(f"{observation[1].strip()}: {observation[2]}")
        names += _TAG.findall(observation[2])
    elif relation:
        ties.append(Tie(relation[1].strip(), _target(relation[2]), (relation[3] or "").strip()))
    else:
        facts.append(block.text)
        ties += [Tie("links to", target) for target in vault.wikilinks(block.text)]


def _target(link: str) -> str:
    return link.partition("|")[0].strip()
