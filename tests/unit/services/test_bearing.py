"""What bears on a prompt is told without being asked for, and hardly anything is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.index import Index, direct, lexical
from project_memory.model import Actor, Authority
from project_memory.services import bearing, snapshots
from project_memory.services.asking import checked_query

ADA = Actor("ada", Authority.USER)
TEXTS = {
    "locked": "Two writers see 'database is locked' when the nightly import runs",
    "flaky": "The payment test is flaky while the sandbox rotates its certificates",
    "zip": "Zip archives need an explicit timestamp, or builds differ",
    "locale": "Sorting by locale differs between the container and a laptop",
}
OTHERS = {
    "german": "Die nächtlichen Sicherungen überschreiben ältere Sicherungen auf dem Laufwerk",
    "chinese": "数据库在夜间导入时被锁定，因为两个写入者同时运行",
    "again": "The import of the nightly archives differs when two writers rotate certificates",
}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(snapshots, "folder", lambda: tmp_path / "cache")
    with ProjectMemory.open(
        str(tmp_path / "memory.db"), project="demo", actor=ADA, create=True
    ) as opened:
        for name, text in TEXTS.items():
            opened.create(draft(id=name, description=text, remembered_facts=[f"{name} it is"]))
        yield opened


def told(store: ProjectMemory, words: str) -> list[str]:
    return [hit.id for hit in store.bearing(words)]


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("why is the database locked again at night?", ["locked"]),
        ("database is locked", ["locked"]),
        ("certificates", ["flaky"]),
        ("please rename this function and its test, then commit", []),
        ("add a sandbox for the new designers", []),  # one word of a sentence
        ("yes", []),
        ("and then?", []),
        ("", []),
        ("???", []),
        ("naïve 数据库 \ud800 query", []),
    ],
)
def test_only_what_shares_words_enough_is_told(store, words: str, ids: list[str]) -> None:
    # once by the index, then by the words that were kept from it
    assert (told(store, words), told(store, words)) == (ids, ids)


def test_at_most_three_are_told_with_their_texts(store) -> None:
    words = ["quokka", "wombat", "numbat", "bilby"]
    for first, second in zip(words, [*words[1:], words[0]], strict=True):
        store.create(draft(id=first, description=f"Where a {first} meets a {second}"))
    hits = store.bearing(" ".join(words))
    assert len(hits) == 3
    assert all(hit.memory for hit in hits)


def test_prompts_are_looked_up_as_they_are_ranked() -> None:
    assert bearing.HEAVIEST == direct.HEAVIEST
    assert bearing.MOST_REPEATS == lexical.MAX_REPEATS
    assert bearing.SINGLE_WEIGHT == lexical.SINGLE_WEIGHT
    assert bearing.CAUTIOUS < direct.SHARE


def test_what_the_words_rule_out_the_index_would_not_have_told(store, tmp_path: Path) -> None:
    for name, text in OTHERS.items():
        store.create(draft(id=name, description=text, remembered_facts=[f"{name}: {text}"]))
    store.delete("zip")
    words = " ".join((*TEXTS.values(), *OTHERS.values(), "unheard quokkas 一 数据")).split()
    chance = random.Random(7)
    told(store, "database is locked")  # keeps the words
    silent = 0
    for _ in range(300):
        prompt = " ".join(chance.choices(words, k=chance.randint(1, 9)))
        with store._storage.read() as reader:
            key = store._project.key
            if bearing.least(prompt) and not bearing.could_bear(reader, key, prompt):
                silent += 1
                found = store._recalled(checked_query(query=prompt, **bearing.ASKED))
                assert bearing.chosen(found, store._index(reader), prompt) == (), prompt
    assert 50 < silent < 250


def test_an_outdated_memory_gives_its_place_to_its_successor(store) -> None:
    store.create(draft(id="better", description="Queue the writers, one after the other"))
    store.link("better", "supersedes", "locked")
    assert told(store, "the nightly import says database is locked") == ["better"]


def test_a_wrong_memory_is_told_as_wrong(store) -> None:
    store.set_status("locked", "wrong", reason="it was the disk")
    (hit,) = store.bearing("the nightly import says database is locked")
    assert hit.banner is not None


def test_nothing_is_counted(store) -> None:
    store.bearing("database is locked")
    store.bearing("unheard of quokkas everywhere")
    store.settle()
    assert store.usage().questions == 0
    assert store.gaps().gaps == ()


def test_a_prompt_without_an_answer_needs_no_index(store, monkeypatch) -> None:
    told(store, "database is locked")
    monkeypatch.setattr(Index, "rank", None)
    assert told(store, "please rename this function and its test, then commit") == []


def test_what_was_stored_since_is_found(store) -> None:
    assert told(store, "quokkas escape at midnight") == []
    store.create(draft(id="quokka", description="Quokkas escape when the gate is unlocked"))
    assert told(store, "quokkas escape at midnight") == ["quokka"]


def test_a_damaged_or_missing_file_of_words_changes_no_answer(store, tmp_path: Path) -> None:
    told(store, "database is locked")
    (path,) = (tmp_path / "cache").glob("*.words")
    whole = path.read_bytes()
    for content in (b"", b"{}\n", whole[:-3], b"not json\n" + whole):
        path.write_bytes(content)
        assert told(store, "database is locked") == ["locked"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_purge_takes_the_words_too(store, tmp_path: Path) -> None:
    told(store, "database is locked")
    assert list((tmp_path / "cache").glob("*.words"))
    store.purge("locked")
    assert list((tmp_path / "cache").glob("*.words")) == []


def test_words_of_other_languages_are_found(store) -> None:
    store.create(
        draft(
            id="german",
            description="Die nächtlichen Sicherungen überschreiben ältere Sicherungen",
            remembered_facts=["die Sicherungen liegen auf einem einzigen Laufwerk"],
        )
    )
    words = "warum fehlt die nächtliche Sicherung vom Montag?"
    assert (told(store, words), told(store, words)) == (["german"], ["german"])


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("", 0),
        ("the and of", 0),
        ("locked", 1),
        ("database locked", 2),
        ("my database locked", 2),
        ("what does this function do?", 2),
        ("imports, locks, databases, writers, nights and disks", 3),
    ],
)  # fmt: skip
def test_a_sentence_must_share_more_than_a_word(words: str, count: int) -> None:
    assert bearing.least(words) == count
