"""What the schema accepts, what is said about the rest, and that two validators agree on it."""

from __future__ import annotations

import copy
import json
import unicodedata
from typing import Any

import pytest
from factories import document, draft
from hypothesis import given, settings
from hypothesis import strategies as st

from project_memory import documents, validation
from project_memory.model import Problem, Severity
from project_memory.validation import schemas

FIELDS = (
    "known: schema_version, id, status, status_reason, description, labels, tags, scope, "
    "triggers, remembered_facts, solution_pattern, pitfalls, standing, checks, evidence, "
    "relationships"
)
PATH = "path or glob relative to the repository, with forward slashes"


def evidence(**fields: Any) -> dict[str, Any]:
    return {"created_from_task": "a test", "last_validated": "2026-01-31", **fields}


def said(value: Any, *, stored: bool = False) -> list[str]:
    """Return what is said about a document: path, message, code."""
    problems = validation.check_document(value, stored=stored)
    return [f"{p.path}: {p.message} [{p.code}]" for p in problems]


# -- what is valid -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"standing": True},
        {"status_reason": "it was measured again"},
        {"description": "x" * 20},
        {"description": "x" * 500},
        {"description": "  \n" + "x" * 500 + " "},
        {"description": "e\u0301" * 300},
        {"description": "two lines\nand a\ttab in them"},
        {"tags": ["bReplicates", "C++", "東京"]},
        {"remembered_facts": ["a", {"fact": "b"}, {"fact": "c", "status": "assumption"}]},
        {"remembered_facts": [
            {"fact": "b", "status": "verified", "verified_at": "2024-02-29", "source": "log"}
        ]},
        {"evidence": evidence(created="2023-04-01", related_doc="docs/a.md")},
        {"evidence": evidence(created="2023-04-01T08:00:00Z")},
        {"evidence": evidence(created="2023-04-01T08:00:00.123456789+00:00")},
        {"scope": {"project": "demo", "files": ["src/**/*.py", "a..b/c"]}},
        {"scope": {"project": "demo", "reach": "everywhere"}},
        {"checks": [
            {"type": "file_absent", "path": "a"},
            {"type": "text_present", "path": "a", "text": "b"},
            {"type": "dependency", "requirement": "numpy>=2"},
        ]},
        {"relationships": {"related": [{"id": "abc", "reason": "ten letters"}]}},
        {"relationships": {"contradicts": [{"id": "abc", "reason": "no"}]}},
        {"relationships": {"depends_on": [{"id": "abc"}], "supersedes": ["def"]}},
    ],
)  # fmt: skip
def test_a_document_may_have(fields: dict[str, Any]) -> None:
    assert said(document(**fields)) == []


def test_an_older_document_of_13_fields_is_valid() -> None:
    older = document(relationships={})
    older["relationships"] = {"related": [], "supersedes": [], "superseded_by": []}
    older["scope"] = {"project": "demo"}
    assert len(older) == 13
    assert validation.is_valid(older)
    assert said(older, stored=True) == []


def test_a_draft_needs_three_fields() -> None:
    assert validation.check_draft(draft()) == []
    assert validation.check_draft({}) == [
        Problem(
            "schema-required",
            "'description' and 'labels' and 'remembered_facts' are missing",
        )
    ]


# -- what is wrong, and how it is said -----------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": "Not_kebab"}, "$.id: 'Not_kebab' is no kebab-case id [schema-pattern]"),
        ({"id": "abc\n"}, "$.id: 'abc\\n' is no kebab-case id [schema-pattern]"),
        ({"id": "ab"}, "$.id: 'ab' has 2 characters; at least 3 are needed [schema-min-length]"),
        ({"id": 7}, "$.id: 7 is not of type string [schema-type]"),
        ({"id": ""}, "$.id: the text is blank [blank-string]"),
        (
            {"status": "new"},
            "$.status: 'new' is not one of 'active', 'stale', 'superseded', 'wrong' [schema-enum]",
        ),
        ({"schema_version": 2}, "$.schema_version: 2 is not 1 [schema-const]"),
        (
            {"description": "short"},
            "$.description: 'short' has 5 characters; at least 20 are needed "
            "[schema-min-length]",
        ),
        (
            {"description": "short" + " " * 30},
            f"$.description: 'short{' ' * 30}' has 5 characters; at least 20 are needed "
            "[schema-min-length]",
        ),
        (
            {"description": "x" * 501},
            f"$.description: '{'x' * 75}...' has 501 characters; at most 500 are allowed "
            "[schema-max-length]",
        ),
        ({"description": " \u3000\n"}, "$.description: the text is blank [blank-string]"),
        ({"description": "\ufeff" * 30}, "$.description: the text is blank [blank-string]"),
        ({"description": None}, "$.description: null is not of type string [schema-type]"),
        (
            {"description": "a text with NUL \0 in it"},
            "$.description: control character U+0000 [control-character]",
        ),
        (
            {"description": "a text that tells more to programs\U000e0072\U000e006d"},
            "$.description: invisible character U+E0072 [control-character]",
        ),
        (
            {"tags": ["seen\U000e007f"]},
            "$.tags[0]: invisible character U+E007F [control-character]",
        ),
        (
            {"description": "half a pair \ud800 is here"},
            "$.description: half of a surrogate pair is no character [lone-surrogate]",
        ),
        ({"tags": ["a\nb"]}, "$.tags[0]: control character U+000A [control-character]"),
        ({"tags": ["a", "a"]}, "$.tags: an entry is given twice [schema-unique-items]"),
        ({"tags": ["a", None]}, "$.tags[1]: null is not of type string [schema-type]"),
        ({"labels": []}, "$.labels: 0 entries; at least 1 are needed [schema-min-items]"),
        (
            {"labels": [f"a:{n}" for n in range(25)]},
            "$.labels: 25 entries; at most 24 are allowed [schema-max-items]",
        ),
        (
            {"labels": ["Bug"]},
            "$.labels[0]: 'Bug' is no label of the form prefix:kebab-case [schema-pattern]",
        ),
        (
            {"remembered_facts": [7]},
            "$.remembered_facts[0]: 7 is no string or object with its own status "
            "[schema-any-of]",
        ),
        (
            {"remembered_facts": [{"fact": "a", "status": "verified"}]},
            "$.remembered_facts[0]: 'verified_at' and 'source' are missing [schema-required]",
        ),
        (
            {"remembered_facts": [{"fact": "a", "status": "verified", "source": "b"}]},
            "$.remembered_facts[0]: 'verified_at' is missing [schema-required]",
        ),
        (
            {"checks": [{"type": "text_absent", "path": "a"}]},
            "$.checks[0]: 'text' is missing [schema-required]",
        ),
        ({"checks": [{}]}, "$.checks[0]: 'type' is missing [schema-required]"),
        (
            {"scope": {"project": "demo", "files": ["/etc"]}},
            f"$.scope.files[0]: '/etc' is no {PATH} [schema-pattern]",
        ),
        (
            {"scope": {"project": "demo", "files": ["a/../b"]}},
            f"$.scope.files[0]: 'a/../b' is no {PATH} [schema-pattern]",
        ),
        (
            {"evidence": evidence(last_validated="2026-02-30")},
            "$.evidence.last_validated: '2026-02-30' is no real calendar date [schema-format]",
        ),
        (
            {"evidence": evidence(last_validated="2026-2-3")},
            "$.evidence.last_validated: '2026-2-3' is no real calendar date [schema-pattern]",
        ),
        (
            {"evidence": evidence(created="2026-01-31T09:30:00+02:00")},
            "$.evidence.created: '2026-01-31T09:30:00+02:00' is no date or UTC timestamp "
            "[schema-any-of]",
        ),
        (
            {"evidence": evidence(related_doc="docs/a.txt")},
            "$.evidence.related_doc: 'docs/a.txt' is no relative path of a Markdown file "
            "[schema-pattern]",
        ),
        (
            {"relationships": {"related": [{"id": "abc", "reason": "short"}]}},
            "$.relationships.related[0].reason: 'short' has 5 characters; at least 10 are "
            "needed [schema-min-length]",
        ),
        (
            {"relationships": {"related": ["abc"]}},
            "$.relationships.related[0]: 'abc' is not of type object [schema-type]",
        ),
        (
            {"relationships": {"supersedes": ["A"]}},
            "$.relationships.supersedes[0]: 'A' is no kebab-case id [schema-pattern]",
        ),
    ],
)  # fmt: skip
def test_a_fault_is_said_once(fields: dict[str, Any], message: str) -> None:
    assert said(document(**fields)) == [message]


@pytest.mark.parametrize(
    ("field", "fix"),
    [("descripton", "did you mean 'description'?"), ("xyzzy", FIELDS), ("\0", FIELDS)],
)
def test_an_unknown_field_names_the_nearest(field: str, fix: str) -> None:
    (problem,) = validation.check_document(document(**{field: 1}))
    shown = "\\x00" if field == "\0" else field
    assert (problem.code, problem.message) == ("unknown-field", f"unknown field '{shown}'")
    assert (problem.path, problem.fix) == (f"$.{shown}", fix)


def test_half_a_surrogate_pair_in_the_name_of_a_field_is_found() -> None:
    (problem,) = validation.check_document(document(**{"a\ud800": 1}))
    assert (problem.code, problem.path) == ("lone-surrogate", "$.a\\ud800")


def test_half_a_surrogate_pair_is_found_wherever_it_stands() -> None:
    for number in range(len(places(RICH))):
        value = copy.deepcopy(RICH)
        container, key = places(value)[number]
        if isinstance(container[key], str):
            container[key] += "\udc00"
            assert [p.code for p in validation.check_document(value)] == ["lone-surrogate"]


def test_every_fault_is_said_in_the_order_of_the_fields() -> None:
    broken = document(pitfalls=[""], id="A", labels=["a:b", "c"], scope={"project": "", "x": 1})
    assert [p.path for p in validation.check_document(broken)] == [
        "$.id", "$.labels[1]", "$.scope.project", "$.scope.x", "$.pitfalls[0]"
    ]  # fmt: skip


@pytest.mark.parametrize("value", [None, 7, "text", [], [{}]])
def test_what_is_no_object_is_said_to_be_none(value: Any) -> None:
    (problem,) = validation.check_document(value)
    assert problem.code == "schema-type"
    assert problem.message.endswith(" is not of type object")


def test_lengths_and_counts_of_older_documents_are_warnings() -> None:
    older = document(
        description="x" * 600, tags=[f"t{n}" for n in range(40)], remembered_facts=["y" * 3000]
    )
    problems = validation.check_document(older, stored=True)
    assert [p.code for p in problems] == [
        "schema-max-length", "schema-max-items", "schema-max-length"
    ]  # fmt: skip
    assert {p.severity for p in problems} == {Severity.WARNING}
    assert {p.severity for p in validation.check_document(older)} == {Severity.ERROR}


@pytest.mark.parametrize("fields", [{"description": " "}, {"status": "new"}, {"x": 1}])
def test_other_faults_of_older_documents_stay_errors(fields: dict[str, Any]) -> None:
    (problem,) = validation.check_document(document(**fields), stored=True)
    assert problem.severity is Severity.ERROR


def test_a_document_may_have_64_kib_and_no_more() -> None:
    room = document(triggers=["x" * 2000] * 32)
    spare = 65_536 - len(_compact(room))
    full = document(triggers=["x" * 2000] * 32, solution_pattern=["y" * (spare - 2)])
    assert len(_compact(full)) == 65_536
    assert said(full) == []
    over = document(triggers=["x" * 2000] * 32, solution_pattern=["y" * (spare - 1)])
    assert said(over) == [
        "$: the document has 65,537 bytes; at most 65,536 are allowed [oversize]"
    ]


def test_size_counts_bytes_not_characters() -> None:
    assert [p.code for p in validation.check_document(document(triggers=["é" * 1100] * 32))] == [
        "oversize"
    ]


@pytest.mark.parametrize("size", [2_000_000])
def test_a_text_of_two_megabytes_is_named_without_repeating_it(size: int) -> None:
    problems = validation.check_document(document(description="x" * size))
    assert [p.code for p in problems] == ["schema-max-length", "oversize"]
    assert all(len(p.message) < 200 for p in problems)


def test_deep_nesting_is_a_problem_and_no_crash() -> None:
    deep: Any = "a"
    for _ in range(50_000):
        deep = [deep]
    assert said(document(tags=deep)) == ["$: nested too deep to be a document [too-deep]"]


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), b"bytes", {1: 2}],
    ids=["nan", "infinity", "bytes", "key"],
)
def test_what_json_cannot_hold_is_a_problem_and_no_crash(value: Any) -> None:
    assert [p.path for p in validation.check_document(document(standing=value))] == ["$.standing"]


def test_a_number_of_too_many_digits_is_a_problem_and_no_crash() -> None:
    assert said(document(standing=10**5000)) == ["$: a number has over 4,300 digits [too-large]"]


# -- whole files ---------------------------------------------------------------------------------


def test_a_registry_is_checked_by_its_schema() -> None:
    assert validation.check_form({"schema_version": 1, "labels": {"a:b": {}}}, "labels") == []
    (problem,) = validation.check_form(
        {"schema_version": 1, "labels": {"a:b": {"aliases": "c:d"}}}, "labels"
    )
    assert (problem.path, problem.message) == (
        "$.labels.a:b.aliases", "'c:d' is not of type array"
    )  # fmt: skip


# -- two validators, one verdict -----------------------------------------------------------------

TEXTS = st.one_of(
    st.text(max_size=30),
    st.text(st.sampled_from("ab-:.0TZ/\\ \n\t\0\x85\u00a0\u2028\ufeffé"), max_size=12),
    st.sampled_from(
        [
            *("", " ", "abc", "a" * 600, "../a", "a/b.md", "C:/a", "~a", "verified", "everywhere"),
            *("2026-01-31", "2026-02-30", "0000-01-01", "2024-02-29", "20260131", "2026-01-31\n"),
            *("2026-01-31T09:30:00Z", "2026-01-31T24:00:00Z", "2016-12-31T23:59:60Z"),
            *("2026-01-31T09:30:00.5+00:00", "2026-01-31 09:30:00Z", "2026-W05-6"),
        ]
    ),
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
JUNK = st.one_of(
    SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(TEXTS, SCALARS, max_size=3)
)
RICH = document(
    status_reason="it was measured again",
    standing=True,
    tags=["bReplicates"],
    triggers=["it fails"],
    solution_pattern=["do it"],
    pitfalls=["do not"],
    remembered_facts=[
        "plain",
        {"fact": "a", "key": "k", "status": "verified", "verified_at": "2026-01-31",
         "source": "log", "expires": "2027-01-31"},
    ],
    checks=[{"type": "text_present", "path": "src/*.py", "text": "x"}],
    scope={"project": "demo", "area": "build", "files": ["a/b"], "applies_to": ["x"],
           "reach": "project"},
    evidence=evidence(created="2026-01-31T09:30:00Z", source="log", related_doc="a.md",
                      commit="abc", confidence="low"),
    relationships={"related": [{"id": "abc", "reason": "ten letters"}], "supersedes": ["def"],
                   "depends_on": [{"id": "ghi", "reason": "so"}]},
)  # fmt: skip


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return (container, key) of everything inside a value."""
    match value:
        case dict():
            pairs = list(value.items())
        case list():
            pairs = list(enumerate(value))
        case _:
            return []
    return [place for key, item in pairs for place in [(value, key), *places(item)]]


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """Return a rich document with up to three values replaced, added or taken away."""
    value = copy.deepcopy(RICH)
    for _ in range(draw(st.integers(0, 3))):
        found = places(value)
        container, key = found[draw(st.integers(0, len(found) - 1))]
        match draw(st.sampled_from(["replace", "text", "remove", "add"])):
            case "replace":
                container[key] = draw(JUNK)
            case "text":
                container[key] = draw(TEXTS)
            case "remove":
                del container[key]
            case "add" if isinstance(container, dict):
                container[draw(TEXTS)] = draw(JUNK)
            case _:
                container.append(draw(JUNK))
    return value


@settings(deadline=None)  # the first example loads the slow validator
@given(damaged())
def test_both_validators_give_the_same_verdict(value: Any) -> None:
    for schema in ("memory", "draft"):
        fast, slow = schemas.fast(schema).is_valid(value), schemas.slow(schema).is_valid(value)
        assert fast == slow


@settings(deadline=None)  # the first example loads the slow validator
@given(damaged())
def test_a_document_is_valid_or_something_is_said_about_it(value: Any) -> None:
    assert validation.is_valid(RICH)
    errors = [p for p in validation.check_document(value) if p.severity is Severity.ERROR]
    if validation.is_valid(value):
        assert errors == []
    elif not validation.is_valid(documents.cleaned(value)):
        assert errors
    assert len({(p.path, p.message) for p in errors}) == len(errors)
    said = "".join(f"{p.path}{p.message}{p.memory}" for p in errors)
    assert [c for c in said if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}] == []


ODD = {"Zs", "Zl", "Zp", "Cf", "Cc"}


def test_both_validators_agree_on_every_character() -> None:
    odd = (chr(n) for n in range(0x300, 0x10000) if unicodedata.category(chr(n)) in ODD)
    for character in (*map(chr, range(0x100)), *odd):
        scope = {"project": character, "files": [character]}
        value = document(tags=[character], scope=scope, pitfalls=[character])
        found = schemas.fast("memory").is_valid(value), schemas.slow("memory").is_valid(value)
        assert found[0] == found[1], repr(character)


def _compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
