"""Who may do what: the one place that says who speaks, and what a person must decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from project_memory.errors import Forbidden
from project_memory.model import (
    Actor,
    Authority,
    Document,
    Expectation,
    ExpectationChange,
    Memory,
    MemoryChange,
    Status,
)
from project_memory.proposals import Proposal, State

Claim: TypeAlias = Callable[[Document], bool]
"""Whether a document claims what only a person can give."""

Settings: TypeAlias = Mapping[str, Any]
"""A project's settings, as `schema/settings.schema.json` defines them."""

AGENT_SIGNS = (
    "AI_AGENT",
    "CLAUDECODE",
    "CLINE_ACTIVE",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "COPILOT_CLI",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "GOOSE_TERMINAL",
    "OPENCODE",
    "CI",
)
"""Environment variables by which agents and CI runs tell the commands they start who they are."""

_UNAUTHORED = frozenset({"relationships", "status"})
_RENAMED = _UNAUTHORED | {"labels"}
_BESIDE = ("own_status", "archived_at", "pinned", "tier")


class Writes(StrEnum):
    """What becomes of an agent's changes: made at once, or kept until a person applies them."""

    DIRECT = "direct"
    REVIEW = "review"


class AgentEdits(StrEnum):
    """What becomes of an agent's edit of what a person asserted."""

    PROPOSE = "propose"
    DEMOTE = "demote"


class Expectations(StrEnum):
    """What becomes of a change that loses an expectation: it is named, or refused."""

    NAMED = "named"
    STRICT = "strict"


class Questions(StrEnum):
    """What becomes of questions that recall did not help with."""

    KEPT = "kept"
    OFF = "off"


def terminal_authority(environ: Mapping[str, str], *, terminal: bool) -> Authority:
    """Return who speaks on the command line: a person only at a terminal.

    A terminal can be feigned, so that one that an agent's or a CI run's environment leads to is
    none; whoever hides that too cannot be told from a person.
    """
    feigned = any(environ.get(name) for name in AGENT_SIGNS)
    return Authority.USER if terminal and not feigned else Authority.AGENT


def reviews_writes(settings: Settings, actor: Actor) -> bool:
    """Return whether this actor's changes wait until a person applies them."""
    reviewed = settings.get("writes", Writes.DIRECT) == Writes.REVIEW
    return reviewed and actor.authority is not Authority.USER


@dataclass(frozen=True, slots=True)
class Deed:
    """How a change comes about.

    Attributes:
        caller: Who asks for it.
        speaker: In whose name it is made; an import speaks for none of its callers.
        renamed: Id before -> id after, of every memory that is changed with it.
        takes_back: Whether it only takes back what an agent did.
    """

    caller: Actor
    speaker: Actor
    renamed: Mapping[str, str]
    takes_back: bool = False


def reasons_for_review(
    settings: Settings, deed: Deed, change: MemoryChange, *, authored: bool
) -> Iterator[str]:
    """Yield why a person must decide this change, one sentence for each reason.

    `authored` says that the memory's own text was changed by name, not only along with others.
    """
    if deed.speaker.authority is Authority.USER:
        return
    before, after = change.before, change.after
    for field, claim in _CLAIMS:
        if after and claim(after.document) and not (before and claim(before.document)):
            yield f"{field} of '{change.id}' can be set only by a person"
    if before is not None and (after is None or _is_edit(before, after, deed, authored=authored)):
        yield from _protection(settings, deed.caller, before)


def reasons_to_review_expectation(
    settings: Settings, caller: Actor, change: ExpectationChange
) -> Iterator[str]:
    """Yield why a person must decide what becomes of an expectation.

    Whoever could lower what a strict project expects would be held to nothing by it.
    """
    strict = settings.get("expectations", Expectations.NAMED) == Expectations.STRICT
    before, after = change.before, change.after
    if not strict or caller.authority is Authority.USER or before is None:
        return
    if after is None or after.within > before.within or not _keeps(before, after):
        yield f"expectation '{before.id}' of a strict project can be lowered only by a person"


def protection(settings: Settings, caller: Actor, memory: Memory) -> list[str]:
    """Return why this caller, a person's import included, must leave a memory as it is."""
    return list(_protection(settings, caller, memory))


def asserted_after_edit(actor: Actor) -> Authority:
    """Return the authority behind a text that this actor has just edited.

    An agent's edit of what a person asserted makes it the agent's assertion.
    """
    return actor.authority


def asserted_after_status(memory: Memory, shown: Status, actor: Actor) -> Authority:
    """Return the authority behind a memory whose shown status a link is about to change.

    Retiring a memory by superseding it is an edit like any other, but a person who does so does
    not speak for its text.
    """
    retired = shown is Status.SUPERSEDED and actor.authority is not Authority.USER
    return actor.authority if retired else memory.asserted_by


def lends_word(before: Memory | None, after: Memory) -> bool:
    """Return whether a change makes the word of others, as a whole, a person's."""
    theirs = before is not None and before.asserted_by is not Authority.USER
    return theirs and after.asserted_by is Authority.USER


def speaks_for(actor: Actor, authority: Authority) -> bool:
    """Return whether an actor may take back, as its own, what was done with this authority."""
    return actor.authority is Authority.USER or authority is not Authority.USER


def is_own(actor: Actor, proposal: Proposal) -> bool:
    """Return whether an actor made this proposal; an agent may go by its person's name."""
    return actor == proposal.actor


def check_applying(settings: Settings, actor: Actor, proposal: Proposal) -> None:
    """Refuse that anyone but a person applies a proposal.

    A note may be made a memory by an agent too, where its changes are made at once: the memory
    is the agent's word.

    Raises:
        Forbidden: a person must decide.
    """
    noted = proposal.note is not None and not reviews_writes(settings, actor)
    if actor.authority is not Authority.USER and not noted:
        raise Forbidden(
            f"proposal {proposal.number} is for a person to apply, at a terminal with "
            f"`project-memory review apply {proposal.number}`"
        )


def state_when_ended(actor: Actor, proposal: Proposal) -> State:
    """Return the state in which an actor ends a proposal without applying it.

    Raises:
        Forbidden: it is neither a person nor who proposed it.
    """
    if actor.authority is Authority.USER:
        return State.REJECTED
    if not is_own(actor, proposal):
        raise Forbidden(
            f"proposal {proposal.number} is for a person to decide, at a terminal with "
            f"`project-memory review reject {proposal.number}`"
        )
    return State.WITHDRAWN


def check_person(actor: Actor, deed: str) -> None:
    """Refuse a deed that is a person's alone; `deed` names it, such as "change a setting".

    Raises:
        Forbidden: the actor is no person.
    """
    if actor.authority is not Authority.USER:
        raise Forbidden(f"only a person can {deed}; do it at a terminal")


def not_proposable(operation: str, because: Iterable[str]) -> Forbidden:
    """Return the refusal of what only a person may do and nobody can propose."""
    return Forbidden(
        f"'{operation}' is for a person to do, at a terminal, because {'; '.join(because)}"
    )


def _keeps(before: Expectation, after: Expectation) -> bool:
    return set(before.expects) <= set(after.expects)


def _protection(settings: Settings, caller: Actor, memory: Memory) -> Iterator[str]:
    """Yield why this caller may not change a memory by itself, a person's import included."""
    for field, claim in _CLAIMS:
        if claim(memory.document):
            yield f"'{memory.id}' has {field} from a person"
            return
    demotes = settings.get("agent_edits", AgentEdits.PROPOSE) == AgentEdits.DEMOTE
    if (
        memory.asserted_by is Authority.USER
        and caller.authority is not Authority.USER
        and not demotes
    ):
        yield f"'{memory.id}' is asserted by a person"


def _is_edit(before: Memory, after: Memory, deed: Deed, *, authored: bool) -> bool:
    """Return whether more is changed than what follows from changes elsewhere.

    A mirror, a renamed label and a revalidation are no edits. Another shown status, successor or
    authority is one, and so is the loss of a link that its own side declared, or of its reason.
    """
    ignored = _UNAUTHORED if authored and not deed.takes_back else _RENAMED
    return (
        before.asserted_by is not after.asserted_by
        or before.status is not after.status
        or _words(before.document, ignored)
        != _words(_as_validated(after.document, before.document), ignored)
        or any(getattr(before, name) != getattr(after, name) for name in _BESIDE)
        or _successors(before, deed.renamed) != _successors(after, {})
        or not (deed.takes_back or _declared(before, deed.renamed) <= _declared(after, {}))
    )


def _words(document: Document, ignored: frozenset[str]) -> dict[str, object]:
    return {name: value for name, value in document.items() if name not in ignored}


def _as_validated(document: Document, other: Document) -> Document:
    """Return a document as if it had last been validated when the other one was."""
    if document.get("evidence") == other.get("evidence"):
        return document
    day = other.get("evidence", {}).get("last_validated")
    return {**document, "evidence": {**document.get("evidence", {}), "last_validated": day}}


def _successors(memory: Memory, renamed: Mapping[str, str]) -> set[str]:
    held = memory.document.get("relationships", {}).get("superseded_by", ())
    return {renamed.get(target, target) for target in held}


def _declared(memory: Memory, renamed: Mapping[str, str]) -> set[tuple[str, str, str]]:
    """Return (kind, target, reason) of the links that this side declared."""
    found = set()
    for kind, items in memory.document.get("relationships", {}).items():
        for item in items:
            target, reason = _link(item)
            if target in memory.declared.get(kind, {}):
                found.add((kind, renamed.get(target, target), reason))
    return found


def _link(item: Any) -> tuple[str, str]:
    return (item, "") if isinstance(item, str) else (item["id"], item.get("reason", ""))


def _is_standing(document: Document) -> bool:
    return document.get("standing") is True


def _reaches_everywhere(document: Document) -> bool:
    return bool(document.get("scope", {}).get("reach") == "everywhere")


_CLAIMS: tuple[tuple[str, Claim], ...] = (
    ("standing", _is_standing),
    ("scope.reach", _reaches_everywhere),
)
