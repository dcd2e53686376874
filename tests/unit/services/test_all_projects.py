"""Recall over several projects: what reaches everywhere answers elsewhere, nothing else does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import UnknownLabel
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)


def lesson(name: str, text: str, *, everywhere: bool = False, **fields) -> dict:
    if everywhere:
        fields["scope"] = {"reach": "everywhere"}
    return draft(id=name, description=text, remembered_facts=[f"seen with {name}"], **fields)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[dict[str, ProjectMemory]]:
    """Return three projects of one store, by name."""
    names = ("demo", "example.org/tools/other", "third")
    url = str(tmp_path / "m.db")
    opened = {
        name: ProjectMemory.open(url, project=name, actor=ADA, create=True) for name in names
    }
    opened["demo"].create(lesson("retry-storm", "a retry without backoff floods the queue"))
    other = opened["example.org/tools/other"]
    other.add_label("team:core")
    other.create(lesson("jitter-helps", "jitter keeps a retry from a storm", everywhere=True,
                        labels=["kind:bug", "team:core"]))  # fmt: skip
    other.create(lesson("retry-secret", "the retry of the payroll runs at night"))
    text = "a retry storm begins on the hour"
    opened["third"].create(lesson("retry-storm", text, everywhere=True))
    yield opened
    for each in opened.values():
        each.close()


def found(store: dict[str, ProjectMemory], query: str = "retry storm", **options) -> set:
    answers = store["demo"].recall(query=query, all_projects=True, **options).answers
    return {(hit.project, hit.id) for hit in answers}


def test_what_reaches_everywhere_answers_in_other_projects(store) -> None:
    assert found(store) == {
        (None, "retry-storm"),
        ("example.org/tools/other", "jitter-helps"),
        ("third", "retry-storm"),
    }


def test_a_project_alone_answers_for_itself(store) -> None:
    assert [hit.id for hit in store["demo"].recall(query="retry storm").answers] == ["retry-storm"]


def test_what_stays_in_its_project_is_not_there_at_all(store) -> None:
    demo = store["demo"]
    assert demo.recall(query="payroll", all_projects=True).nothing_relevant
    assert "retry-secret" not in str(demo.recall(query="retry", all_projects=True, explain=True))


def test_the_reason_of_a_link_to_what_stays_there_is_not_there_either(store) -> None:
    demo, other = store["demo"], store["example.org/tools/other"]
    before = demo.recall(query="retry storm", all_projects=True, explain=True).answers
    other.link("jitter-helps", "related", "retry-secret", link_reason="Wotan and a mermaid")
    assert demo.recall(query="Wotan mermaid", all_projects=True).nothing_relevant
    assert found(store, "retry", label_query='text:"mermaid"') == set()
    assert found(store, "retry", label_query="linked:retry-secret") == set()
    assert found(store, "jitter", label_query="is:orphan") == {
        ("example.org/tools/other", "jitter-helps")
    }
    after = demo.recall(query="retry storm", all_projects=True, explain=True).answers
    assert [(hit.id, hit.score, hit.why) for hit in after] == [
        (hit.id, hit.score, hit.why) for hit in before
    ]
    assert other.recall(query="mermaid").answers[0].id == "jitter-helps"


def test_memories_of_one_id_in_two_projects_are_two(store) -> None:
    answers = (
        store["demo"].recall(query="retry storm hour", all_projects=True, full_count=9).answers
    )
    texts = {hit.project: hit.memory["description"] for hit in answers if hit.id == "retry-storm"}
    assert texts == {
        None: "a retry without backoff floods the queue",
        "third": "a retry storm begins on the hour",
    }


def test_an_expression_selects_in_every_project(store) -> None:
    assert found(store, label_query='NOT text:"floods"') == {
        ("example.org/tools/other", "jitter-helps"),
        ("third", "retry-storm"),
    }
    assert found(store, label_query='text:"on the hour"') == {("third", "retry-storm")}
    assert found(store, label_query="id:retry-storm", order="recent") == {
        (None, "retry-storm"),
        ("third", "retry-storm"),
    }


def test_labels_are_those_of_the_project_that_asks(store) -> None:
    store["demo"].add_label("area:queues")
    assert found(store, label_query="area:queues") == set()
    with pytest.raises(UnknownLabel):
        found(store, label_query="team:core")


def test_a_change_elsewhere_is_in_the_next_answer(store) -> None:
    assert ("third", "night-shift") not in found(store, "night")
    store["third"].create(lesson("night-shift", "the night shift restarts it", everywhere=True))
    assert found(store, "night") == {("third", "night-shift")}
    store["third"].update("night-shift", {"scope": {"reach": "project"}})
    assert found(store, "night") == set()


def test_links_lead_through_other_projects_only_where_they_reach(store) -> None:
    third = store["third"]
    third.create(lesson("clock-skew", "two clocks differ by a minute", everywhere=True))
    third.link("retry-storm", "caused_by", "clock-skew")
    third.create(lesson("hidden-cause", "a cause that stays here"))
    third.link("retry-storm", "caused_by", "hidden-cause")
    answers = store["demo"].recall(query="begins on the hour", all_projects=True, limit=20).answers
    names = [(hit.project, hit.id) for hit in answers]
    assert names[0] == ("third", "retry-storm")
    assert ("third", "clock-skew") in names
    assert "hidden-cause" not in {name for _, name in names}


def test_a_superseded_memory_gives_its_place_to_its_successor_there(store) -> None:
    third = store["third"]
    third.create(lesson("retry-by-hand", "retry storms are ended by hand", everywhere=True))
    third.link("retry-by-hand", "supersedes", "retry-storm")
    answers = store["demo"].recall(query="storm begins on the hour", all_projects=True).answers
    successor = next(hit for hit in answers if hit.id == "retry-by-hand")
    assert (successor.project, successor.answers_for) == ("third", ("retry-storm",))


def test_a_project_whose_access_needs_consent_is_not_looked_into(store) -> None:
    with store["demo"]._storage.write() as writer:
        writer.put_project("third", settings={"access": "consent"})
    assert {project for project, _ in found(store)} == {None, "example.org/tools/other"}


def test_only_uses_of_own_memories_are_counted_here(store) -> None:
    recall = store["demo"].recall(query="retry storm", all_projects=True)
    assert set(recall.brought or ()) == {"retry-storm"}


def test_what_is_told_of_a_memory_elsewhere_names_none_that_stays_there(store) -> None:
    third = store["third"]
    third.create(lesson("hidden-heir", "a successor that stays in its project"))
    third.create(lesson("hidden-rival", "a rival that stays in its project"))
    third.link("hidden-heir", "supersedes", "retry-storm", link_reason="told in confidence")
    third.link("hidden-rival", "contradicts", "retry-storm", link_reason="told in confidence")
    found = store["demo"].recall(
        query="storm begins on the hour", all_projects=True, explain=True, full_count=9
    )
    assert "hidden" not in str(found)
    assert "confidence" not in str(found)


def test_a_banner_of_what_a_hidden_successor_supersedes_names_nobody(store) -> None:
    third = store["third"]
    third.create(lesson("hidden-heir", "the storm is told apart by its hour"))
    third.link("hidden-heir", "supersedes", "retry-storm")
    (warning,) = store["demo"].recall(query="begins on the hour", all_projects=True).warnings
    assert warning.banner == (
        "superseded by a memory that only its project shows: read that instead "
        "(ids are those of project 'third')"
    )


def test_a_banner_says_whose_ids_it_names(store) -> None:
    third = store["third"]
    third.create(lesson("storm-watch", "a storm is watched for", everywhere=True))
    third.link("storm-watch", "contradicts", "retry-storm", link_reason="they differ")
    answers = store["demo"].recall(query="begins on the hour", all_projects=True).answers
    banners = [hit.banner for hit in answers if hit.banner]
    assert banners
    assert all(banner.endswith("(ids are those of project 'third')") for banner in banners)


def test_what_is_archived_here_is_told_as_without_other_projects(store) -> None:
    demo = store["demo"]
    demo.archive("retry-storm")
    alone = demo.recall(query="retry", label_query="is:archived")
    assert (
        demo.recall(query="retry", label_query="is:archived", all_projects=True).notes
        == alone.notes
    )
