"""How a directory writes its documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from project_memory import documents
from project_memory.exchange import lines, text
from project_memory.model import Document, Problem

ENDINGS = (".json", ".md")
"""Of the files of documents, whatever the form."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form.

    Attributes:
        name: As `export --format` calls it.
        ending: Of every file.
        write: Document -> text.
        parse: (Text, file) -> (value, problems).
        line_of: (Text, JSON path of the document) -> line.
    """

    name: str
    ending: str
    write: Callable[[Document], str]
    parse: Callable[[str, str], tuple[Any, list[Problem]]]
    line_of: Callable[[str, str], int | None]

    def is_document(self, name: str) -> bool:
        """Return whether a file of this name, without its folder, is taken for a document."""
        # an ending in capitals is told as a wrong name rather than passed over
        ending = name.lower().endswith(self.ending)
        twin = name.endswith(f".conflict{self.ending}")
        return ending and not twin and not name.startswith(".")


JSON = Form("directory", ".json", documents.to_text, text.parse, lines.line_of)
"""What diffs well, and what everything else of ours reads."""


def stem_of(file: str) -> str:
    """Return the id that a document's file is named after."""
    last = file.rpartition("/")[2]
    return next((last.removesuffix(e) for e in ENDINGS if last.endswith(e)), last)
