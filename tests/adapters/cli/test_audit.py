"""``audit`` at the command line."""

from __future__ import annotations

import json


def test_a_superseded_memory_is_found_with_what_would_put_it_right(store) -> None:
    store("link", "second", "supersedes", "first")
    code, out, err = store("audit", "--check", "superseded-removable")
    assert (code, err) == (0, "2 memories audited: 0 errors, 0 warnings, 1 note\n")
    assert out == (
        "note\tsuperseded-removable\tfirst\tsuperseded by 'second'; archive it\tarchive\n"
    )


def test_the_report_names_the_checks_that_were_made(store) -> None:
    report = json.loads(store("audit", "--check", "label-unused", "--json")[1])
    assert report["checks"] == ["label-unused"]
    assert report["store"]["project"] == "demo"


def test_an_unknown_check_is_answered_with_the_known_ones(store) -> None:
    code, out, err = store("audit", "--check", "no-such")
    assert (code, out) == (2, "")
    assert err.startswith("error: no check 'no-such'; choose from secret, contradiction, ")
