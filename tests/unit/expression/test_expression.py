"""The language, its structured form and its errors."""

from __future__ import annotations

import threading
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from project_memory.errors import ExpressionSyntaxError
from project_memory.expression import (
    And,
    Everything,
    FieldTerm,
    LabelTerm,
    Not,
    Or,
    parse,
    text_term,
)
from project_memory.expression.tree import Node, conjunction, disjunction
from project_memory.expression.values import CHOICES

A, B, C = LabelTerm("area:a"), LabelTerm("area:b"), LabelTerm("area:c")


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("", Everything()),
        (None, Everything()),
        ("area:a", A),
        ("=area:a", LabelTerm("area:a", exact=True)),
        ("area:*", LabelTerm("area:*")),
        ("area:auth*", LabelTerm("area:auth*")),
        ("area:a area:b", And((A, B))),
        ("area:a and area:b", And((A, B))),
        ("area:a & area:b", And((A, B))),
        ("area:a OR area:b | area:c", Or((A, B, C))),
        ("area:a OR area:b area:c", Or((A, And((B, C))))),
        ("(area:a OR area:b) area:c", And((Or((A, B)), C))),
        ("NOT area:a area:b", And((Not(A), B))),
        ("-area:a", Not(A)),
        ("!area:a", Not(A)),
        ("not not area:a", Not(Not(A))),
        ("area:a area:a", A),
        ('text:"say \\"hi\\""', FieldTerm("text", 'say "hi"')),
        ("status:stale", FieldTerm("status", "stale")),
        ("file:src/**/*.py", FieldTerm("file", "src/**/*.py")),
        ("created:2026-01..2026-03", FieldTerm("created", "2026-01..2026-03")),
        ("updated:<30d", FieldTerm("updated", "<30d")),
        ("tag:bReplicates", FieldTerm("tag", "bReplicates")),
        ("orange:a", LabelTerm("orange:a")),
        ("or:a and:a not:a", And((LabelTerm("or:a"), LabelTerm("and:a"), LabelTerm("not:a")))),
        ("area:a\u00a0area:b\u3000|\x0darea:c", Or((And((A, B)), C))),
        ("area:a OR(area:b)", Or((A, B))),
        ("area:a -area:b", And((A, Not(B)))),
        ("-=area:a", Not(LabelTerm("area:a", exact=True))),
        ("tag:cafe\u0301", FieldTerm("tag", "caf\u00e9")),
        ('text:"tab\t(or) | & !"', FieldTerm("text", "tab\t(or) | & !")),
        ("author:local:ada", FieldTerm("author", "local:ada")),
        ({"all": ["area:a", {"any": ["area:b", "area:c"]}]}, And((A, Or((B, C))))),
        ({"and": ["area:a"], "or": ["area:b", "area:c"]}, And((A, Or((B, C))))),
        ({"not": ["area:a", "area:b"]}, And((Not(A), Not(B)))),
        ({"not": "area:a"}, Not(A)),
        (["area:a", "area:b"], And((A, B))),
        ({"all": []}, Everything()),
        ({}, Everything()),
    ],
)
def test_sources_and_their_trees(source: object, tree: Node) -> None:
    assert parse(source) == tree


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("retry OR",
         "expected a label or a field; for words write text:\"retry\", at position 0\n"
         "  retry OR\n  ^"),
        ("area:a OR", "expected a label, a field or '(' at position 9\n  area:a OR\n           ^"),
        ("(area:a", "expected ')' for the '(' at 0 at position 7\n  (area:a\n         ^"),
        ("area:a)",
         "expected AND, OR or the end, not ')', at position 6\n  area:a)\n        ^"),
        ("AND", "expected a label, a field or '(' at position 0\n  AND\n  ^"),
        ("area:", "expected a value after 'area:' at position 5\n  area:\n       ^"),
        ("=", "expected a label right after '=' at position 0\n  =\n  ^"),
        ("=area:*",
         "expected one whole label after '=', without '*', at position 0\n  =area:*\n  ^"),
        ("=status:active",
         "expected a label after '=', not the field status: at position 0\n  =status:active\n  ^"),
        ("-(area:a)",
         "expected a label or a field right after '-'; write NOT before '(' or a blank, "
         "at position 0\n  -(area:a)\n  ^"),
        ("area:a - area:b",
         "expected a label or a field right after '-'; write NOT before '(' or a blank, "
         "at position 7\n  area:a - area:b\n         ^"),
        ("craeted:>=2026-01-01",
         "expected prefix:kebab-case, such as 'area:auth', or a field; did you mean created:? "
         "at position 0\n  craeted:>=2026-01-01\n  ^"),
        ("area:a\0",
         "expected a character that can be printed at position 6\n  area:a\ufffd\n        ^"),
        ('text:"\ud800"',
         "expected a character that can be printed at position 6\n  text:\"\ufffd\"\n        ^"),
        ("status:bogus",
         "expected one of active, stale, superseded, wrong at position 7\n"
         "  status:bogus\n         ^"),
        ("is:archive",
         "expected one of standing, pinned, archived, any, orphan, expired "
         "(did you mean archived?) at position 3\n  is:archive\n     ^"),
        ("statu:",
         "expected a value after 'statu:'; did you mean status:? at position 6\n"
            "  statu:\n        ^"),
        ("Area:Auth",
         "expected prefix:kebab-case, such as 'area:auth', or a field at position 0\n"
         "  Area:Auth\n  ^"),
        ('text:"open', "expected a closing '\"' at position 10\n  text:\"open\n            ^"),
        ('"words"',
         'expected a field before the quotes, such as text:"...", at position 0\n'
         '  "words"\n  ^'),
        ("created:yesterday",
         "expected a date like 2026-01-31 or 2026-01, >=2026-01, 2026-01..2026-03 or an age like "
         "<30d at position 8\n  created:yesterday\n          ^"),
        ("created:2026-02-30",
         "expected a date like 2026-01-31 or 2026-01, >=2026-01, 2026-01..2026-03 or an age like "
         "<30d at position 8\n  created:2026-02-30\n          ^"),
        ({"al": ["area:a"]},
         "expected one of the keys all, any, not (did you mean all?) at position 0\n  al\n  ^"),
        ({"all": 3}, "expected a list of expressions for 'all' at position 0\n  3\n  ^"),
        (3, "expected an expression, an object or a list at position 0\n  3\n  ^"),
        ({"not": [""]}, "expected a condition to negate at position 0\n  \n  ^"),
    ],
)  # fmt: skip
def test_errors_name_the_place_and_the_remedy(source: object, message: str) -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        parse(source)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("source", "start"),
    [
        ("area:a OR " * 1000, "expected at most 4096 characters, not 10000, at position 4096\n"),
        ("area:a " * 201, "expected at most 200 terms at position 1400\n"),
        ("(" * 400 + "area:a" + ")" * 400, "expected at most 100 levels at position 100\n"),
        ("!" * 400 + "area:a", "expected at most 100 levels at position 100\n"),
        (
            "!(area:a | area:b & (" * 45 + "area:c" + "))" * 45,
            "expected at most 100 levels at position 0\n",
        ),
        (
            " ".join(f"area:{n:015}" for n in range(190)),
            "expected at most 4096 characters when written in full at position 0\n",
        ),
        (
            {"any": [f"area:a{n}" for n in range(201)]},
            "expected at most 200 terms at position 0\n",
        ),
        (
            {"any": [f"text:{'a' * 4000}", f"text:{'b' * 4000}"]},
            "expected at most 4096 characters when written in full at position 0\n",
        ),
    ],
)
def test_limits_are_errors_and_not_recursion(source: object, start: str) -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        parse(source)
    assert str(caught.value).startswith(start)


def test_deep_structures_are_refused() -> None:
    deep: object = "area:a"
    for _ in range(150):
        deep = {"all": [deep]}
    with pytest.raises(ExpressionSyntaxError) as caught:
        parse(deep)
    assert str(caught.value).startswith("expected at most 100 levels at position 0")


def test_nesting_never_depends_on_the_depth_of_the_caller() -> None:
    def called(depth: int, source: str) -> Node:
        return called(depth - 1, source) if depth else parse(source)

    deep = "!(tag:a | tag:b & "
    assert str(called(600, f"{deep * 33}tag:c{')' * 33}")).startswith("NOT (tag:a OR (tag:b AND")
    with pytest.raises(ExpressionSyntaxError):
        called(600, f"{deep * 99}tag:c{')' * 99}")


def test_words_become_one_text_term() -> None:
    assert text_term(" two\n words ") == FieldTerm("text", "two words")


words = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="\t\n\r"),
    min_size=1,
    max_size=12,
).map(lambda text: unicodedata.normalize("NFC", text))
labels = st.from_regex(r"\A[a-z]{1,4}x:[a-z0-9]{1,4}(-[a-z0-9]{1,3})?\*?\Z").map(LabelTerm)
exact = st.from_regex(r"\A[a-z]{1,4}x:[a-z0-9]{1,4}\Z").map(lambda x: LabelTerm(x, exact=True))
choices = st.sampled_from([FieldTerm(f, v) for f, vs in CHOICES.items() for v in vs])
free = st.builds(
    FieldTerm, st.sampled_from(["tag", "text", "file", "id"]), words.filter(str.strip)
)
leaves = st.one_of(labels, exact, choices, free)
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=1, max_size=3).map(conjunction),
        st.lists(inner, min_size=1, max_size=3).map(disjunction),
    ),
    max_leaves=12,
)


pieces = st.one_of(
    st.sampled_from('()!&|-="\\*:. \u00a0\v\0é'),
    st.sampled_from(["AND", "or", "Not", "retry", "area:a", "or:a", "=area:b", "not_x:y"]),
    st.sampled_from(["status:stale", 'text:"a b"', "tag:C++", "updated:<30d"]),
)


@settings(max_examples=400)
@given(st.lists(pieces, max_size=9).map("".join))
def test_any_text_is_either_an_expression_or_a_syntax_error(source: str) -> None:
    try:
        tree = parse(source)
    except ExpressionSyntaxError:
        return
    assert parse(str(tree)) == tree


def test_many_threads_may_parse_at_once() -> None:
    sources = [f"area:a{n} OR (NOT kind:b{n} status:stale)" for n in range(200)]
    parsed: dict[str, Node] = {}
    threads = [
        threading.Thread(target=lambda part=part: parsed.update((s, parse(s)) for s in part))
        for part in (sources[n::8] for n in range(8))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [str(parsed[f"area:a{n} OR (NOT kind:b{n} status:stale)"]) for n in range(200)] == [
        f"area:a{n} OR (NOT kind:b{n} AND status:stale)" for n in range(200)
    ]


@given(trees)
def test_printing_a_tree_parses_back_to_it(tree: Node) -> None:
    assert parse(str(tree)) == tree
