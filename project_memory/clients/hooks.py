"""The events at which a client runs our hooks, in the JSON that Claude Code and Codex share.

``{"hooks": {EVENT: [{"matcher": ..., "hooks": [{"type": "command", "command": ...}]}]}}``
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from project_memory.clients import jsonc_edits
from project_memory.clients.entry import Entry

SECONDS = 10
"""Seconds that a client waits for one of our hooks, which gives up earlier by itself."""

EVENTS = (
    # a session that is resumed has its context still
    ("SessionStart", "session-start", "startup|clear|compact"),
    ("UserPromptSubmit", "prompt", None),
    ("Stop", "session-end", None),
)
_OURS = re.compile(r"project[-_]memory\b.* hook (?:session-start|prompt|session-end)")

Place = tuple[str, str, int, str, int]


def with_hooks(text: str | None, entry: Entry) -> str:
    """Return a configuration with our hooks in it, behind those of others.

    Raises:
        InvalidInput: the text is no JSON object, or what should hold hooks does not.
    """
    present = {place[1]: place for place, _ in _ours(text or "")}
    start = (entry.command, *takewhile(lambda word: word != "serve", entry.args))
    for event, name, matcher in EVENTS:
        command = shlex.join((*start, "hook", name))
        if event in present:
            text = _with_command(text or "", present[event], command)
        else:
            text = jsonc_edits.append(text, ("hooks", event), _group(command, matcher))
    assert text is not None
    return text


def without_hooks(text: str) -> str | None:
    """Return a configuration without our hooks; None if the file was made for them.

    Raises:
        InvalidInput: the text is no JSON.
    """
    left: str | None = text
    # from the end, so that the places of those before stay what they are
    for place, alone in reversed(list(_ours(text))):
        assert left is not None  # there is at least this one in it
        left = jsonc_edits.without(left, place[:3] if alone else place)
    return left


def commands(text: str) -> list[str]:
    """Return the command lines of our hooks in a configuration.

    Raises:
        InvalidInput: the text is no JSON.
    """
    return [jsonc_edits.found(text, (*place, "command")) for place, _ in _ours(text)]


def _group(command: str, matcher: str | None) -> dict[str, Any]:
    run = {"type": "command", "command": command, "timeout": SECONDS}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [run]}


def _with_command(text: str, place: Place, command: str) -> str:
    path = (*place, "command")
    return (
        text if jsonc_edits.found(text, path) == command else jsonc_edits.put(text, path, command)
    )


def _ours(text: str) -> Iterator[tuple[Place, bool]]:
    """Yield where each of our hooks stands, in order, and whether it is alone in its group."""
    events = jsonc_edits.found(text, ("hooks",))
    for event, groups in events.items() if isinstance(events, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            runs = group.get("hooks") if isinstance(group, dict) else None
            for place, run in enumerate(runs if isinstance(runs, list) else ()):
                command = run.get("command") if isinstance(run, dict) else None
                if isinstance(command, str) and _OURS.search(command):
                    yield ("hooks", event, number, "hooks", place), len(runs or ()) == 1
