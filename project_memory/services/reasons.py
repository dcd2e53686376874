"""Hold what is kept beside documents to its bounds: reasons, notes, names."""

from __future__ import annotations

from project_memory import secrets, validation
from project_memory.errors import InvalidInput, SecretFound


def check_reason(text: str | None, place: str) -> None:
    """Refuse a reason that history should not keep; `place` says whose it is.

    Raises:
        InvalidInput: it is no text, too long, or holds control characters.
        SecretFound: it looks like a credential.
    """
    _check(text, place, "reason")


def check_name(text: str | None, place: str) -> None:
    """Refuse the name of an actor or a project that cannot be one; `place` says which.

    Raises:
        InvalidInput: it is no text on one line, or too long.
        SecretFound: it looks like a credential.
    """
    _check(text, place, "name")


def refuse_secret(text: str | None, place: str) -> None:
    """Refuse text that looks like a credential; `place` names it.

    Raises:
        SecretFound: with the place and the rule.
    """
    rules = secrets.scan(text) if text else []
    if rules:
        raise SecretFound([(place, rule) for rule in rules])


def _check(text: str | None, place: str, form: str) -> None:
    if text is None or (isinstance(text, str) and not text.strip()):
        return
    for problem in validation.check_form(text, form):
        raise InvalidInput(f"{place} cannot be kept: {problem.message}")
    refuse_secret(text, place)
