"""What one document gives to the index."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from project_memory import documents
from project_memory.model import Document
from project_memory.ranking import hashing, languages, names, phrases
from project_memory.ranking.tokens import Token, surfaces, tokens

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"“(])|\n")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as the index knows it: the number of its run of words, how many, and its text."""

    number: int
    words: int
    text: str


@dataclass(frozen=True, slots=True)
class Analysed:
    """One document as the index sees it; everything in it comes from that document alone.

    Attributes:
        title: Tokens of id, description, triggers and tags.
        sentences: Tokens of each sentence of everything else that is text.
        labels: Tokens of label values and file paths.
        names: Names under which others may mention it.
        phrases: Capitalised phrases and identifiers in it.
        carried: Labels and files, as hubs.
        code: Whether it is code rather than prose, which mentions nothing.
        lower: Words that occur with a small first letter.
        upper: Words that occur with a capital first letter.
    """

    title: tuple[Token, ...]
    sentences: tuple[tuple[Token, ...], ...]
    labels: tuple[Token, ...]
    names: tuple[Name, ...]
    phrases: tuple[Name, ...]
    carried: tuple[Name, ...]
    code: bool
    lower: frozenset[str]
    upper: frozenset[str]


def analysed(document: Document) -> Analysed:
    """Return a document analysed in the language that its own words suggest."""
    title, body = _texts(document)
    text = f"{title}\n{body}"
    language = languages.of(names.words(text))
    code = phrases.is_code(body)
    return replace(
        _labelled(document, _read_labels(document, language), text),
        title=tuple(tokens(title, language)),
        sentences=tuple(
            tuple(tokens(part, language)) for part in _SENTENCE.split(body) if part.strip()
        ),
        names=() if code else _named(_names(document)),
        phrases=() if code else _named([*phrases.phrases(text), *phrases.identifiers(text)]),
        code=code,
    )


def labelled(document: Document) -> Analysed:
    """Return what labels and files alone give; its text only tells how their words are read."""
    text = "\n".join(_texts(document))
    language = languages.of(names.words(text))
    words = _read_labels(document, language)
    return _labelled(document, words, _holding(text, words))


def _holding(text: str, words: Iterable[Token]) -> str:
    """Return the pieces of a text in which words can stand: how they are written is seen there."""
    if not text.isascii():
        return text
    lowered = text.lower()
    met = [word.surface for word in words if word.surface in lowered]
    pieces = text.split() if met else ()
    return " ".join(piece for piece in pieces if any(word in piece.lower() for word in met))


def _read_labels(document: Document, language: str) -> tuple[Token, ...]:
    return tuple(tokens(" ".join(_label_words(document)), language))


def _labelled(document: Document, words: tuple[Token, ...], text: str) -> Analysed:
    lower, upper = phrases.by_case(text)
    return Analysed(
        title=(),
        sentences=(),
        labels=words,
        names=(),
        phrases=(),
        carried=tuple(Name(hashing.number(hub), 0, hub) for hub in _carried(document)),
        code=False,
        lower=lower,
        upper=upper,
    )


def _texts(document: Document) -> tuple[str, str]:
    return "\n".join(_title(document)), "\n".join(_body(document))


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
    for text in (document["id"].replace("-", " "), document["description"]):
        name = names.canonical(text)
        if name is not None:
            yield name


def _carried(document: Document) -> Iterator[str]:
    yield from (f"label {label}" for label in dict.fromkeys(document["labels"]))
    yield from (f"file {path}" for path in dict.fromkeys(document["scope"].get("files", ())))


def _named(texts: Iterable[str]) -> tuple[Name, ...]:
    found: dict[int, Name] = {}
    for text in dict.fromkeys(texts):
        words = surfaces(text)
        # what has more is looked for in no text
        if 0 < len(words) <= names.MAX_WORDS:
            number = hashing.run_number(words)
            found.setdefault(number, Name(number, len(words), f"name {' '.join(words)}"))
    return tuple(found.values())
