"""What a caller must know of a question, so that its answers are not misread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from project_memory.index import BitMap, Index


def of_question(index: Index, words: str, candidates: BitMap, *, ranked: bool) -> Iterator[str]:
    """Yield a sentence for everything that keeps a question from being answered as it was meant.

    Args:
        index: What is asked.
        words: The question; blank when none was asked.
        candidates: Keys of the memories that its filters select.
        ranked: Whether the answers are ranked, and not only ordered by date.
    """
    archived = len(index.selection.archived & candidates) if ranked else 0
    if archived:
        are = "is" if archived == 1 else "are"
        yield (
            f"{archived} of the memories that the filter selects {are} archived, and archived "
            "ones are not ranked; search lists them"
        )
    if ranked and words.strip() and index.is_common(words):
        yield (
            "the question holds no word that tells memories apart; ask with the words of an error "
            "message, a name or a file"
        )


def of_rules(left_out: Sequence[str]) -> Iterator[str]:
    """Yield a sentence that names the standing rules which the budget left out, if any."""
    if left_out:
        yield f"standing rules that did not fit: {', '.join(left_out)}; ask for more tokens"
