import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from project_memory.ranking.walk import Steps, walk

MANY = 400


def steps(to_hubs, owns, links):
    """Return the graph of dense matrices: weight of each tie, whether it owns the hub, links."""
    out, links = np.array(to_hubs, float), np.array(links, float)
    memories, hubs = np.nonzero(out)
    back = 1.0 + 99.0 * np.array(owns, float)[memories, hubs]
    ends = np.nonzero(links)
    return Steps(*out.shape, memories, hubs, out[memories, hubs], back, *ends, links[ends])


def dense(graph: Steps):
    """Return the matrices (memory, hub), (hub, memory) and (memory, memory) of a graph."""
    hubs, back, links = (
        np.zeros((graph.n, graph.h)), np.zeros((graph.h, graph.n)), np.zeros((graph.n, graph.n))
    )  # fmt: skip
    hubs[graph.memories, graph.hubs] = graph.out
    back[graph.hubs, graph.memories] = graph.back
    links[graph.sources, graph.targets] = graph.links
    return hubs, back, links


def expected(graph: Steps, seeds, bias, alpha):
    """Return networkx's PageRank of the same chain, its rows worked out one by one."""
    hubs, back, links = dense(graph)
    n = len(seeds)
    chain = nx.DiGraph()
    chain.add_nodes_from(range(n))
    for m in range(n):
        row = np.zeros(n)
        through, along = hubs[m].sum(), (links[m] * bias).sum()
        for hub in np.flatnonzero(hubs[m]):
            into = back[hub] * bias
            row += hubs[m, hub] / through * into / into.sum() * (0.5 if along else 1.0)
        if along:
            row += links[m] * bias / along * (0.5 if through else 1.0)
        chain.add_weighted_edges_from((m, int(k), row[k]) for k in np.flatnonzero(row))
    start = dict(enumerate(seeds))
    rank = nx.pagerank(
        chain, alpha=alpha, personalization=start, dangling=start, tol=1e-13, max_iter=2000
    )
    return [rank[m] for m in range(n)]


@st.composite
def graphs(draw):
    n, h = draw(st.integers(1, 7)), draw(st.integers(1, 5))
    cells = st.lists(st.sampled_from([0, 0, 1, 2.5]), min_size=n * h, max_size=n * h)
    hubs = np.reshape(draw(cells), (n, h))
    flags = st.lists(st.booleans(), min_size=n * h, max_size=n * h)
    owns = np.reshape(draw(flags), (n, h))
    weights = st.lists(st.sampled_from([0, 0, 0.5, 1.0]), min_size=n * n, max_size=n * n)
    half = np.triu(np.reshape(draw(weights), (n, n)), 1)
    mass = st.lists(st.integers(0, 5), min_size=n, max_size=n).filter(any)
    seeds = np.array(draw(mass), float)
    bias = np.array(draw(st.lists(st.sampled_from([0.2, 0.7, 1.2]), min_size=n, max_size=n)))
    return steps(hubs, owns, half + half.T), seeds / seeds.sum(), bias


@given(graphs(), st.sampled_from([0.5, 0.85]))
def test_the_walk_converges_to_personalised_pagerank(case, alpha):
    graph, seeds, bias = case
    rank = walk(graph, seeds, bias, alpha=alpha, iterations=MANY)
    assert rank == pytest.approx(expected(graph, seeds, bias, alpha), abs=1e-9)


def test_a_walk_without_edges_stays_at_its_seeds():
    graph = steps([[0], [0]], [[0], [0]], [[0, 0], [0, 0]])
    rank = walk(graph, np.array([0.25, 0.75]), np.ones(2))
    assert rank == pytest.approx([0.25, 0.75])


def test_mass_goes_to_the_owner_of_a_name():
    # 0 mentions a name that 1 owns and 2 mentions as well; one step, so that the shares are seen
    graph = steps([[1], [1], [1]], [[0], [1], [0]], np.zeros((3, 3)))
    rank = walk(graph, np.array([1.0, 0, 0]), np.ones(3), iterations=1)
    assert rank == pytest.approx([0.5 + 0.5 / 102, 0.5 * 100 / 102, 0.5 / 102])


def test_links_carry_half_of_what_leaves_a_memory_with_hubs():
    graph = steps([[1, 0], [0, 1], [1, 0]], np.zeros((3, 2)), [[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    rank = walk(graph, np.array([1.0, 0, 0]), np.ones(3), iterations=1)
    # half by the link to 1; half by the hub, shared by 0 and 2
    assert rank == pytest.approx([0.5 + 0.5 * 0.25, 0.5 * 0.5, 0.5 * 0.25])


def test_steps_prefer_what_the_query_matches():
    graph = steps([[1], [1], [1]], np.zeros((3, 1)), np.zeros((3, 3)))
    rank = walk(graph, np.array([1.0, 0, 0]), np.array([0.2, 1.2, 0.2]), iterations=1)
    assert rank == pytest.approx([0.5 + 0.5 * 0.2 / 1.6, 0.5 * 1.2 / 1.6, 0.5 * 0.2 / 1.6])


def test_no_mass_is_lost():
    graph = steps([[1, 0], [1, 2], [0, 0]], [[0, 0], [1, 0], [0, 0]], np.zeros((3, 3)))
    rank = walk(graph, np.array([0.2, 0.3, 0.5]), np.array([0.2, 0.4, 1.2]))
    assert rank.sum() == pytest.approx(1.0)


def test_the_order_of_edges_matters_only_to_rounding():
    graph = steps([[1, 2], [3, 1], [0.1, 0.7]], np.zeros((3, 2)), np.ones((3, 3)) - np.eye(3))
    turned = Steps(
        graph.n, graph.h, *(each[::-1] for each in (graph.memories, graph.hubs, graph.out,
        graph.back, graph.sources, graph.targets, graph.links))
    )  # fmt: skip
    seeds = np.array([0.7, 0.2, 0.1])
    assert walk(turned, seeds, np.ones(3)) == pytest.approx(walk(graph, seeds, np.ones(3)))
