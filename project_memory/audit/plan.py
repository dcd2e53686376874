"""Choose what of an audit's findings to act on at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from project_memory.audit.finding import Action, Finding

_UNSEEN = frozenset({"promote"})
"""Operations that no reader sees anything of; the limit is for the others."""


def planned(findings: Iterable[Finding], limit: int) -> tuple[Finding, ...]:
    """Return the findings to act on, in their order: at most `limit`, and all moves up a tier.

    No two actions touch one subject, and none takes away what another one relies on: of two
    halves of anything, one stays. What leaks a secret is left as it is: a person must see to that
    first, and a change of its text would be refused, and all others with it.
    """
    listed = tuple(findings)
    leaking = {finding.subject for finding in listed if finding.code == "secret"}
    acting = [
        (finding, finding.action)
        for finding in listed
        if finding.action is not None
        and leaking.isdisjoint((finding.subject, *finding.action.keeps))
    ]
    seen = _seen([(f, action) for f, action in acting if action.operation not in _UNSEEN], limit)
    touched = {finding.subject for finding in seen}
    chosen = {id(finding) for finding in seen}
    for finding, action in acting:
        if action.operation in _UNSEEN and finding.subject not in touched:
            chosen.add(id(finding))
            touched.add(finding.subject)
    return tuple(finding for finding, _ in acting if id(finding) in chosen)


def _seen(acting: Sequence[tuple[Finding, Action]], limit: int) -> list[Finding]:
    chosen: list[Finding] = []
    touched: set[str] = set()
    needed: set[str] = set()
    for finding, action in acting:
        keeps = set(action.keeps)
        if len(chosen) == limit or finding.subject in touched | needed or touched & keeps:
            continue
        chosen.append(finding)
        touched.add(finding.subject)
        needed |= keeps
    return chosen
