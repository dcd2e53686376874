"""Find credential-shaped text, name the rule that knows it, never repeat its value.

`formats` knows credentials by their own form, `channels` and `assignments` by what stands before
them, `values` tells a secret from a stand-in, `legible` sees through signs that nobody sees. Tuned
to raise no alarm on hashes, ids and code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from project_memory.secrets.assignments import assigned
from project_memory.secrets.channels import commands, headers
from project_memory.secrets.formats import Found, formats, private_keys, url_credentials
from project_memory.secrets.legible import legible

__all__ = ["redact", "scan", "scan_document"]

_RULES = (private_keys, formats, url_credentials, headers, commands, assigned)


def scan(text: str) -> list[str]:
    """Return the names of the rules that find a secret in the text, each once, in text order."""
    return list(dict.fromkeys(found.rule for found in _findings(text)))


def scan_document(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (JSON path, rule) for every secret in the strings and keys of a JSON object."""
    plain: list[str] = []
    _gather(document, plain)
    whole = "\n".join(plain)
    if not _findings(whole):
        return []
    texts: list[tuple[str, str]] = []
    _collect(document, "$", texts)
    found = [(redact(path), rule) for path, text in texts for rule in scan(text)]
    return list(dict.fromkeys(found)) or [("$", rule) for rule in scan(whole)]


def redact(text: str) -> str:
    """Return the text with ``[redacted: rule]`` in the place of every secret."""
    for found in reversed(_findings(text)):
        text = f"{text[: found.start]}[redacted: {found.rule}]{text[found.end :]}"
    return text


def _findings(text: str) -> list[Found]:
    """Return findings in text order; where two overlap, the more specific rule speaks."""
    every = enumerate([*_matches(text), *_matches_in_disguise(text)])
    kept: list[tuple[int, Found]] = []
    for order, found in sorted(every, key=lambda pair: (pair[1].start, pair[0])):
        if not kept or kept[-1][1].end <= found.start:
            kept.append((order, found))
        else:
            first, known = kept[-1]
            # the whole of both is secret, whichever rule speaks
            rule = found.rule if order < first else known.rule
            whole = Found(known.start, max(known.end, found.end), rule)
            kept[-1] = (min(order, first), whole)
    return [found for _, found in kept]


def _matches(text: str) -> Iterator[Found]:
    return chain.from_iterable(rule(text) for rule in _RULES)


def _matches_in_disguise(text: str) -> Iterator[Found]:
    """Yield what a reader would see, and signs between its letters keep from being found."""
    plain = legible(text)
    if plain is not None:
        shown, places = plain
        for found in _matches(shown):
            yield Found(places[found.start], places[found.end - 1] + 1, found.rule)


def _gather(value: Any, into: list[str]) -> None:
    """Add every string as `_collect` does; paths would take longer than the search itself."""
    if isinstance(value, (list, tuple)):
        for member in value:
            if isinstance(member, str):
                into.append(member)
            else:
                _gather(member, into)
    elif isinstance(value, (dict, Mapping)):  # asking for the first is quick
        for key, member in value.items():
            if isinstance(member, str):
                into.append(f"{key}: {member}")
            elif member:
                _gather(member, into)


def _collect(value: Any, path: str, into: list[tuple[str, str]]) -> None:
    """Add every string with its path; one under a key is read as ``key: value``."""
    if isinstance(value, (list, tuple)):
        for position, member in enumerate(value):
            if isinstance(member, str):
                into.append((f"{path}[{position}]", member))
            else:
                _collect(member, f"{path}[{position}]", into)
    elif isinstance(value, Mapping):
        for key, member in value.items():
            if isinstance(member, str):
                into.append((f"{path}.{key}", f"{key}: {member}"))
            else:
                _collect(member, f"{path}.{key}", into)
