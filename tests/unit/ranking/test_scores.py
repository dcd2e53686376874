"""Formulas against hand calculations and networkx."""

from __future__ import annotations

import math

import networkx
import numpy as np
import pytest
from scipy import sparse

from project_memory.ranking import bm25, fuse, names, phrases, proximity
from project_memory.ranking.walk import Steps, walk


def test_bm25_of_one_term_by_hand() -> None:
    # three documents of 2, 4 and 0 terms; the term stands once in the first, twice in the second
    lengths = np.array([2, 4, 0])
    norms = bm25.length_norms(lengths, 0.6)
    assert norms == pytest.approx([0.4 + 0.6 * 2 / 3, 0.4 + 0.6 * 4 / 3, 0.4])
    weighted = np.array([1 / norms[0], 2 / norms[1]])
    by_hand = [x * 2.2 / (x + 1.2) for x in (1 / 0.8, 2 / 1.2)]
    assert bm25.saturated(weighted) == pytest.approx(by_hand)
    assert bm25.idf(np.array([2]), 3)[0] == pytest.approx(math.log(1 + 1.5 / 2.5))


def test_adjacent_and_near_terms_by_hand() -> None:
    # "1 2" stand together in the first document, 3 places apart in the second, then too far
    texts = [[1, 2, -1], [1, 9, 9, 2, -1], [1, *[9] * 8, 2, -1]]
    owners = np.repeat(np.arange(3), [len(text) for text in texts])
    lengths = np.array([2, 4, 10])
    adjacent, near = proximity.scores(
        np.concatenate(texts).astype(np.int32), owners, lengths, [(1, 2)], n=3, average=16 / 3
    )
    norm = [0.25 + 0.75 * length / (16 / 3) for length in lengths]
    one = [(1 / x) * 2.2 / (1 / x + 1.2) for x in norm]
    assert adjacent == pytest.approx([one[0] * math.log(1 + 2.5 / 1.5), 0, 0])
    rare = math.log(1 + 1.5 / 2.5)
    assert near == pytest.approx([one[0] * rare, one[1] * rare, 0])


def random_steps(rng: np.random.Generator, n: int, h: int) -> Steps:
    held = rng.random((n, h)) < 0.3
    held[0] = False  # a memory without hubs
    to_hubs = sparse.csr_array(held * rng.random((n, h)))
    to_memories = sparse.csr_array(held.T * rng.random((h, n)))
    links = np.triu(rng.random((n, n)) < 0.15, 1) * rng.random((n, n))
    links[0] = links[:, 0] = 0  # ... and without links: dangling
    return Steps(to_hubs, to_memories, sparse.csr_array(links + links.T))


def graph_of(steps: Steps, bias: np.ndarray) -> networkx.DiGraph:
    """Return the one-step graph between memories, written down edge by edge."""
    hubs, back, links = (m.toarray() for m in (steps.to_hubs, steps.to_memories, steps.links))
    n, h = hubs.shape
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(n))
    for a in range(n):
        linked = sum(links[a, b] * bias[b] for b in range(n))
        hubbed = hubs[a].sum()
        share = (0.5 if hubbed else 1.0) if linked else 0.0
        for b in range(n):
            weight = share * links[a, b] * bias[b] / linked if linked else 0.0
            for x in range(h):
                out = sum(back[x, c] * bias[c] for c in range(n))
                if hubbed and out:
                    weight += (1 - share) * hubs[a, x] / hubbed * back[x, b] * bias[b] / out
            if weight:
                graph.add_edge(a, b, weight=weight)
    return graph


@pytest.mark.parametrize("seed", range(5))
def test_the_walk_converges_to_pagerank_with_dangling_mass_at_the_seeds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 12
    steps, bias = random_steps(rng, n, 6), 0.2 + rng.random(n)
    seeds = np.zeros(n)
    seeds[[0, 3]] = [0.4, 0.6]
    personal = dict(enumerate(seeds))
    expected = networkx.pagerank(
        graph_of(steps, bias), alpha=0.5, personalization=personal, dangling=personal, tol=1e-12
    )
    rank = walk(steps, seeds, bias, alpha=0.5, iterations=60)
    assert rank == pytest.approx([expected[i] for i in range(n)], abs=1e-9)


def test_a_graph_without_edges_leaves_the_seeds() -> None:
    empty = Steps(sparse.csr_array((3, 0)), sparse.csr_array((0, 3)), sparse.csr_array((3, 3)))
    seeds = np.array([0.0, 1.0, 0.0])
    assert walk(empty, seeds, np.ones(3)) == pytest.approx(seeds)


def test_seeds_are_sharp_and_names_share() -> None:
    lexical, none = np.array([4.0, 2.0, 0.0]), np.zeros(3)
    assert fuse.seeds(lexical, none) == pytest.approx([128 / 129, 1 / 129, 0])
    named = fuse.seeds(lexical, np.array([0.0, 0.0, 5.0]))
    assert named == pytest.approx([0.4 * 128 / 129, 0.4 / 129, 0.6])
    assert fuse.seeds(none, none) == pytest.approx(none)


def test_the_best_rows_are_cut_after_ties_by_row() -> None:
    assert list(fuse.best(np.array([1.0, 3.0, 1.0, 0.0, 1.0]), 3)) == [1, 0, 2]


def test_without_a_walk_the_order_is_lexical() -> None:
    lexical = np.array([1.0, 4.0, 2.0])
    assert list(np.argsort(-fuse.fused(np.zeros(3), lexical))) == [1, 2, 0]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Teutberga", "teutberga"),
        ("Theodred II (Bishop of Elmham)", "theodred ii"),
        ("sqlite-locked", "sqlite locked"),
        ("the", None),
        ("42", None),
        ("ab", None),
        ("", None),
        ("a sentence that goes on for much longer than any name would do", None),
    ],
)
def test_the_canonical_form_of_a_name(text: str, name: str | None) -> None:
    assert names.canonical(text) == name


def test_the_longest_name_at_a_place_is_mentioned() -> None:
    known = {"sqlite": {"sqlite", "sqlite locked"}}
    text = names.words("When SQLite locked, sqlite's file stays")
    assert names.mentioned(text, known) == ["sqlite locked", "sqlite"]


def test_phrases_and_identifiers_of_prose() -> None:
    text = "The Bank of England asked Ada. See `open_store`, src/app.py and HTTPServer or main()."
    assert set(phrases.phrases(text)) >= {"bank of england", "ada"}
    assert set(phrases.identifiers(text)) == {"open_store", "src/app.py", "main"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("def paste(xsel=False):\n    return run(['xclip'])", True),
        ("The writer holds the lock (a long one) until it commits.", False),
        ("", False),
    ],
)
def test_code_is_told_from_prose(text: str, code: bool) -> None:
    assert phrases.is_code(text) is code
