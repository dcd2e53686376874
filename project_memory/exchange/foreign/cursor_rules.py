"""Rules of Cursor: an ``.mdc`` file is one lesson, its globs are the files it is about.

The part between the dashes looks like YAML and is none: globs stand there unquoted.
"""

from __future__ import annotations

import re

from project_memory.exchange import frontmatter
from project_memory.exchange.foreign import markdown
from project_memory.exchange.foreign.agent_files import kind_of
from project_memory.exchange.foreign.item import Findings, Item
from project_memory.exchange.frontmatter import BrokenFrontmatter

NAME = "cursor"
_FIELDS = ("description", "globs", "alwaysApply")
_FIX = "write 'description:', 'globs:' and 'alwaysApply:', each on its line"
_BETWEEN = re.compile(r",(?![^{]*\})")


def read(text: str, found: Findings) -> None:
    """Add the item of one rule."""
    try:
        front, body, start = frontmatter.split(text)
    except BrokenFrontmatter as error:
        found.problem("bad-frontmatter", error.message, error.fix, error.line)
        return
    fields = _fields(front or "", found)
    if found.problems:
        return
    blocks = [b for s in markdown.sections(body, start=start) for b in s.blocks]
    heading = _heading(body)
    if not (blocks or heading or fields["description"]):
        found.problem("empty", "the rule says nothing", "write a description or a text", start)
        return
    stem = found.file.rpartition("/")[2].rpartition(".")[0] or found.file
    title = fields["description"] or heading or stem
    globs = (_glob(each, found) for each in _BETWEEN.split(fields["globs"]))
    found.items.append(
        Item(
            origin=stem,
            file=found.file,
            line=1,
            title=title,
            facts=tuple(block.text for block in blocks) or (title,),
            kind=kind_of(title.lower()),
            files=tuple(dict.fromkeys(glob for glob in globs if glob)),
            standing=fields["alwaysApply"] == "true",
            aliases=(found.file,),
        )
    )


def _fields(front: str, found: Findings) -> dict[str, str]:
    fields = dict.fromkeys(_FIELDS, "")
    name, always = "", 1
    for number, line in enumerate(front.split("\n"), 2):
        key, colon, value = line.partition(":")
        if line.lstrip().startswith("- ") and name == "globs":
            fields[name] = f"{fields[name]},{_unquoted(line.lstrip()[2:])}".strip(",")
        elif colon and key.strip() in fields:
            name = key.strip()
            always = number if name == "alwaysApply" else always
            fields[name] = _unquoted(value)
        elif colon and re.fullmatch(r"\w[\w-]*", key):
            name = key
            found.leave(number, f"'{key}' has no place here; left out")
        elif line.strip() and not line.startswith((" ", "#")):
            found.problem("bad-rule", f"'{line.strip()[:60]}' names no field", _FIX, number)
    if fields["alwaysApply"] not in {"", "true", "false"}:
        said = f"'alwaysApply' is '{fields['alwaysApply'][:60]}', not true or false"
        found.problem("bad-rule", said, _FIX, always)
    return fields


def _unquoted(value: str) -> str:
    plain = value.strip()
    if plain.startswith("[") and plain.endswith("]"):
        return ",".join(_unquoted(each) for each in _BETWEEN.split(plain[1:-1]))
    quoted = len(plain) > 1 and plain[0] == plain[-1] and plain[0] in "\"'"
    return plain[1:-1] if quoted else plain


def _glob(value: str, found: Findings) -> str:
    plain = value.strip().removeprefix("./").lstrip("/")
    outside = (
        ".." in plain.split("/") or plain.startswith("~") or "\\" in plain or plain[1:2] == ":"
    )
    if outside or len(plain) > 400:
        found.leave(1, f"glob '{plain[:60]}' leads out of the repository; left out")
        return ""
    return plain


def _heading(body: str) -> str:
    first = next((line for line in body.split("\n") if line.startswith("#")), "")
    return first.lstrip("#").strip()
