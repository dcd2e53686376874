"""No statement walks a table that grows, so that cost follows the change and the answer."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from factories import memory, revision

from project_memory.model import Actor, Authority, Label, MemoryChange, Question, Uses
from project_memory.proposals import Proposal, State
from project_memory.sightings import Sighting
from project_memory.storage.sqlite import SqliteStorage
from project_memory.storage.sqlite.connections import connect

WALKED = {"SCAN projects USING INDEX sqlite_autoindex_projects_1"}  # Reader.projects
KEPT = "DELETE FROM unhelped_questions WHERE project"  # which are bounded
SORTED = "SELECT DISTINCT memory_key FROM history"  # of one id, for Reader.revisions


def write(writer):
    project = writer.put_project("demo", ["host/demo"], {"writes": "open"}).key
    keyed = [{"fact": "80", "key": "port"}]
    one = memory(writer.next_key(), id="one-memory", remembered_facts=keyed)
    two = memory(7, id="two-memory")
    writer.put_memory(project, one, "d", [1, 2])
    writer.put_memory(project, two, "d", [1])
    writer.put_memory(project, memory(7, id="one-memory"), "d")
    writer.remove_memory(project, 1)
    writer.put_label(project, Label("kind:bug"))
    writer.remove_label(project, "kind:bug")
    writer.put_prefix(project, "kind", single=True)
    writer.put_prefix(project, "kind", single=False)
    writer.put_redirect(project, "two-memory", 7)
    writer.put_redirect(project, "old-memory", None)
    writer.append_revision(project, revision(1, MemoryChange(None, one)))
    number = writer.next_proposal(project)
    bot = Actor("bot", Authority.AGENT)
    writer.put_proposal(project, Proposal(number, bot, "2026-01-31T09:30:00Z", 1, "note"))
    writer.put_sighting(project, Sighting("orphan", "one-memory", "", {}, "2026", "2026"))
    writer.remove_sightings(project, "two-memory")
    uses = {"one-memory": Uses(applied=1), "two-memory": Uses(applied=1)}
    writer.add_usage(project, "2026-01-31", uses, questions=1)
    writer.note_questions(project, [Question("why", "2026", "2026", 1)], 9)
    writer.forget_questions(project, ["why"])
    writer.put_tombstone(project, "digest")
    writer.forget(project, 7)
    writer.rewrite_history(project, lambda old: replace(old, reason="another"))
    return project


def read(reader, project):
    reader.projects()
    reader.project("host/demo")
    reader.revision(project)
    reader.memory(project, "one-memory")
    list(reader.memories(project))
    list(reader.memories(project, ["one-memory"]))
    list(reader.carriers(project, ["kind:bug", "area:web"]))
    list(reader.states(project, 7))
    reader.same_text(project, "d")
    reader.near_text(project, [1, 2], 5)
    reader.lessons(project, ["one-memory"])
    reader.other_values(project, "port", "80")
    reader.registry(project)
    reader.redirect(project, "two-memory")
    reader.last_version(project, "one-memory")
    reader.id_of(project, 7)
    reader.usage(project)
    reader.tombstones(project)
    reader.store_id()
    list(reader.sightings(project))
    reader.questions(project)
    reader.proposal(project, 1)
    list(reader.proposals(project))
    list(reader.proposals(project, State.WAITING))
    for memory_id in (None, "one-memory", "gone-memory"):
        for actor in (None, "ada"):
            for newest_first in (False, True):
                list(
                    reader.revisions(
                        project, memory_id=memory_id, actor=actor, newest_first=newest_first
                    )
                )


@pytest.fixture
def plans(tmp_path):
    """Return each statement that the port runs, with the steps of its plan."""
    statements = []

    def traced(path):
        connection = connect(path)
        connection.set_trace_callback(statements.append)
        return connection

    path = tmp_path / "memory.db"
    with closing(SqliteStorage(path, create=True, connect=traced)) as storage:
        with storage.write() as writer:
            project = write(writer)
        with storage.read() as reader:
            read(reader, project)
    verbs = ("SELECT", "INSERT", "UPDATE", "DELETE")
    with closing(sqlite3.connect(path)) as connection:
        return [
            (statement, [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")])
            for statement in dict.fromkeys(statements)
            if statement.startswith(verbs)
        ]


def test_every_statement_finds_its_rows_by_an_index(plans):
    # what a subquery gives is no table that grows
    tables = (s for _, steps in plans for s in steps if not s.startswith("SCAN (subquery"))
    walks = {step for step in tables if step.startswith("SCAN")}
    assert walks == WALKED
    assert len(plans) > 40


def test_only_what_returns_all_rows_of_a_project_reads_them_all(plans):
    whole = {step for _, steps in plans for step in steps if step.endswith("(project=?)")}
    assert whole == {
        "SEARCH labels USING PRIMARY KEY (project=?)",
        "SEARCH single_prefixes USING PRIMARY KEY (project=?)",
        "SEARCH repository_ids USING COVERING INDEX repository_ids_by_project (project=?)",
        "SEARCH u USING PRIMARY KEY (project=?)",
        "SEARCH proposals USING INDEX sqlite_autoindex_proposals_1 (project=?)",
        # the highest number, which is the last entry of the index
        "SEARCH proposals USING COVERING INDEX sqlite_autoindex_proposals_1 (project=?)",
        "SEARCH questions USING PRIMARY KEY (project=?)",
        "SEARCH sightings USING PRIMARY KEY (project=?)",
        # a bounded number of them
        "SEARCH unhelped_questions USING PRIMARY KEY (project=?)",
        "SEARCH tombstones USING PRIMARY KEY (project=?)",
        # a purge looks for every id that leads to a memory, which nothing else does
        "SEARCH redirects USING PRIMARY KEY (project=?)",
    }


def test_no_statement_sorts_what_an_index_could_deliver(plans):
    sorts = [text for text, steps in plans if any("TEMP B-TREE" in step for step in steps)]
    assert {text[: len(SORTED)] for text in sorts} == {SORTED, KEPT[: len(SORTED)]}


def test_the_last_revision_of_an_actor_is_found_without_walking_those_of_others(plans):
    of_actor = [
        steps for text, steps in plans if "actor = 'ada'" in text and "history" not in text
    ]
    step = (
        "SEARCH r USING INDEX revisions_by_actor (project=? AND actor=? AND number>? AND number<?)"
    )
    assert of_actor == [[step], [step]]
