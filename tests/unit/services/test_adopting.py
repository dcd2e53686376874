"""What other programs remember becomes memories: with origin, once, and nothing half."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from factories import draft
from malformed import FOREIGN, database

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput, NotFound, UnknownLabel
from project_memory.exchange.foreign import IMPORTERS, item, tree
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"


class Clock:
    """Tells a day, and can be moved on."""

    now = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> Iterator[ProjectMemory]:
    with ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=clock
    ) as project:
        yield project


def fixture(name: str, folder: Path) -> Path:
    """Return the file or folder of a format."""
    if name in {"schist", "project-memory-mcp"}:
        path = folder / f"{name}.db"
        database(name)(path)
        return path
    found = {"agents-md": "CLAUDE.md", "markdown-list": "lessons.md", "mem0": "mem0.json",
             "mcp-memory": "mcp-memory.jsonl", "obsidian": "vault"}  # fmt: skip
    return FOREIGN / found.get(name, name)


def outcomes(report: Any) -> list[tuple[str, str, str | None]]:
    return [(each.source, each.outcome, each.id) for each in report.items]


def revision(memory: ProjectMemory) -> int:
    return memory.stats().store.revision


def entities(path: Path, *values: dict[str, Any]) -> Path:
    shape = {"type": "entity", "entityType": "note", "observations": []}
    path.write_text("\n".join(json.dumps(shape | value) for value in values), encoding="utf-8")
    return path


WHAT = {
    "mcp-memory": [
        ("mcp-memory.jsonl:1", "payments-service"),
        ("mcp-memory.jsonl:2", "idempotency-key-lost-on-retry"),
        ("mcp-memory.jsonl:3", "zahlungs-dienst-arger"),
        ("mcp-memory.jsonl:4", "empty-entity"),
    ],
    "agents-md": [
        ("CLAUDE.md:1", "shop"),
        ("CLAUDE.md:7", "commands"),
        ("CLAUDE.md:18", "gotchas"),
        ("CLAUDE.md:28", "testing-fixtures"),
    ],
    "cursor": [
        ("always.mdc:1", "answer-in-english-whatever-the-issue-is-written-in"),
        ("typescript.mdc:1", "rules-for-components-of-the-shop"),
    ],
    "obsidian": [
        ("Decisions/One queue for all jobs.md:1", "one-queue-for-all-jobs"),
        ("Payment worker.md:1", "payment-worker"),
    ],
    "basic-memory": [
        ("Payment Worker.md:1", "payment-worker"),
        ("design/Job Queue.md:1", "job-queue"),
    ],
    "project-memory-mcp": [
        ("project-memory-mcp.db:1", "keep-the-idempotency-key-in-the-job"),
        ("project-memory-mcp.db:3", "no-double-charge-in-four-weeks"),
        ("project-memory-mcp.db:4", "send-the-key-that-the-first-attempt-sent"),
        ("project-memory-mcp.db:5", "the-provider-drops-keys-after-24-hours"),
    ],
    "schist": [
        ("schist.db:1", "a-full-text-query-rejects-hyphens-quote-the-word-or-take-them-out"),
        ("schist.db:2", "the-review-of-row-level-security-is-still-pending"),
        ("schist.db:3", "merged"),
    ],
    "mem0": [
        ("mem0.json:3", "prefers-small-pull-requests-with-one-idea-each"),
        ("mem0.json:16", "the-staging-database-is-reset-every-sunday-night"),
        ("mem0.json:28", "tests-of-the-payment-worker-need-the-queue-on-port-5673"),
    ],
    "markdown-list": [
        ("lessons.md:5", "the-queue-loses-jobs-above-64-kib"),
        ("lessons.md:8", "restart-the-worker-after-a-migration"),
        ("lessons.md:9", "the-staging-database-is-reset-on-sundays"),
        ("lessons.md:13", "a-retry-made-a-new-idempotency-key"),
    ],
}


@pytest.mark.parametrize("name", IMPORTERS)
def test_a_file_of_each_format_becomes_memories_and_a_second_import_changes_nothing(
    memory: ProjectMemory, clock: Clock, tmp_path: Path, name: str
) -> None:
    path = fixture(name, tmp_path)
    tried = memory.import_path(path, form=name, dry_run=True)
    assert revision(memory) == 1
    first = memory.import_path(path, form=name)
    assert outcomes(first) == outcomes(tried)
    assert outcomes(first) == [(source, "created", made) for source, made in WHAT[name]]
    done = revision(memory)
    clock.now += timedelta(days=40)
    again = memory.import_path(path, form=name)
    assert outcomes(again) == [(source, "unchanged", made) for source, made in WHAT[name]]
    assert revision(memory) == done
    assert memory.validate().problems == ()
    meta = memory.get(WHAT[name][0][1]).meta
    assert (meta.asserted_by, meta.author) == (Authority.IMPORT, "ada")


@pytest.mark.parametrize("name", sorted(IMPORTERS.keys() - {"markdown-list"}))
def test_the_format_shows_by_itself(memory: ProjectMemory, tmp_path: Path, name: str) -> None:
    assert memory.import_path(fixture(name, tmp_path), dry_run=True).format == name


def shown(memory: ProjectMemory, name: str) -> dict[str, Any]:
    return dict(memory.get(name).memory)


def linked(memory: ProjectMemory, name: str) -> dict[str, Any]:
    return {kind: held for kind, held in shown(memory, name)["relationships"].items() if held}


def test_an_entity_carries_its_observations_type_relations_and_origin(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.import_path(fixture("mcp-memory", tmp_path), shown="notes/mcp-memory.jsonl")
    found = shown(memory, "payments-service")
    assert found["description"] == "payments service: charges cards through one queue"
    assert found["remembered_facts"] == [
        "charges cards through one queue",
        "a retry must carry the same idempotency key",
        "deploys on Tuesdays only",
    ]
    assert (found["labels"], found["tags"]) == (["kind:observation"], ["component"])
    assert found["evidence"] == {
        "created_from_task": "import from mcp-memory",
        "last_validated": "2026-12-01",
        "source": "mcp-memory: notes/mcp-memory.jsonl:1 (payments service)",
    }
    assert shown(memory, "idempotency-key-lost-on-retry")["labels"] == ["kind:bug"]
    assert linked(memory, "idempotency-key-lost-on-retry") == {
        "caused_by": [{"id": "payments-service"}]
    }
    assert linked(memory, "zahlungs-dienst-arger") == {
        "related": [
            {"id": "payments-service", "reason": "Zahlungs-Dienst Ärger is about payments service"}
        ]
    }


def test_joined_lines_and_dangling_relations_of_the_server_are_read(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    one = '{"type":"entity","name":"queue depth","entityType":"fact","observations":["it grows"]}'
    two = '{"type":"relation","from":"queue depth","to":"gone","relationType":"uses"}'
    (tmp_path / "memory.json").write_text(f"{one}{two}", encoding="utf-8")
    report = memory.import_path(tmp_path / "memory.json")
    assert outcomes(report) == [("memory.json:1", "created", "queue-depth")]
    assert report.repairs == (
        "memory.json:1: 'queue depth' uses 'gone': there is no entity 'gone'; left out",
    )


def test_names_that_differ_in_case_alone_are_told_apart(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    path = entities(
        tmp_path / "graph.jsonl",
        {"name": "Queue", "observations": ["the queue of jobs"]},
        {"name": "queue", "observations": ["the module that holds it"]},
        {"type": "relation", "from": "Queue", "to": "queue", "relationType": "uses"},
    )
    memory.import_path(path)
    found = [name for name in memory.memory_ids() if linked(memory, name).get("depends_on")]
    assert len(found) == 1
    (link,) = linked(memory, found[0])["depends_on"]
    assert {found[0], link["id"]} == set(memory.memory_ids())


def test_a_section_carries_its_points_and_what_it_warns_of(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    report = memory.import_path(fixture("agents-md", tmp_path))
    assert report.repairs == (
        "CLAUDE.md:5: '@docs/architecture.md' names a file to read too; import it by itself",
    )
    commands, gotchas = shown(memory, "commands"), shown(memory, "gotchas")
    assert commands["description"] == "Commands: Run the tests: make test"
    assert commands["labels"] == ["kind:workflow"]
    assert commands["remembered_facts"] == [
        "Run the tests:\n```sh\nmake test\n```",
        "`make run` needs the queue on port 5673",
        "`make deploy` works from main only",
    ]
    assert (
        gotchas["pitfalls"]
        == gotchas["remembered_facts"]
        == [
            "The staging database is reset every Sunday night\n- so keep nothing there",
            "Never edit `generated/` by hand",
        ]
    )


def test_a_folder_of_an_agent_s_memory_is_one_memory_for_each_topic(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    (tmp_path / "MEMORY.md").write_text(
        "# Memory\n\n- [Tests](feedback_tests.md) - real databases\n- [Api](api.md) - the API\n"
    )
    (tmp_path / "feedback_tests.md").write_text(
        "---\nname: feedback-tests\ndescription: Integration tests use a real database\n"
        "metadata:\n  type: feedback\n---\nMocks hid a broken migration.\n\n## How\n\n- start it\n"
    )
    (tmp_path / "api.md").write_text(
        '---\npaths:\n  - "src/api/**/*.ts"\n---\n# API\n\n## Errors\n\n- use the helper\n'
    )
    report = memory.import_path(tmp_path)
    assert report.format == "agents-md"
    assert [(each.source, each.original, each.id) for each in report.items] == [
        ("api.md:7", "API > Errors", "errors"),
        ("feedback_tests.md:1", "Integration tests use a real database",
         "integration-tests-use-a-real-database"),
    ]  # fmt: skip
    assert report.repairs == ("MEMORY.md:1: an index of other files; import its folder",)
    topic = shown(memory, "integration-tests-use-a-real-database")
    assert topic["remembered_facts"] == ["Mocks hid a broken migration.", "start it"]
    assert topic["tags"] == ["feedback"]
    assert shown(memory, "errors")["scope"]["files"] == ["src/api/**/*.ts"]


def test_a_rule_carries_its_globs_and_only_a_person_makes_it_standing(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    report = memory.import_path(fixture("cursor", tmp_path))
    rule = shown(memory, "rules-for-components-of-the-shop")
    assert rule["scope"]["files"] == ["src/**/*.{ts,tsx}", "*.mts"]
    assert rule["remembered_facts"] == ["Name a component like its file", "No default exports"]
    always = "answer-in-english-whatever-the-issue-is-written-in"
    assert "standing" not in shown(memory, always)
    assert report.repairs == (
        f"'{always}' came as a standing rule; only a person can make it one here",
    )
    assert [p.operations for p in memory.inbox().proposals] == [
        ({"op": "update", "id": always, "patch": {"standing": True}},)
    ]


def test_a_vault_carries_tags_days_and_links_and_keeps_what_is_private(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.add_label("area:queue")
    vault = tmp_path / "vault"
    shutil.copytree(FOREIGN / "vault", vault)
    (tmp_path / "outside.md").write_text("elsewhere", encoding="utf-8")
    (vault / "linked.md").symlink_to(tmp_path / "outside.md")
    (vault / "private").chmod(0)
    report = memory.import_path(vault)
    (vault / "private").chmod(0o700)
    found = shown(memory, "one-queue-for-all-jobs")
    assert found["labels"] == ["area:queue", "kind:observation"]
    assert found["tags"] == ["backend", "ordering"]
    assert found["evidence"]["last_validated"] == found["evidence"]["created"] == "2026-09-30"
    assert [each["id"] for each in linked(memory, "payment-worker")["related"]] == [
        "one-queue-for-all-jobs"
    ]
    assert report.repairs == (
        "linked.md: a symbolic link; not followed",
        "private/: private; not opened",
        "Empty.md:1: the note says nothing; left out",
        "Decisions/One queue for all jobs.md:1: 'Decisions/One queue for all jobs' links to "
        "'Nowhere': nothing of that name was taken; left out",
    )


def test_observations_and_relations_of_a_note_become_facts_and_links(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.import_path(fixture("basic-memory", tmp_path))
    assert shown(memory, "job-queue")["remembered_facts"] == [
        "Jobs are taken by one worker at a time.",
        "decision: The queue keeps failed jobs for a week #retention",
        "limit: A job may hold 64 KiB (measured in October)",
    ]
    assert shown(memory, "job-queue")["tags"] == ["queue", "backend", "retention"]
    assert linked(memory, "payment-worker") == {
        "contradicts": [{"id": "job-queue", "reason": "the queue never restarts"}],
        "required_by": [{"id": "job-queue"}],
    }


def test_a_row_carries_type_tags_confidence_and_document(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    report = memory.import_path(fixture("schist", tmp_path))
    found = shown(memory, WHAT["schist"][0][1])
    assert found["labels"] == ["kind:lesson", "project:shop", "topic:fts5"]
    assert found["evidence"] == {
        "created_from_task": "import from schist",
        "last_validated": "2026-11-03",
        "created": "2026-11-03",
        "source": "schist: schist.db:1 (agent_memory 1)",
        "related_doc": "notes/full-text.md",
        "confidence": "high",
    }
    assert shown(memory, "merged")["description"] == "Merged (imported from schist.db)"
    assert report.repairs[0] == "schist.db: agent_state holds values, not lessons; 1 left out"


def test_a_lesson_of_the_peer_carries_when_and_why_and_what_taught_it(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    report = memory.import_path(fixture("project-memory-mcp", tmp_path))
    found = shown(memory, "send-the-key-that-the-first-attempt-sent")
    assert (found["labels"], found["triggers"]) == (["kind:lesson"], ["a job is retried"])
    assert found["pitfalls"] == ["refunds have no key"]
    assert found["remembered_facts"] == [
        "because: the provider tells retries by it",
        "do: Send the key that the first attempt sent",
        "exceptions: refunds have no key",
        "when: a job is retried",
        "work: Stop double charges",
    ]
    assert linked(memory, found["id"]) == {
        "related": [
            {"id": "keep-the-idempotency-key-in-the-job", "reason": "the decision that taught it"}
        ]
    }
    assert report.repairs == (
        "project-memory-mcp.db: 1 of kind 'action' tell of work, not of lessons; left out",
    )


def test_a_memory_of_mem0_carries_what_stands_beside_it(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.import_path(fixture("mem0", tmp_path))
    found = shown(memory, "prefers-small-pull-requests-with-one-idea-each")
    assert found["remembered_facts"] == [
        "Prefers small pull requests with one idea each",
        "source: chat",
        "user_id: ada",
    ]
    assert found["tags"] == ["preference"]
    assert shown(memory, "the-staging-database-is-reset-every-sunday-night")["labels"] == [
        "context:deployment",
        "kind:observation",
    ]


def test_a_secret_is_refused_by_itself(memory: ProjectMemory, tmp_path: Path) -> None:
    path = entities(
        tmp_path / "memory.jsonl",
        {"name": "the queue is slow at night"},
        {"name": "access to staging", "observations": [f"the token is {TOKEN}"]},
        {"name": "the worker restarts at midnight"},
    )
    report = memory.import_path(path)
    assert [(each.outcome, each.id, each.why) for each in report.items] == [
        ("created", "the-queue-is-slow-at-night", None),
        ("refused", None, "$.description looks like a secret (rule 'github-token'); say "
         "where the secret lives, not its value"),
        ("created", "the-worker-restarts-at-midnight", None),
    ]  # fmt: skip
    assert not report.passed
    assert TOKEN not in str(report)


def test_what_says_the_same_is_told_as_a_duplicate_and_links_lead_to_what_is_here(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    words = "The queue loses jobs above 64 KiB"
    memory.create(draft(id="known", description=words, remembered_facts=[words]))
    (tmp_path / "notes.md").write_text(f"- {words}\n- {words.upper()}\n- another lesson here\n")
    report = memory.import_path(tmp_path / "notes.md", form="markdown-list")
    assert outcomes(report) == [
        ("notes.md:1", "duplicate", "known"),
        ("notes.md:2", "duplicate", "known"),
        ("notes.md:3", "created", "another-lesson-here"),
    ]


def test_near_duplicates_are_told(memory: ProjectMemory, tmp_path: Path) -> None:
    words = "The queue loses every job that is larger than sixty four kibibytes of payload"
    memory.create(draft(id="known", description=words, remembered_facts=[words]))
    (tmp_path / "notes.md").write_text(f"- {words} today\n")
    report = memory.import_path(tmp_path / "notes.md", form="markdown-list")
    assert [(near.twin, near.id) for near in report.receipt.near_duplicates] == [
        ("known", report.created[0])
    ]


def test_a_changed_source_updates_what_changed_and_lines_that_moved_change_nothing(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("# Shop\n\n## Queue\n- it is slow\n\n## Worker\n- it restarts\n")
    memory.import_path(path)
    path.write_text("# Shop\n\n\n\n## Queue\n- it is slow at night\n\n## Worker\n- it restarts\n")
    report = memory.import_path(path)
    assert outcomes(report) == [
        ("AGENTS.md:5", "updated", "queue"),
        ("AGENTS.md:8", "unchanged", "worker"),
    ]
    assert shown(memory, "worker")["evidence"]["source"] == (
        "agents-md: AGENTS.md:6 (Shop > Worker)"
    )


def test_what_was_edited_here_is_not_taken_back(memory: ProjectMemory, tmp_path: Path) -> None:
    path = entities(tmp_path / "memory.jsonl", {"name": "the queue is slow at night"})
    memory.import_path(path)
    memory.update("the-queue-is-slow-at-night", {"pitfalls": ["look at the disk"]})
    report = memory.import_path(path)
    assert outcomes(report) == [("memory.jsonl:1", "kept", "the-queue-is-slow-at-night")]


def test_a_memory_renamed_here_is_known_by_its_origin(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    path = entities(tmp_path / "memory.jsonl", {"name": "the queue is slow at night"})
    memory.import_path(path)
    memory.rename("the-queue-is-slow-at-night", "slow-queue")
    assert outcomes(memory.import_path(path)) == [("memory.jsonl:1", "unchanged", "slow-queue")]


def test_an_id_that_another_memory_has_gets_a_suffix_that_stays(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.create(draft(id="queue-depth"))
    path = entities(tmp_path / "memory.jsonl", {"name": "queue depth"}, {"name": "Queue: depth"})
    first = memory.import_path(path)
    made = [each.id for each in first.items]
    assert [name.rpartition("-")[0] for name in made if name] == ["queue-depth", "queue-depth"]
    assert len({"queue-depth", *made}) == 3
    assert [each.id for each in memory.import_path(path).items] == made
    assert memory.import_path(path).unchanged == 2


def test_a_purged_text_stays_away_and_the_rest_goes_in(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    path = entities(tmp_path / "memory.jsonl", {"name": "the queue is slow at night"})
    memory.import_path(path)
    memory.purge("the-queue-is-slow-at-night", leave_copies=True)
    entities(path, {"name": "the queue is slow at night"}, {"name": "the worker restarts daily"})
    assert [(each.outcome, each.why) for each in memory.import_path(path).items] == [
        ("refused", "a memory of this text was purged here"),
        ("created", None),
    ]


def test_relations_in_a_circle_become_related(memory: ProjectMemory, tmp_path: Path) -> None:
    (tmp_path / "memory.jsonl").write_text(
        '{"type":"entity","name":"the first service","entityType":"t","observations":[]}\n'
        '{"type":"entity","name":"the second service","entityType":"t","observations":[]}\n'
        '{"type":"relation","from":"the first service","to":"the second service",'
        '"relationType":"dependsOn"}\n'
        '{"type":"relation","from":"the second service","to":"the first service",'
        '"relationType":"requires"}\n'
        '{"type":"relation","from":"the first service","to":"the first service",'
        '"relationType":"is"}\n'
    )
    report = memory.import_path(tmp_path / "memory.jsonl")
    assert linked(memory, "the-first-service") == {
        "depends_on": [{"id": "the-second-service"}],
        "related": [
            {"id": "the-second-service",
             "reason": "the second service requires the first service"}
        ],
    }  # fmt: skip
    assert report.repairs == (
        "memory.jsonl:1: 'the first service' is 'the first service': a link to itself; left out",
        "memory.jsonl:2: 'the second service' requires 'the first service': would close a "
        "circle; taken as related",
    )


def test_what_says_more_than_a_memory_holds_becomes_several(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    facts = [f"fact number {number} of a long story" for number in range(150)]
    facts.append("a long word " * 400)
    path = entities(tmp_path / "memory.jsonl", {"name": "a long story", "observations": facts})
    report = memory.import_path(path)
    made = [each.id for each in report.items]
    assert made == ["a-long-story", "a-long-story-part-2", "a-long-story-part-3"]
    told = [fact for name in made for fact in shown(memory, str(name))["remembered_facts"]]
    assert told[:150] == facts[:150]
    assert " ".join(told[150:]) == facts[150].strip()
    assert all(len(fact) <= 2000 for fact in told)
    assert linked(memory, "a-long-story-part-3") == {
        "related": [{"id": "a-long-story", "reason": "goes on where the first part ends"}]
    }
    assert memory.import_path(path).unchanged == 3
    assert memory.validate().problems == ()


def test_of_a_prefix_that_allows_one_label_the_others_become_tags(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.set_single("kind")
    (tmp_path / "vault").mkdir()
    front = "---\ntags: [kind/bug, decision]\n---\n"
    (tmp_path / "vault" / "Two kinds of it.md").write_text(f"{front}It says a thing.\n")
    memory.import_path(tmp_path / "vault", form="obsidian")
    found = shown(memory, "two-kinds-of-it")
    assert (found["labels"], found["tags"]) == (["kind:bug"], ["kind:decision"])


def test_strict_refuses_labels_that_are_not_registered(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    with pytest.raises(UnknownLabel) as error:
        memory.import_path(fixture("schist", tmp_path), strict=True)
    assert error.value.label == "project:shop"
    assert revision(memory) == 1


def test_what_is_not_clear_is_asked_for(memory: ProjectMemory, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("- a lesson\n")
    with pytest.raises(InvalidInput) as error:
        memory.import_path(tmp_path / "notes.md")
    assert str(error.value) == (
        "the file 'notes.md' does not show of which format it is; say it with --from: "
        "agents-md, markdown-list, obsidian, basic-memory"
    )
    with pytest.raises(InvalidInput) as error:
        memory.import_path(tmp_path)
    assert str(error.value) == (
        f"the folder '{tmp_path.name}' does not show of which format it is; say it with --from: "
        "obsidian, basic-memory, cursor"
    )


def test_a_folder_for_a_format_of_files_and_a_folder_without_any_are_refused(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput) as error:
        memory.import_path(tmp_path, form="mem0")
    assert str(error.value) == (
        f"'{tmp_path.name}' is a folder, and an export of mem0 is one file; name that"
    )
    with pytest.raises(InvalidInput) as error:
        memory.import_path(tmp_path, form="obsidian")
    assert str(error.value) == (
        f"the folder '{tmp_path.name}' holds no file that ends in .md; name another"
    )
    with pytest.raises(NotFound) as missing:
        memory.import_path(tmp_path / "gone", form="obsidian")
    assert str(missing.value) == (
        f"nothing at '{tmp_path}/gone'; name a directory of memories or an export file"
    )


def test_bounds_of_files_and_folders_are_told(
    memory: ProjectMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "MAX_FILES", 1)
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "b.md").write_text("b")
    with pytest.raises(InvalidInput) as error:
        memory.import_path(tmp_path, form="obsidian")
    assert str(error.value) == (
        f"'{tmp_path.name}' holds more than 1 files; import its folders one by one"
    )
    (tmp_path / "b.md").unlink()
    deep = tmp_path.joinpath(*["d"] * 33)
    deep.mkdir(parents=True)
    with pytest.raises(InvalidInput) as error:
        memory.import_path(tmp_path, form="obsidian")
    assert str(error.value) == (
        f"'{'d/' * 33}' lies 33 folders deep; at most 32 are read: import a folder further down"
    )
    assert (item.MAX_FILE, item.MAX_ITEMS) == (64 * 1024 * 1024, 20_000)


def test_a_database_is_read_with_its_log_and_left_as_it_is(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    import sqlite3

    path = fixture("schist", tmp_path)
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute(
        "INSERT INTO agent_memory VALUES (4,'ada','2026-11-06','lesson','Written a moment ago, "
        "into the log',NULL,NULL,NULL,'low','2026-11-06 10:00:00')"
    )
    writer.commit()
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    report = memory.import_path(path)
    assert report.items[-1].id == "written-a-moment-ago-into-the-log"
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    writer.close()


def test_what_no_reader_sees_stays_behind(memory: ProjectMemory, tmp_path: Path) -> None:
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    source = entities(
        tmp_path / "memory.jsonl",
        {"name": f"queue{hidden}", "observations": [f"the queue of the shop drops jobs{hidden}"]},
    )
    (told,) = memory.import_path(source, form="mcp-memory").items
    document = memory.get(str(told.id)).memory
    assert document["remembered_facts"] == ["the queue of the shop drops jobs"]
    assert not any(ord(letter) >= 0xE0000 for letter in json.dumps(document, ensure_ascii=False))
