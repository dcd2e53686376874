"""``gaps``: what was asked in vain, on a line each, with what must be known of the report."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority, Question
from project_memory.storage import open_storage


def test_a_line_tells_a_gap_and_remarks_tell_what_is_not_shown(store) -> None:
    for question in ("frobnicator zorblat", "xylophonic wumpus"):
        store("recall", question)
    code, out, err = store("gaps", "--limit", "1")
    assert code == 0
    terms, questions, unanswered, unapplied, first, last, example = out.rstrip("\n").split("\t")
    assert set(terms.split()) == set(example.split()) == {"frobnicator", "zorblat"}
    assert (questions, unanswered, unapplied) == ("1", "1", "0")
    assert first == last
    assert err == "1 of 2 gaps; --limit and --offset show the others\n"


def test_a_project_that_keeps_no_questions_says_so(store, tmp_path: Path) -> None:
    store("recall", "frobnicator zorblat")
    ada = Actor("ada", Authority.USER)
    with ProjectMemory.open(str(tmp_path / "memory.db"), project="demo", actor=ada) as opened:
        opened.configure({"questions": "off"})
    assert store("gaps") == (
        0,
        "",
        "questions are not kept; `project-memory project set questions=` keeps them\n",
    )


def test_a_report_that_is_full_says_so(store, tmp_path: Path) -> None:
    day = "2026-01-31"
    notes = [Question(f"word{n}", day, day, 1) for n in range(501)]
    with (
        closing(open_storage(str(tmp_path / "memory.db"), create=False)) as storage,
        storage.write() as writer,
    ):
        dropped = writer.note_questions(1, notes, 500)
    assert dropped == 1
    err = store("gaps", "--limit", "500")[2]
    assert err == "no more than 500 questions are kept; the least noted are dropped\n"
