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
SNIPPET = 120
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
        code: Whether it is code rather than prose, which mentions nothing.
        lower: Words that occur with a small first letter.
        upper: Words that occur with a capital first letter.
    """

    title: tuple[Token, ...]
    body: tuple[Token, ...]
    labels: tuple[Token, ...]
    names: frozenset[str]
    sentences: tuple[tuple[str, ...], ...]
    snippets: tuple[tuple[Token, ...], ...]
    hubs: frozenset[str]
    code: bool
    lower: frozenset[str]
    upper: frozenset[str]


def analysed(document: Document) -> Analysed:
    """Return a document analysed in the language that its own words suggest."""
    title_text, body_text = "\n".join(_title(document)), "\n".join(_body(document))
    language = languages.of(names.words(f"{title_text} {body_text}"))
    sentences = [part for part in _SENTENCE.split(body_text) if part.strip()]
    snippets = tuple(tuple(tokens(part, language)) for part in sentences)
    code = phrases.is_code(body_text)
    lower, upper = phrases.by_case(f"{title_text}\n{body_text}")
    return Analysed(
        title=tuple(tokens(title_text, language)),
        body=tuple(token for snippet in snippets for token in snippet),
        labels=tuple(tokens(" ".join(_label_words(document)), language)),
        names=frozenset() if code else frozenset(_names(document)),
        sentences=tuple(tuple(names.words(part)) for part in sentences),
        snippets=tuple(snippet[:SNIPPET] for snippet in snippets),
        hubs=frozenset(_hubs(document, "" if code else f"{title_text}\n{body_text}")),
        code=code,
        lower=lower,
        upper=upper,
    )


def _title(document: Document) -> Iterator[str]:
    """Yield what names the memory; a piece that says nothing new is left out.

    An id made from the description, or a tag that repeats it, must not count twice.
    """
    said: set[str] = set()
    name = document["id"].replace("-", " ")
    for piece in (document["description"], *document["triggers"], *document["tags"], name):
        found = set(names.words(piece))
        if not found <= said:
            said |= found
            yield piece


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
    # one reason often serves many links; it must not make the memory longer each time
    yield from dict.fromkeys(k.reason for k in documents.links(document) if k.reason)


def _label_words(document: Document) -> Iterator[str]:
    for label in document["labels"]:
        yield label.partition(":")[2].replace("-", " ")
    yield from document["scope"].get("files", ())


def _names(document: Document) -> Iterator[str]:
    for text in (document["id"].replace("-", " "), document["description"], *document["tags"]):
        name = names.canonical(text)
        if name is not None:
            yield name


def _hubs(document: Document, text: str) -> Iterator[str]:
    yield from (f"label {label}" for label in document["labels"])
    yield from (f"file {path}" for path in document["scope"].get("files", ()))
    yield from (f"name {phrase}" for phrase in phrases.phrases(text))
    yield from (f"name {identifier}" for identifier in phrases.identifiers(text))
