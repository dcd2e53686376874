"""Questions without help are kept without secrets and grouped by what they share."""

from __future__ import annotations

from itertools import permutations

from project_memory.model import Question
from project_memory.services.gaps import LONGEST, Gap, gaps, kept_text

DAY, LATER = "2026-01-05", "2026-02-01"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def question(text: str, unanswered: int = 1, unapplied: int = 0, day: str = DAY) -> Question:
    return Question(text, day, day, unanswered, unapplied)


def test_a_kept_question_is_one_line_without_its_secret() -> None:
    kept = kept_text(f"why does\n  the push with {TOKEN} fail")
    assert TOKEN not in kept
    assert kept.startswith("why does the push with [redacted: ")
    assert kept.endswith("] fail")


def test_a_secret_on_the_line_after_its_name_is_not_kept() -> None:
    kept = kept_text("password =\n\n  tR7xQ9vLm2Kp4Z")
    assert kept == "password = [redacted: password-assignment]"


def test_a_secret_across_the_cut_leaves_no_part_of_itself() -> None:
    kept = kept_text(f"{'word ' * 37}{TOKEN}")
    assert "ghp_" not in kept
    assert len(kept) <= LONGEST


def test_a_long_question_is_cut_and_shows_it() -> None:
    assert kept_text("a" * LONGEST) == "a" * LONGEST
    assert kept_text("a" * (LONGEST + 1)) == "a" * (LONGEST - 1) + "…"


def test_forms_of_the_same_words_are_one_gap_with_its_counts_and_days() -> None:
    asked = [
        question("invoices rounding", unanswered=3),
        question("how is an invoice rounded", unanswered=0, unapplied=2, day=LATER),
        question("kubernetes ingress"),
    ]
    assert gaps(asked) == (
        Gap(("invoices", "rounding"), 2, 3, 2, DAY, LATER, "invoices rounding"),
        Gap(("ingress", "kubernetes"), 1, 1, 0, DAY, DAY, "kubernetes ingress"),
    )


def test_a_word_that_every_question_has_joins_none() -> None:
    asked = [question(f"deploy {name}") for name in ("redis", "nginx", "kafka", "vault")]
    assert [gap.questions for gap in gaps(asked)] == [1, 1, 1, 1]


def test_likeness_does_not_chain() -> None:
    asked = [
        question("redis cache", unanswered=3),
        question("redis eviction", unanswered=2),
        question("eviction policy"),
    ]
    found = [(gap.example, gap.questions) for gap in gaps(asked)]
    assert found == [("redis cache", 2), ("eviction policy", 1)]


def test_the_order_of_the_questions_is_no_matter() -> None:
    asked = [
        question("flaky upload test", unanswered=2),
        question("upload tests flake"),
        question("flaky login test"),
        question("oauth login"),
    ]
    assert len({gaps(order) for order in permutations(asked)}) == 1


def test_what_stands_for_a_secret_is_no_shared_term() -> None:
    asked = [question(kept_text(f"{word} {TOKEN}")) for word in ("mercurial", "subversion")]
    assert [gap.terms for gap in gaps(asked)] == [("mercurial",), ("subversion",)]


def test_questions_of_stop_words_or_of_no_words_are_shown_too() -> None:
    found = gaps([question("???", unanswered=2), question("what is it")])
    assert found[0] == Gap((), 1, 2, 0, DAY, DAY, "???")
    assert sorted(found[1].terms) == ["is", "it", "what"]


def test_no_question_no_gap() -> None:
    assert gaps([]) == ()
