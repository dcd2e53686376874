"""Each change through the application, on the in-memory back end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from factories import draft

from project_memory import documents
from project_memory.app import ProjectMemory
from project_memory.errors import (
    Conflict,
    InvalidDocument,
    InvalidInput,
    InvalidLabel,
    InvalidTransition,
    MemoryExists,
    NotFound,
    SecretFound,
    UnknownLabel,
    UnknownLabels,
    VersionConflict,
)
from project_memory.model import Actor, Authority, Uses
from project_memory.services.batch import OPERATIONS
from project_memory.storage import open_storage

ADA = Actor("ada", Authority.USER)
BOT = Actor("bot", Authority.AGENT)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
REASON = "both fail when two writers meet"


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=lambda: NOW
    ) as opened:
        yield opened


def made(memory: ProjectMemory, *names: str) -> None:
    for name in names:
        memory.create(draft(id=name, description=f"the lesson that is called {name} here"))


def as_bot(memory: ProjectMemory) -> ProjectMemory:
    return ProjectMemory(memory._storage, "demo", BOT, lambda: NOW)


def named(memory: ProjectMemory, name: str) -> ProjectMemory:
    return ProjectMemory(memory._storage, "demo", Actor(name, Authority.USER), lambda: NOW)


def test_a_created_memory_is_complete_and_attributed(memory: ProjectMemory) -> None:
    receipt = memory.create(draft())
    (touched,) = receipt.memories
    reading = memory.get(touched.id)
    assert touched.id == "writers-on-one-sqlite-file-see-database-is-locked-under-load"
    assert (touched.change, touched.version, receipt.revision) == ("created", 1, 2)
    assert reading.memory["status"] == "active"
    assert reading.memory["evidence"]["last_validated"] == "2026-03-01"
    assert (reading.meta.author, reading.meta.asserted_by) == ("ada", "user")
    assert reading.meta.created_at == "2026-03-01T12:00:00Z"


def test_a_dry_run_says_the_same_and_commits_nothing(memory: ProjectMemory) -> None:
    dry = memory.create(draft(id="first"), dry_run=True)
    wet = memory.create(draft(id="first"))
    assert dry.memories == wet.memories
    assert (dry.dry_run, dry.revision, wet.revision) == (True, 1, 2)


def test_an_id_that_is_taken_is_refused(memory: ProjectMemory) -> None:
    made(memory, "first")
    with pytest.raises(MemoryExists) as caught:
        memory.create(draft(id="first"))
    assert str(caught.value) == (
        "memory 'first' exists already (version 1); update it, or choose another id"
    )


def test_the_same_text_is_refused_unless_allowed(memory: ProjectMemory) -> None:
    memory.create(draft(id="first"))
    again = draft(description="Writers on one SQLite file see  'DATABASE is locked' under load ")
    with pytest.raises(MemoryExists) as caught:
        memory.create(again)
    assert str(caught.value) == (
        "memory 'first' has the same text; extend it with an update, "
        "or allow the duplicate (--allow-duplicate)"
    )
    memory.create(again, allow_duplicate=True)


def test_an_unknown_label_names_near_ones(memory: ProjectMemory) -> None:
    with pytest.raises(UnknownLabel) as caught:
        memory.create(draft(labels=["kind:bugs"]))
    assert str(caught.value) == (
        "label 'kind:bugs' is not registered; did you mean 'kind:bug'? "
        "add it with `project-memory labels add kind:bugs`"
    )


def test_every_unknown_label_is_named_at_its_place(memory: ProjectMemory) -> None:
    with pytest.raises(UnknownLabels) as caught:
        memory.create(draft(labels=["kind:bugs", "kind:bug", "area:sea"]))
    assert str(caught.value) == (
        "label 'kind:bugs' is not registered; did you mean 'kind:bug'? "
        "add it with `project-memory labels add kind:bugs`\n"
        "label 'area:sea' is not registered; add it with `project-memory labels add area:sea`"
    )
    assert [(p.path, p.message, p.fix) for p in caught.value.problems] == [
        (
            "$.labels[0]",
            "label 'kind:bugs' is not registered",
            "did you mean 'kind:bug'? add it with `project-memory labels add kind:bugs`",
        ),
        (
            "$.labels[2]",
            "label 'area:sea' is not registered",
            "add it with `project-memory labels add area:sea`",
        ),
    ]
    assert (caught.value.label, caught.value.near) == ("kind:bugs", ("kind:bug",))


def test_a_secret_is_refused_and_not_repeated(memory: ProjectMemory) -> None:
    value = "AKIA" + "QWERTYUIOPASDFGH"
    with pytest.raises(SecretFound) as caught:
        memory.create(draft(pitfalls=[f"the key {value} was in the log"]))
    assert value not in str(caught.value)
    assert "$.pitfalls[0]" in str(caught.value)


def test_an_update_merges_and_advances_the_version(memory: ProjectMemory) -> None:
    made(memory, "first")
    receipt = memory.update("first", {"pitfalls": ["the timeout hides it"]}, if_version=1)
    assert receipt.memories[0].version == 2
    assert memory.get("first").memory["pitfalls"] == ["the timeout hides it"]


def test_a_stale_version_is_a_conflict_with_the_fields_that_changed(
    memory: ProjectMemory,
) -> None:
    made(memory, "first")
    memory.update("first", {"pitfalls": ["the timeout hides it"]})
    with pytest.raises(VersionConflict) as caught:
        memory.update("first", {"triggers": ["locked"]}, if_version=1)
    assert str(caught.value) == (
        "memory 'first' is at version 2, not 1 (changed since: pitfalls); "
        "read it again and repeat the change on version 2"
    )
    assert caught.value.diff == {"pitfalls": [[], ["the timeout hides it"]]}


def test_relationships_in_a_patch_only_add(memory: ProjectMemory) -> None:
    made(memory, "first", "second", "third")
    for other in ("second", "third"):
        memory.update("first", {"relationships": {"related": [{"id": other, "reason": REASON}]}})
    assert [k.target for k in documents.links(memory.get("first").memory)] == ["second", "third"]


def test_a_mirror_advances_the_neighbours_links_only(memory: ProjectMemory) -> None:
    made(memory, "first", "second")
    receipt = memory.link("first", "depends_on", "second")
    assert [(t.id, t.change, t.version) for t in receipt.memories] == [
        ("first", "linked", 2),
        ("second", "mirrored", 1),
    ]
    neighbour = memory.get("second")
    assert neighbour.memory["relationships"]["required_by"] == [{"id": "first"}]
    assert (neighbour.meta.version, neighbour.meta.links_version) == (1, 2)


@pytest.mark.parametrize(
    ("source", "kind", "target", "error", "message"),
    [
        (
            "first", "relates", "second", InvalidInput,
            "no kind of link 'relates'; did you mean 'related'? kinds: related, supersedes, "
            "superseded_by, contradicts, depends_on, required_by, caused_by, causes, "
            "generalizes, specializes",
        ),
        (
            "first", "related", "first", InvalidDocument,
            "first $.relationships: 'first' related 'first': a memory cannot link to itself; "
            "remove the link [self-link]",
        ),
        (
            "first", "related", "nothing", InvalidDocument,
            "first $.relationships: 'first' related 'nothing', but there is no memory "
            "'nothing'; create the target first, or remove the link [dangling-link]",
        ),
        (
            "second", "depends_on", "first", InvalidDocument,
            "second $.relationships.depends_on: depends_on must not form a cycle: "
            "second -> first -> second; remove depends_on between 'first' and 'second' [cycle]",
        ),
        (
            "nothing", "related", "first", NotFound,
            "no memory 'nothing'; list ids with `project-memory list`",
        ),
    ],
)  # fmt: skip
def test_a_refused_link_leaves_no_trace(
    memory: ProjectMemory, source: str, kind: str, target: str, error: type, message: str
) -> None:
    made(memory, "first", "second")
    memory.link("first", "depends_on", "second")
    before = memory.stats()
    with pytest.raises(error) as caught:
        memory.link(source, kind, target, link_reason=REASON)
    assert str(caught.value) == message
    assert memory.stats() == before


def test_related_needs_a_reason(memory: ProjectMemory) -> None:
    made(memory, "first", "second")
    with pytest.raises(InvalidInput) as caught:
        memory.link("first", "related", "second")
    assert str(caught.value) == (
        "a related link needs a reason; say in one sentence, readable from both sides, "
        "what connects the two (--reason)"
    )


def test_superseding_and_its_end_show_in_the_status(memory: ProjectMemory) -> None:
    made(memory, "old", "new")
    memory.link("new", "supersedes", "old")
    assert memory.get("old").banner == "superseded by 'new': read that instead"
    memory.set_status("new", "wrong", reason="measured again, it was the cache")
    assert memory.get("old").memory["status"] == "active"
    memory.set_status("new", "active", reason="the measurement was at fault")
    assert memory.get("old").memory["status"] == "superseded"
    memory.archive("new")
    assert memory.get("old").memory["status"] == "active"


@pytest.mark.parametrize(
    ("status", "reason", "error", "message"),
    [
        ("superseded", None, InvalidTransition,
         "'first' becomes superseded only by a link; use "
         "`project-memory link NEW-ID supersedes first`"),
        ("active", None, InvalidTransition,
         "'first' is active and cannot become active; allowed: stale, wrong"),
        ("stale", " ", InvalidTransition,
         "a change of 'first' from active to stale needs a reason; "
         "say in one sentence what showed it"),
        ("old", None, InvalidInput,
         "no status 'old'; choose one of active, stale, superseded, wrong"),
    ],
)  # fmt: skip
def test_a_status_that_is_not_allowed_is_refused(
    memory: ProjectMemory, status: str, reason: str | None, error: type, message: str
) -> None:
    made(memory, "first")
    with pytest.raises(error) as caught:
        memory.set_status("first", status, reason=reason)
    assert str(caught.value) == message


def test_deleting_removes_every_link_and_undo_brings_all_back(memory: ProjectMemory) -> None:
    made(memory, "first", "second")
    memory.link("first", "related", "second", link_reason=REASON)
    before = {n: documents.to_text(memory.get(n).memory) for n in ("first", "second")}
    memory.delete("first")
    assert not list(documents.links(memory.get("second").memory))
    memory.undo()
    assert {n: documents.to_text(memory.get(n).memory) for n in before} == before
    assert memory.get("first").meta.version == 3


def test_undo_lists_links_that_are_no_longer_legal(memory: ProjectMemory) -> None:
    made(memory, "first", "second")
    memory.link("first", "related", "second", link_reason=REASON)
    memory.delete("first")
    deletion = memory.stats().store.revision
    memory.delete("second")
    receipt = memory.undo(revision=deletion)
    assert receipt.notes == (
        "link not brought back: 'first' related 'second', but there is no memory 'second'",
    )
    assert list(documents.links(memory.get("first").memory)) == []


def test_undo_refuses_what_has_changed_since(memory: ProjectMemory) -> None:
    made(memory, "first")
    memory.update("first", {"pitfalls": ["one"]})
    edit = memory.stats().store.revision
    memory.update("first", {"pitfalls": ["two"]})
    with pytest.raises(Conflict) as caught:
        memory.undo(revision=edit)
    assert str(caught.value) == (
        "revision 3 cannot be undone: 'first' is not as it left it (changed since: pitfalls); "
        "undo the later change first, or use `project-memory history revert first`"
    )


def test_undo_takes_back_only_the_callers_own_operation(memory: ProjectMemory) -> None:
    made(memory, "first")
    with pytest.raises(NotFound) as caught:
        as_bot(memory).undo()
    assert str(caught.value) == (
        "'bot' has nothing to undo in this project; "
        "`project-memory history list` shows every revision"
    )


def test_a_renamed_memory_is_found_under_its_old_id(memory: ProjectMemory) -> None:
    made(memory, "first", "second")
    memory.link("first", "related", "second", link_reason=REASON)
    memory.rename("first", "premier")
    assert memory.get("first").memory["id"] == "premier"
    assert memory.get("first").redirected_from == "first"
    assert [k.target for k in documents.links(memory.get("second").memory)] == ["premier"]
    with pytest.raises(MemoryExists) as caught:
        memory.create(draft(id="first", description="a new lesson under an old name"))
    assert str(caught.value) == (
        "id 'first' leads to the renamed memory 'premier'; choose another id"
    )


def test_a_version_number_is_never_reused_for_an_id(memory: ProjectMemory) -> None:
    made(memory, "first")
    memory.update("first", {"pitfalls": ["one"]})
    memory.delete("first")
    made(memory, "first")
    assert memory.get("first").meta.version == 3


def test_merging_repoints_links_and_archives_the_victim(memory: ProjectMemory) -> None:
    made(memory, "victim", "survivor", "other")
    memory.link("victim", "related", "other", link_reason=REASON)
    memory.link("victim", "contradicts", "survivor", link_reason=REASON)
    memory.merge("victim", "survivor")
    survivor, victim = memory.get("survivor"), memory.get("victim")
    assert {(k.kind, k.target) for k in documents.links(survivor.memory)} == {
        ("related", "other"),
        ("supersedes", "victim"),
    }
    assert victim.meta.archived_at == "2026-03-01T12:00:00Z"
    assert victim.banner == (
        "superseded by 'survivor': read that instead; archived: out of retrieval"
    )
    assert survivor.memory["triggers"] == ["the lesson that is called victim here"]


def test_several_operations_are_one_revision(memory: ProjectMemory) -> None:
    receipt = memory.apply(
        [
            {"op": "create", "memory": draft(id="first")},
            {"op": "create", "memory": draft(id="second", remembered_facts=["another fact"])},
            {"op": "link", "from_id": "first", "kind": "causes", "to_id": "second"},
            {"op": "status", "id": "first", "status": "stale", "reason": "the API changed"},
        ]
    )
    assert receipt.revision == 2
    assert memory.get("second").memory["relationships"]["caused_by"] == [{"id": "first"}]


def test_one_failing_operation_leaves_nothing(memory: ProjectMemory) -> None:
    with pytest.raises(NotFound) as caught:
        memory.apply(
            [{"op": "create", "memory": draft(id="first")}, {"op": "archive", "id": "second"}]
        )
    assert caught.value.__notes__ == ["in operation 1"]
    assert memory.stats().memories == 0


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ("archive", "operation 0 is not an object with a member 'op'"),
        ({"op": "drop"},
         f"operation 0: no operation 'drop'; choose one of {', '.join(OPERATIONS)}"),
        ({"op": "archive"}, "operation 0 (archive) lacks 'id'"),
        ({"op": "archive", "id": "x", "idd": "y"},
         "operation 0 (archive) has an unknown member 'idd'; did you mean 'id'?"),
        ({"op": "archive", "id": []}, "operation 0 (archive): 'id' is not a string"),
        ({"op": "update", "id": "first", "patch": [1]},
         "operation 0 (update): 'patch' is not an object"),
        ({"op": "delete", "id": "first", "if_version": "1"},
         "operation 0 (delete): 'if_version' is not an integer"),
        ({"op": "add_label", "label": "area:x", "distinct": 1},
         "operation 0 (add_label): 'distinct' is not true or false"),
    ],
)  # fmt: skip
def test_a_malformed_operation_is_refused(
    memory: ProjectMemory, operation: object, message: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.apply([operation])
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("patch", "path"),
    [
        ({"labels": 5}, "$.labels"),
        ({"labels": [[]]}, "$.labels[0]"),
        ({"scope": 5}, "$.scope"),
        ({"evidence": []}, "$.evidence"),
        ({"description": None}, "$"),
        ({"remembered_facts": None}, "$"),
        ({"remembered_facts": [{"source": "a log"}]}, "$.remembered_facts[0]"),
    ],
)
def test_a_patch_of_the_wrong_kind_is_a_problem_whoever_writes_it(
    memory: ProjectMemory, patch: dict, path: str
) -> None:
    made(memory, "first")
    for writer in (memory, as_bot(memory)):
        with pytest.raises(InvalidDocument) as caught:
            writer.update("first", patch)
        assert [problem.path for problem in caught.value.problems] == [path]


def test_a_label_that_is_gone_does_not_come_back_by_a_revert(memory: ProjectMemory) -> None:
    made(memory, "first")
    number = memory.add_label("area:gone").revision
    memory.update("first", {"labels": ["area:gone"]})
    memory.update("first", {"labels": ["kind:bug"]})
    memory.undo(revision=number)
    with pytest.raises(UnknownLabel):
        memory.revert("first", version=2)
    assert memory.validate().ok


def test_where_edits_demote_an_agents_edit_of_a_users_memory_makes_it_the_agents(
    memory: ProjectMemory,
) -> None:
    memory.configure({"agent_edits": "demote"})
    made(memory, "first", "second", "third")
    bot = as_bot(memory)
    bot.update("first", {"pitfalls": ["one"]})
    bot.create(draft(id="newer", description="what the agent found to be so by now"))
    bot.link("newer", "supersedes", "second")
    bot.link("newer", "related", "third", link_reason=REASON)
    asserted = {n: memory.get(n).meta.asserted_by for n in ("first", "second", "third")}
    assert asserted == {"first": "agent", "second": "agent", "third": "user"}


def test_a_near_twin_of_a_label_is_refused_unless_distinct(memory: ProjectMemory) -> None:
    memory.add_label("area:cache")
    with pytest.raises(InvalidLabel) as caught:
        memory.add_label("area:caches")
    assert str(caught.value) == (
        "label 'area:caches' is a near-twin of 'area:cache'; use that one, or say that the new "
        "one is distinct (--distinct)"
    )
    assert memory.add_label("area:caches", distinct=True).labels == ("area:caches",)


def test_undoing_a_label_that_is_carried_is_refused(memory: ProjectMemory) -> None:
    memory.add_label("area:cache")
    memory.create(draft(id="first", labels=["area:cache"]))
    with pytest.raises(Conflict) as caught:
        memory.undo(revision=2)
    assert str(caught.value) == (
        "revision 2 cannot be undone: 'first' carries label 'area:cache'; take the label off first"
    )


def test_the_last_version_of_a_deleted_memory_can_be_read_and_brought_back(
    memory: ProjectMemory,
) -> None:
    made(memory, "first")
    memory.delete("first")
    assert memory.get("first", version=1).memory["id"] == "first"
    memory.revert("first", version=1)
    assert memory.get("first").meta.version == 2


def test_reverting_puts_the_text_back_and_keeps_the_links(memory: ProjectMemory) -> None:
    made(memory, "first", "second")
    memory.update("first", {"pitfalls": ["one"]})
    memory.link("first", "related", "second", link_reason=REASON)
    memory.revert("first", version=1)
    reading = memory.get("first")
    assert reading.memory["pitfalls"] == []
    assert [k.target for k in documents.links(reading.memory)] == ["second"]


def test_feedback_counts_and_changes_nothing_else(memory: ProjectMemory) -> None:
    made(memory, "first", "second")
    revision = memory.stats().store.revision
    recorded = memory.record_use(["first"], wrong_ids=["second"])
    assert (recorded.applied, recorded.wrong) == (("first",), ("second",))
    assert memory.stats().store.revision == revision
    memory.record_use(["first"], note="it named the cause at once")
    assert memory.history().revisions[0].reason == "it named the cause at once"
    with memory._storage.read() as reader:
        uses = {"first": Uses(applied=2), "second": Uses(wrong=1)}
        assert reader.usage(1).total == uses


def test_the_store_is_shared_by_two_applications(tmp_path) -> None:
    url = str(tmp_path / "store.db")
    with (
        ProjectMemory.open(url, project="demo", actor=ADA, create=True) as one,
        ProjectMemory.open(url, project="demo", actor=BOT) as other,
    ):
        one.create(draft(id="first"))
        assert [hit.id for hit in other.recall(query="database is locked").answers] == ["first"]


def test_a_mistyped_store_is_not_created(tmp_path) -> None:
    path = tmp_path / "nowhere.db"
    with pytest.raises(NotFound):
        open_storage(str(path), create=False)
    assert not path.exists()


ISSUED = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    ("act", "place"),
    [
        (lambda m: m.pin("first", reason=f"as {ISSUED} said"), "the reason"),
        (lambda m: m.record_use(["first"], note=ISSUED), "the note"),
        (lambda m: named(m, ISSUED).pin("first"), "the actor's name"),
        (lambda m: named(m, ISSUED).record_use(["first"]), "the actor's name"),
        (lambda m: m.add_label("area:x", description=ISSUED), "the description of 'area:x'"),
        (lambda m: m.update("first", {"pitfalls": [ISSUED]}), "$.pitfalls[0]"),
    ],
)
def test_no_secret_enters_beside_a_document_either(memory: ProjectMemory, act, place: str) -> None:
    made(memory, "first")
    with pytest.raises(SecretFound) as caught:
        act(memory)
    assert ISSUED not in str(caught.value)
    assert str(caught.value) == (
        f"{place} looks like a secret (rule 'github-token'); "
        "say where the secret lives, not its value"
    )


def test_a_link_given_twice_is_refused(memory: ProjectMemory) -> None:
    made(memory, "first")
    twice = [{"id": "first", "reason": REASON}, {"id": "first", "reason": "and once more here"}]
    with pytest.raises(InvalidDocument) as caught:
        memory.create(draft(id="second", pitfalls=["p"], relationships={"related": twice}))
    assert str(caught.value) == (
        "second $.relationships: 'second' related 'first' is given twice; "
        "keep one of the two [duplicate-link]"
    )


def test_operations_must_be_a_list(memory: ProjectMemory) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.apply(None)
    assert str(caught.value) == "the operations are no list; give a JSON list of objects"


def test_a_moment_must_be_one(memory: ProjectMemory) -> None:
    made(memory, "first")
    assert memory.get("first", as_of="2026-03-01").memory["id"] == "first"
    with pytest.raises(InvalidInput) as caught:
        memory.get("first", as_of="soon")
    assert str(caught.value) == (
        "'soon' is no moment; write a date like 2026-01-31 or a UTC timestamp like "
        "2026-01-31T09:30:00Z"
    )


def test_a_label_description_is_bounded(memory: ProjectMemory) -> None:
    with pytest.raises(InvalidLabel) as caught:
        memory.add_label("area:x", description="x" * 501)
    assert str(caught.value) == (
        "the description of 'area:x' has 501 characters; at most 500 are allowed"
    )


@pytest.mark.parametrize("day", ["yesterday", "2026-01-01 OR is:any", "2026-02-30", ">2026"])
def test_only_a_date_bounds_a_recall(memory: ProjectMemory, day: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.recall(query="locked", after=day)
    assert str(caught.value) == (
        f"after is '{day}'; write a date like 2026-01-31, 2026-01 or 2026"
    )


def test_a_recall_is_bounded_by_dates(memory: ProjectMemory) -> None:
    made(memory, "first")
    assert memory.recall(order="recent", after="2026-03", before="2026-03-01").answers
    assert not memory.recall(order="recent", after="2026-03-02").answers


def same(name: str, **fields: object) -> dict[str, object]:
    return {"op": "create", "memory": draft(id=name, **fields)}


def test_two_memories_of_one_text_are_not_made_in_one_batch(memory: ProjectMemory) -> None:
    loud = draft()["description"].upper()
    with pytest.raises(MemoryExists) as caught:
        memory.apply([same("first-one"), same("other-one", description=loud)])
    assert str(caught.value) == (
        "memory 'first-one' has the same text; extend it with an update, or allow the duplicate "
        "(--allow-duplicate)"
    )
    assert caught.value.__notes__ == ["in operation 1"]
    assert memory.memory_ids() == []
    allowed = {**same("other-one"), "allow_duplicate": True}
    memory.apply([same("first-one"), allowed])
    assert memory.memory_ids() == ["first-one", "other-one"]


@pytest.mark.parametrize(
    "before",
    [
        {"op": "update", "id": "first-one", "patch": {"remembered_facts": ["another one"]}},
        {"op": "archive", "id": "first-one"},
        {"op": "delete", "id": "first-one"},
    ],
)
def test_a_text_that_a_batch_gives_up_is_free(memory: ProjectMemory, before: dict) -> None:
    memory.create(draft(id="first-one"))
    with pytest.raises(MemoryExists):
        memory.apply([same("other-one"), before])
    memory.apply([before, same("other-one")])
    assert "other-one" in memory.memory_ids()


def test_a_text_that_a_batch_takes_up_is_taken(memory: ProjectMemory) -> None:
    memory.create(draft(id="first-one", description="a lesson about something else entirely"))
    memory.archive("first-one")
    text = draft()["description"]
    taken = [
        {"op": "update", "id": "first-one", "patch": {"description": text}},
        {"op": "unarchive", "id": "first-one"},
        {"op": "rename", "id": "first-one", "new_id": "premier"},
    ]
    with pytest.raises(MemoryExists) as caught:
        memory.apply([*taken, same("other-one")])
    assert caught.value.memory_id == "premier"
    memory.apply([taken[0], same("other-one")])
