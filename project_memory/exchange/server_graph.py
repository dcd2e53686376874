"""Memories as the knowledge graph of the reference MCP memory server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from project_memory import documents, labels, relations
from project_memory.exchange import json_lines
from project_memory.model import Document, Status


def lines(held: Iterable[Document]) -> Iterator[str]:
    """Yield one line for each entity, then one for each link, as its first side has it.

    Links to what is not among the documents are left out.
    """
    several = list(held)
    known = {document["id"] for document in several}
    for document in several:
        yield json_lines.line(
            {
                "type": "entity",
                "name": document["id"],
                "entityType": _kind(document),
                "observations": list(_observations(document)),
            }
        )
    for document in several:
        for link in documents.links(document):
            if link.target in known and _is_first(document["id"], link):
                kind = {"from": document["id"], "to": link.target, "relationType": link.kind}
                yield json_lines.line({"type": "relation", **kind})


def _kind(document: Document) -> str:
    found = (n.partition(":")[2] for n in document["labels"] if labels.prefix(n) == "kind")
    return next(found, "memory")


def _observations(document: Document) -> Iterator[str]:
    yield document["description"]
    if document["status"] != Status.ACTIVE:
        reason = f": {document['status_reason']}" if "status_reason" in document else ""
        yield f"status: {document['status']}{reason}"
    for fact in documents.fact_texts(document):
        if fact != document["description"]:
            yield fact
    yield from (f"do: {step}" for step in document["solution_pattern"])
    yield from (f"beware: {pitfall}" for pitfall in document["pitfalls"])


def _is_first(source: str, link: documents.Link) -> bool:
    """Return whether a link is told on this side, so that none is told twice."""
    symmetric = relations.KINDS[link.kind].inverse == link.kind
    return source < link.target if symmetric else relations.is_base(link.kind)
