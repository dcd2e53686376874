"""Turn the relations of other programs into links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import MappingProxyType

from project_memory import relations
from project_memory.documents import Link, printable
from project_memory.exchange.foreign import Shape, Tie

KINDS = MappingProxyType(
    {
        **{name: name for name in relations.KINDS},
        **dict.fromkeys(("replaces", "obsoletes", "overrides"), "supersedes"),
        **dict.fromkeys(("replaced by", "obsoleted by"), "superseded_by"),
        **dict.fromkeys(("conflicts with", "contrasts with", "contradicted by"), "contradicts"),
        **dict.fromkeys(("requires", "needs", "uses", "relies on"), "depends_on"),
        **dict.fromkeys(("used by", "needed by"), "required_by"),
        **dict.fromkeys(("results from", "due to"), "caused_by"),
        **dict.fromkeys(("leads to", "triggers"), "causes"),
        **dict.fromkeys(("is a", "extends", "instance of", "part of"), "specializes"),
    }
)
"""Names of relations, spaced and in lower case -> kind of link; any other is `related`."""

_KNOWN = {name.replace("_", " "): kind for name, kind in KINDS.items()}
_LONGEST = 500


class Ties:
    """The relations of what was read, resolved; `left_out` tells what leads nowhere."""

    def __init__(self, known: Iterable[tuple[Shape, str]], left_out: Iterable[str]) -> None:
        self.left_out = list(left_out)
        self._ids: dict[str, str] = {}
        self._exact: dict[str, str] = {}  # two names may differ in case alone
        self._previous: dict[str, str] = {}
        self._edges: dict[tuple[str, str], set[str]] = {}
        self._done: set[tuple[str, str, str]] = set()
        first: dict[str, str] = {}
        held = list(known)
        for shape, name in held:
            if shape.continues:
                self._previous[name] = first[shape.item.origin]
            else:
                first[shape.item.origin] = name
                self._call(shape.item.origin, name)
        for shape, name in held:
            if not shape.continues:
                for alias in shape.item.aliases:
                    self._call(alias, name)

    def _call(self, called: str, name: str) -> None:
        self._exact.setdefault(called, name)
        self._ids.setdefault(called.casefold(), name)

    def links(self, shape: Shape, name: str) -> Iterator[Link]:
        """Yield the links of a memory of this id, each once.

        A further part of an item is linked to its first one.
        """
        if shape.continues:
            if name in self._previous:
                said = "goes on where the first part ends"
                yield Link("related", self._previous[name], said)
            return
        for tie in shape.item.ties:
            link = self._link(shape, name, tie)
            if link and (name, link.kind, link.target) not in self._done:
                self._done.add((name, link.kind, link.target))
                yield link

    def _link(self, shape: Shape, name: str, tie: Tie) -> Link | None:
        item = shape.item
        told = f"{item.place}: '{printable(item.origin)}' {tie.relation} '{printable(tie.target)}'"
        target = self._exact.get(tie.target) or self._ids.get(tie.target.casefold())
        if target is None:
            self.left_out.append(f"{told}: nothing of that name was taken; left out")
            return None
        if target == name:
            self.left_out.append(f"{told}: a link to itself; left out")
            return None
        kind = _KNOWN.get(_spaced(tie.relation), "related")
        if self._closes_cycle(kind, name, target):
            self.left_out.append(f"{told}: would close a circle; taken as related")
            kind = "related"
        return Link(kind, target, _reason(kind, shape, tie))

    def _closes_cycle(self, kind: str, source: str, target: str) -> bool:
        """Return whether a link leads back to its source; else remember it."""
        base = kind if relations.is_base(kind) else relations.KINDS[kind].inverse
        if base not in relations.ACYCLIC:
            return False
        start, end = (source, target) if base == kind else (target, source)
        waiting, seen = [end], {end}
        while waiting:
            for other in self._edges.get((base, waiting.pop()), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        if start in seen:
            return True
        self._edges.setdefault((base, start), set()).add(end)
        return False


def _reason(kind: str, shape: Shape, tie: Tie) -> str | None:
    """Return the reason of a link: the source's own, else the relation in words."""
    needs = relations.KINDS[kind].reason
    if needs is relations.Reason.NONE:
        return None
    given = " ".join(tie.reason.split())
    if needs is relations.Reason.OPTIONAL:
        return given[:_LONGEST] or None
    said = " ".join(f"{shape.item.title[:150]} {tie.relation} {tie.target[:150]}".split())
    reason = given if len(given) >= 10 else f"{said}: {given}" if given else said
    return (reason if len(reason) >= 10 else f"there: {reason}, as imported")[:_LONGEST].strip()


def _spaced(relation: str) -> str:
    return re.sub(r"[\s_-]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", relation)).strip().lower()
