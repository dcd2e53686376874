"""What of a document each field of the index holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from project_memory import documents
from project_memory.model import Document
from project_memory.ranking import languages, names, phrases
from project_memory.ranking.tokens import Token, tokens

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"“(])|\n")
SNIPPET = 60
"""Most tokens of one context snippet."""


@dataclass(frozen=True, slots=True)
class Analysed:
    """One document as the index sees it; everything in it comes from that document alone.

    Attributes:
        title: Tokens of id, description, triggers and tags.
        body: Tokens of everything else that is text.
        labels: Tokens of label values and file paths.
        names: Names under which others may mention it, in canonical form.
        sentences: Words of each sentence of the body, as names are compared.
        snippets: Tokens of each sentence, clipped.
        hubs: Labels, files, phrases and identifiers, each with its kind as prefix.
        code: Whether it is code rather than prose, so that only mentions connect it.
    """

    title: tuple[Token, ...]
    body: tuple[Token, ...]
    labels: tuple[Token, ...]
    names: frozenset[str]
    sentences: tuple[tuple[str, ...], ...]
    snippets: tuple[tuple[Token, ...], ...]
    hubs: frozenset[str]
    code: bool


def analysed(document: Document) -> Analysed:
    """Return a document analysed in the language that its own words suggest."""
    title_text, body_text = "\n".join(_title(document)), "\n".join(_body(document))
    language = languages.of(names.words(f"{title_text} {body_text}"))
    sentences = [part for part in _SENTENCE.split(body_text) if part.strip()]
    code = phrases.is_code(body_text)
    return Analysed(
        title=tuple(tokens(title_text, language)),
        body=tuple(tokens(body_text, language)),
        labels=tuple(tokens(" ".join(_label_words(document)), language)),
        names=frozenset(_names(document)),
        sentences=tuple(tuple(names.words(part)) for part in sentences),
        snippets=tuple(tuple(tokens(part, language)[:SNIPPET]) for part in sentences),
        hubs=frozenset() if code else frozenset(_hubs(document, f"{title_text}\n{body_text}")),
        code=code,
    )


def _title(document: Document) -> Iterator[str]:
    yield document["description"]
    yield document["id"].replace("-", " ")
    yield from document["triggers"]
    yield from document["tags"]


def _body(document: Document) -> Iterator[str]:
    scope, evidence = document["scope"], document["evidence"]
    yield from documents.fact_texts(document)
    yield from document["solution_pattern"]
    yield from document["pitfalls"]
    yield from scope.get("applies_to", ())
    if "area" in scope:
        yield scope["area"]
    if evidence["created_from_task"] != "unspecified":
        yield evidence["created_from_task"]
    yield from (link.reason for link in documents.links(document) if link.reason)


def _label_words(document: Document) -> Iterator[str]:
    for label in document["labels"]:
        yield label.partition(":")[2].replace("-", " ")
    yield from document["scope"].get("files", ())


def _names(document: Document) -> Iterator[str]:
    candidates = (document["id"], document["id"].replace("-", " "), document["description"])
    for text in (*candidates, *document["tags"]):
        name = names.canonical(text)
        if name is not None:
            yield name


def _hubs(document: Document, text: str) -> Iterator[str]:
    yield from (f"label {label}" for label in document["labels"])
    yield from (f"file {path}" for path in document["scope"].get("files", ()))
    yield from (f"name {phrase}" for phrase in phrases.phrases(text))
    yield from (f"name {identifier}" for identifier in phrases.identifiers(text))
