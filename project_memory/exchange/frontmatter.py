"""The YAML between two lines of dashes at the top of a note."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from project_memory.documents import printable

MAX_BYTES = 256 * 1024
_FENCE = re.compile(r"---[ \t]*\r?\n")
_END = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)


class BrokenFrontmatter(ValueError):
    """The frontmatter of a note cannot be read; `line` counts in the note, from 1."""

    def __init__(self, message: str, line: int, fix: str) -> None:
        self.message, self.line, self.fix = message, line, fix
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Note:
    """A note in two parts.

    Attributes:
        fields: What the frontmatter says; nothing where there is none.
        body: The rest.
        start: Line of the note on which the body begins, from 1.
    """

    fields: Mapping[str, Any]
    body: str
    start: int


class _Loader(yaml.SafeLoader):
    """Reads true, false, null and whole numbers as such, all else as text; no aliases.

    An alias lets a few lines stand for any number of values, and YAML 1.1 takes ``no`` for false
    and 12:30 for 750.
    """

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  # as the base class has it

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "an alias", event.start_mark)
        return super().compose_node(parent, index)


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf")
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:null", re.compile(r"^(?:null|~|)$"), ["n", "~", ""]
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"^-?(?:0|[1-9][0-9]{0,17})$"), list("-0123456789")
)


def split(text: str) -> tuple[str | None, str, int]:
    """Return (the frontmatter or None, the rest, the line on which the rest begins).

    Raises:
        BrokenFrontmatter: it does not end.
    """
    opening = _FENCE.match(text)
    if opening is None:
        return None, text, 1
    end = _END.search(text, opening.end())
    if end is None:
        raise BrokenFrontmatter(
            "the frontmatter that begins with '---' does not end", 1, "close it with a line '---'"
        )
    after = text.find("\n", end.start()) + 1 or len(text)
    return text[opening.end() : end.start()], text[after:], text.count("\n", 0, after) + 1


def parse(text: str) -> Note:
    """Return a note with its frontmatter read as YAML.

    Raises:
        BrokenFrontmatter: the frontmatter does not end, is no YAML mapping, or too large.
    """
    front, body, start = split(text)
    return Note({} if front is None else _mapping(front), body, start)


def _mapping(front: str) -> Mapping[str, Any]:
    if len(front) > MAX_BYTES:
        raise BrokenFrontmatter(
            f"the frontmatter has {len(front):,} characters; at most {MAX_BYTES:,} are read",
            1,
            "shorten it",
        )
    try:
        value = yaml.load(front, _Loader)  # noqa: S506  # a safe loader, further restricted
    except RecursionError:
        raise BrokenFrontmatter("the frontmatter is nested too deep", 2, "flatten it") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark else 2
        said = getattr(error, "problem", None) or "unreadable"
        raise BrokenFrontmatter(
            f"the frontmatter is not YAML: {printable(said)}", line, "quote the value, or mend it"
        ) from error
    except ValueError as error:  # what a number or a key cannot be
        raise BrokenFrontmatter(
            f"the frontmatter is not YAML: {printable(str(error))}", 2, "mend it"
        ) from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BrokenFrontmatter("the frontmatter is no mapping", 2, "write it as 'name: value'")
    return {str(name): each for name, each in value.items()}


def strings(value: Any) -> tuple[str, ...]:
    """Return a value of the frontmatter as texts: a list of them, or one text split at commas."""
    if isinstance(value, str):
        return tuple(filter(None, (part.strip() for part in value.split(","))))
    if isinstance(value, list):
        return tuple(plain for each in value if (plain := text(each)))
    return (str(value),) if isinstance(value, int) and not isinstance(value, bool) else ()


def text(value: Any) -> str:
    """Return a plain value of the frontmatter as text, anything else as none."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    return str(value).strip()
