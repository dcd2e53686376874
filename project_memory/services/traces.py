"""What of one memory stands elsewhere in the store, and everything else without it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from project_memory import documents
from project_memory.model import (
    Change,
    Document,
    Expectation,
    ExpectationChange,
    Label,
    LabelChange,
    Memory,
    MemoryChange,
    Revision,
    as_json,
)
from project_memory.proposals import Proposal

REMOVED = "(purged)"
"""What stands where a text was."""

SHORTEST = 12
"""Characters of a text below which others that hold it need not have it from the memory."""

_PROSE = ("description", "status_reason", "triggers", "solution_pattern", "pitfalls")
_FILED = ("area", "files", "applies_to")
_PROVEN = ("created_from_task", "source", "related_doc", "commit")


@dataclass(frozen=True, slots=True)
class Traces:
    """How one memory is found again.

    Attributes:
        keys: Keys of the memories that ever had its id.
        ids: Every id that these had.
        digests: Text digest of every version of theirs.
        texts: What they said, the longest first; short ones are left out.
        names: Those of the texts by which memories are filed: tags, files, sources. Others may
            well have the same.
    """

    keys: frozenset[int]
    ids: frozenset[str]
    digests: frozenset[str]
    texts: tuple[str, ...]
    names: frozenset[str] = frozenset()


def traces(versions: Iterable[Memory]) -> Traces:
    """Return the traces of all versions of a memory."""
    found = list(versions)
    sentences = {text for memory in found for text in _sentences(memory.document)}
    names = {text for memory in found for text in _names(memory.document)}
    long = [text for text in sentences | names if len(text) >= SHORTEST]
    return Traces(
        keys=frozenset(memory.key for memory in found),
        ids=frozenset(memory.id for memory in found),
        digests=frozenset(documents.text_digest(memory.document) for memory in found),
        texts=tuple(sorted(long, key=lambda text: (-len(text), text))),
        names=frozenset(names - sentences),
    )


def abroad(known: Traces) -> Traces:
    """Return the traces that count in another project, where ids and keys are of others."""
    return replace(known, keys=frozenset(), ids=frozenset())


def is_copy(known: Traces, document: Document) -> bool:
    """Return whether another memory's document holds one of the texts, its links to it aside."""
    held = list(_strings(_unlinked(known, document)))
    return any(text in other for text in known.texts for other in held)


def said(known: Traces) -> Traces:
    """Return the traces without the texts that are only names."""
    return replace(known, texts=tuple(text for text in known.texts if text not in known.names))


def elsewhere_too(known: Traces, copies: Iterable[Document]) -> Traces:
    """Return the traces without the texts that other memories go on to hold."""
    held = [text for document in copies for text in _strings(_unlinked(known, document))]
    kept = tuple(text for text in known.texts if not any(text in other for other in held))
    return replace(known, texts=kept)


def is_about(known: Traces, value: Any) -> bool:
    """Return whether a value names the memory or holds one of its texts."""
    return any(
        text in known.ids or any(known_text in text for known_text in known.texts)
        for text in _strings(as_json(value))
    )


def cleaned_proposal(known: Traces, proposal: Proposal) -> Proposal:
    """Return a proposal with the texts taken out of it; the same one where none is in it."""
    decision = proposal.decision
    if decision is not None and decision.reason is not None:
        decision = replace(decision, reason=_without(known, decision.reason))
    return replace(
        proposal,
        operations=tuple(_rewritten(known, each) for each in proposal.operations),
        note=proposal.note and _without(known, proposal.note),
        reason=proposal.reason and _without(known, proposal.reason),
        because=tuple(_without(known, each) for each in proposal.because),
        decision=decision,
    )


def cleaned(known: Traces, revision: Revision, *, keep_reason: bool = False) -> Revision:
    """Return a revision as if the memory had never been in it; the same one where it was not.

    Why a revision that changed the memory was made goes too, unless that is to be kept.
    """
    changes = [_cleaned_change(known, change) for change in revision.changes]
    kept = tuple(change for change in changes if change is not None)
    reason = revision.reason
    if reason is not None:
        gone = len(kept) < len(changes) and not keep_reason
        reason = None if gone else _without(known, reason)
    if kept == revision.changes and reason == revision.reason:
        return revision
    return replace(revision, changes=kept, reason=reason)


def _cleaned_change(known: Traces, change: Change) -> Change | None:
    match change:
        case MemoryChange(before=before, after=after):
            if change.key in known.keys:
                return None
            return _told(_cleaned_memory(known, before), _cleaned_memory(known, after))
        case LabelChange(before=old, after=new):
            return LabelChange(_cleaned_label(known, old), _cleaned_label(known, new))
        case ExpectationChange(before=first, after=last):
            was, became = cleaned_expectation(known, first), cleaned_expectation(known, last)
            return None if was == became else ExpectationChange(was, became)
        case _:
            return change


def cleaned_expectation(known: Traces, expectation: Expectation | None) -> Expectation | None:
    """Return an expectation without the memory; None where nothing else is left of it."""
    if expectation is None or is_about(known, (expectation.query, expectation.labels or "")):
        return None
    kept = tuple(name for name in expectation.expects if name not in known.ids)
    return replace(expectation, expects=kept) if kept else None


def _told(before: Memory | None, after: Memory | None) -> MemoryChange | None:
    """Return a change, or None where it was only that a link to the memory came or went."""
    match before, after:
        case Memory() as old, Memory() as new:
            if replace(old, links_version=new.links_version) == new:
                return None
    return MemoryChange(before, after)


def _cleaned_memory(known: Traces, memory: Memory | None) -> Memory | None:
    if memory is None:
        return None
    declared = {
        kind: {target: who for target, who in targets.items() if target not in known.ids}
        for kind, targets in memory.declared.items()
    }
    kept = {kind: targets for kind, targets in declared.items() if targets}
    document = _rewritten(known, _unlinked(known, memory.document))
    return replace(memory, document=document, declared=kept)


def _cleaned_label(known: Traces, label: Label | None) -> Label | None:
    if label is None:
        return None
    return replace(label, description=_without(known, label.description))


def _unlinked(known: Traces, document: Document) -> Document:
    held = list(documents.links(document))
    kept = [link for link in held if link.target not in known.ids]
    return document if len(kept) == len(held) else documents.with_links(document, kept)


def _rewritten(known: Traces, value: Any) -> Any:
    if isinstance(value, str):
        return _without(known, value)
    if isinstance(value, Mapping):
        return {key: _rewritten(known, item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rewritten(known, item) for item in value]
    return value


def _without(known: Traces, text: str) -> str:
    for known_text in known.texts:
        text = text.replace(known_text, REMOVED)
    return text


def _sentences(document: Document) -> Iterator[str]:
    for name in _PROSE:
        yield from _strings(document.get(name, ()))
    yield from documents.fact_texts(document)
    yield from (check["text"] for check in document.get("checks", ()) if "text" in check)
    yield from (link.reason for link in documents.links(document) if link.reason)


def _names(document: Document) -> Iterator[str]:
    scope, evidence = document.get("scope", {}), document.get("evidence", {})
    yield from _strings(document.get("tags", ()))
    yield from _strings({name: scope[name] for name in _FILED if name in scope})
    yield from _strings({name: evidence[name] for name in _PROVEN if name in evidence})
    facts = (fact for fact in document.get("remembered_facts", ()) if isinstance(fact, Mapping))
    yield from (fact["source"] for fact in facts if "source" in fact)
    for check in document.get("checks", ()):
        yield from (check[name] for name in ("path", "requirement") if name in check)


def _strings(value: Any) -> Iterator[str]:
    return (text for _, text in documents.strings(value))
