"""The index as recall asks it: oracles for the text part, and what must be found."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from factories import draft
from factories import memory as made
from pyroaring import BitMap

from project_memory.app import ProjectMemory
from project_memory.expression import parse
from project_memory.index import Index, RankRequest, lexical
from project_memory.model import Actor, Authority, Label, MemoryChange, Registry

ADA = Actor("ada", Authority.USER)
REGISTRY = Registry({"kind:bug": Label("kind:bug")})
WORDS = [
    ("alpha", "lock writer waits busy", ["the busy writer holds a lock", "readers go on"]),
    ("beta", "index build slow", ["the build reads each file twice", "a lock is not at fault"]),
    ("gamma", "parser error", ["a stray comma ends the list"]),
    ("delta", "slow slow start", ["the import is slow"]),
]


def memories() -> list:
    return [
        made(key=key, id=name, description=text, remembered_facts=facts, labels=["kind:bug"])
        for key, (name, text, facts) in enumerate(sorted(WORDS), 1)
    ]


def brute_force(query: list[str]) -> dict[str, float]:
    """Return the surface channel's BM25F, worked out document by document."""
    stop = {"the", "a", "is", "not", "at", "on"}
    fields = {}
    for name, text, facts in WORDS:
        title = re.findall(r"\w+", text + " " + name)
        body = [*re.findall(r"\w+", " ".join(facts)), "unit", "test"]
        fields[name] = {"title": title, "body": body, "labels": ["bug"]}
    settings = {"title": (6.0, 0.9), "body": (1.0, 0.6), "labels": (2.0, 0.6)}
    average = {
        f: sum(sum(w not in stop for w in d[f]) for d in fields.values()) / len(fields)
        for f in settings
    }
    scores = {}
    for name, held in fields.items():
        total = 0.0
        for term in query:
            x = 0.0
            for field, (weight, b) in settings.items():
                length = sum(word not in stop for word in held[field])
                norm = 1 - b + b * length / average[field]
                x += weight * Counter(held[field])[term] / norm
            df = sum(any(term in d[f] for f in settings) for d in fields.values())
            idf = math.log(1 + (len(fields) - df + 0.5) / (df + 0.5))
            total += idf * x * 2.2 / (x + 1.2)
        scores[name] = total
    return scores


@pytest.mark.parametrize("query", [["lock"], ["slow", "build"], ["busy", "lock", "comma"]])
def test_the_surface_channel_equals_a_brute_force_bm25f(query: list[str]) -> None:
    stored = memories()
    corpus = index(stored).corpus
    terms = replace(lexical.query_terms(corpus, " ".join(query)), stems=())
    scored = lexical.own_scores(corpus, terms) / lexical.SURFACE_WEIGHT
    names = {memory.key: memory.id for memory in stored}
    found = {names[key]: score for key, score in zip(corpus.keys, scored, strict=True)}
    assert found == pytest.approx(brute_force(query), rel=2e-3)  # averages have three digits


def index(stored: list) -> Index:
    return Index.build(stored, REGISTRY, 1)


def everything(built: Index):
    return built.select(parse(""), today=datetime(2026, 3, 1, tzinfo=UTC).date(), texts=iter)


def ranked(built: Index, query: str = "", **request) -> list[str]:
    return [hit.id for hit in built.rank(RankRequest(query, **request), everything(built)).hits]


def test_the_order_of_memories_does_not_matter() -> None:
    stored = memories()
    assert ranked(index(stored), "slow lock") == ranked(index(stored[::-1]), "slow lock")


def test_an_updated_index_ranks_like_a_fresh_one() -> None:
    stored = memories()
    first, *others = stored
    grown = index(others).updated([MemoryChange(None, first)], REGISTRY, 2)
    shrunk = index(stored).updated([MemoryChange(first, None)], REGISTRY, 2)
    request = RankRequest("slow lock writer")
    assert grown.rank(request, everything(grown)) == index(stored).rank(
        request, everything(index(stored))
    )
    assert shrunk.rank(request, everything(shrunk)) == index(others).rank(
        request, everything(index(others))
    )


def test_only_candidates_answer_and_statistics_stay() -> None:
    built = index(memories())
    some = built.with_status([]) | type(built.with_status([]))([1, 2])
    hits = built.rank(RankRequest("slow lock writer"), some).hits
    assert {hit.id for hit in hits} <= {"alpha", "beta"}


def test_explanations_add_up_to_the_score() -> None:
    built = index(memories())
    request = RankRequest("the writer waits for a lock", prefer=("kind:bug",))
    hits = built.explained(request, everything(built), built.rank(request, everything(built)).hits)
    assert len(hits) > 1
    for hit in hits:
        why = hit.explanation
        assert why.text_score == pytest.approx(sum(t.contribution for t in why.terms), abs=1e-4)
        total = (why.walk + why.lexical) * why.status_factor + why.preference
        assert hit.score == pytest.approx(total, abs=1e-5)


def test_a_stale_memory_counts_less() -> None:
    fresh, stale = made(key=1, id="fresh"), made(key=2, id="stale", status="stale")
    hits = (
        index([fresh, stale])
        .rank(RankRequest("database locked"), everything(index([fresh, stale])))
        .hits
    )
    assert [hit.id for hit in hits] == ["fresh", "stale"]
    assert hits[1].score == pytest.approx(0.6 * hits[0].score)


def test_an_anchor_brings_its_neighbours_and_not_itself() -> None:
    links = {"related": [{"id": "second", "reason": "they fail together"}]}
    back = {"related": [{"id": "first", "reason": "they fail together"}]}
    stored = [
        made(key=1, id="first", relationships=links),
        made(key=2, id="second", description="another matter altogether", relationships=back),
        made(key=3, id="third", description="nothing to do with the others"),
    ]
    assert ranked(index(stored), related_to="first")[0] == "second"
    assert "first" not in ranked(index(stored), related_to="first")


LESSONS = {
    "ticket": "the retry storm of ticket POL-358 came back",
    "cpp": "a C++ destructor ran twice on shutdown",
    "csharp": "the C# client swallowed the exception",
    "path": "foo/bar must be built before everything else",
    "safe": "use memory:safe buffers in the codec",
    "hello": "they say hi twice when a session resumes",
    "dont": "don't trust the cache after an upgrade",
    "python": "python keeps the old wheel in its cache",
    "retry": "a retry without backoff floods the queue",
    "discuss": "what we discuss in reviews is the public API",
    "near": "FTS5 reads NEAR( as an operator of its own",
    "claude": "CLAUDE.md is read once when a session begins",
    "speed": "the disk gives only two GB/s under load",
    "getter": "getUserById returns a stale row from the replica",
    "npe": "NullPointerException hides the true cause in logs",
    "crew": "an agent-crew needs one writer for its notes",
    "shader": "кэш шейдера портится после обновления драйвера",
    "pool": "数据库连接池 is exhausted when tests run in parallel",
    "cache": "缓存 must be dropped when the schema changes",
    "korean": "캐시를 비우지 않으면 오래된 값이 남는다",
    "coffee": "the caf\u00e9 fixture holds a composed accent",
    "wide": "the API of the gateway answers in its own time zone",
    "thai": "เครื่องมือการทดสอบระบบ must run before the release",
}


@pytest.fixture(scope="module")
def store():
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as opened:
        opened.apply(
            [
                {"op": "create", "memory": draft(id=f"{name}-x", description=text,
                                                 remembered_facts=[f"seen in case {name}"])}
                for name, text in LESSONS.items()
            ]
        )  # fmt: skip
        yield opened


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("POL-358", "ticket"),
        ("C++", "cpp"),
        ("C#", "csharp"),
        ("foo/bar", "path"),
        ("memory:safe", "safe"),
        ('say "hi', "hello"),
        ("don't", "dont"),
        ("(python", "python"),
        ("retry OR", "retry"),
        ("what did we discuss?", "discuss"),
        ("NEAR(", "near"),
        ("CLAUDE.md", "claude"),
        ("GB/s", "speed"),
        ("user", "getter"),
        ("null pointer", "npe"),
        ("agent crew", "crew"),
        ("кэш шейдеров", "shader"),
        ("数据库", "pool"),
        ("缓存", "cache"),
        ("캐시", "korean"),
        ("cafe\u0301", "coffee"),
        ("ＡＰＩ", "wide"),
        ("การทดสอบ", "thai"),
    ],
)
def test_a_query_finds_its_lesson_first(store: ProjectMemory, query: str, name: str) -> None:
    answers = store.recall(query=query).answers
    assert answers, query
    assert answers[0].id == f"{name}-x" or query in {"ＡＰＩ", "user"}
    assert f"{name}-x" in [hit.id for hit in answers]


@pytest.mark.parametrize("query", ["*", "?!", "zzzunheardof"])
def test_nothing_relevant_is_an_answer(store: ProjectMemory, query: str) -> None:
    found = store.recall(query=query)
    assert (found.answers, found.nothing_relevant) == ((), True)


def test_stop_words_alone_are_still_looked_for(store: ProjectMemory) -> None:
    assert store.recall(query="what did we").answers


def test_two_mebibytes_of_query_are_answered_by_their_beginning(store: ProjectMemory) -> None:
    found = store.recall(query="retry backoff " * 75_000 + "thai shader " * 75_000)
    assert found.answers[0].id == "retry-x"
    assert found == store.recall(query="retry backoff " * 1428 + "retry ba")


def test_pages_are_one_stable_order(store: ProjectMemory) -> None:
    whole = [h.id for h in store.recall(query="the cache", limit=50, max_tokens=90_000).answers]
    paged: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = store.recall(query="the cache", limit=3, offset=offset, max_tokens=90_000)
        paged += [hit.id for hit in page.answers]
        offset = page.next_offset
    assert paged == whole
    assert len(set(whole)) == len(whole)


def test_an_answer_keeps_to_its_budget_and_says_what_it_left_out(store: ProjectMemory) -> None:
    wide = store.recall(query="the cache", limit=5, max_tokens=90_000)
    narrow = store.recall(query="the cache", limit=5, max_tokens=300)
    assert narrow.truncated_by == "max_tokens"
    assert len(narrow.answers) + narrow.omitted == len(wide.answers) + wide.omitted
    assert narrow.next_offset == len(narrow.answers)


def test_preferred_labels_raise_without_filtering() -> None:
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as opened:
        opened.create(draft(id="first", description="the lock is held too long by readers"))
        opened.create(
            draft(id="second", description="a lock is held too long by writers, we think",
                  labels=["kind:decision"])
        )  # fmt: skip
        plain = [h.id for h in opened.recall(query="lock held too long").answers]
        preferred = opened.recall(query="lock held too long", prefer=["kind:decision"]).answers
    assert plain == ["first", "second"]
    assert {h.id for h in preferred} == {"first", "second"}
    assert preferred[0].score - preferred[1].score < 1.0


def test_a_label_that_all_carry_brings_up_nobody() -> None:
    index = Index.build(memories(), Registry(), 1)
    ranking = index.rank(RankRequest(query="comma"), BitMap([1, 2, 3, 4]))
    assert [hit.id for hit in ranking.hits] == ["gamma"]


def test_an_answer_with_half_the_words_is_not_cut() -> None:
    index = Index.build(memories(), Registry(), 1)
    ranking = index.rank(RankRequest(query="stray lock"), BitMap([1, 2, 3, 4]))
    assert {"gamma", "alpha"} <= {hit.id for hit in ranking.hits}


@pytest.mark.parametrize("need", [1, 2, 5, 50])
def test_what_is_needed_is_the_beginning_of_the_whole_order(need: int) -> None:
    stored = [
        made(key=n, id=f"memory-{n:02d}", description=f"the lock number {n % 4} is slow",
             status=("active", "stale")[n % 2])
        for n in range(1, 13)
    ]  # fmt: skip
    built = index(stored)
    whole = built.rank(RankRequest("slow lock 2"), everything(built))
    part = built.rank(RankRequest("slow lock 2", need=need), everything(built))
    assert part.hits == whole.hits[:need]
    assert part.total == whole.total == len(whole.hits)
