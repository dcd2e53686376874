"""Secrets: what is refused, what is let through, and that no value is repeated."""

from __future__ import annotations

from collections import Counter

import pytest
from secret_samples import (
    ALNUM,
    BASE64,
    HEX,
    benign,
    documented,
    drawing,
    known_forms,
    password,
    references,
    secrets,
    token,
)

from project_memory.secrets import redact, scan, scan_document

SEEDS = range(5)


def test_every_kind_of_secret_is_found() -> None:
    missed = Counter(
        name for seed in SEEDS for name, text in secrets(seed).items() if not scan(text)
    )
    # A drawn value can look like a word by chance, so one of five may pass; never a whole kind.
    assert {name: count for name, count in missed.items() if count > 1} == {}
    assert missed.total() <= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_a_known_form_is_named_by_its_rule(seed: int) -> None:
    wrong = {
        name: scan(text)
        for name, text in known_forms(drawing(seed)).items()
        if name.partition(" ")[0] not in scan(text)
    }
    assert wrong == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_benign_text_raises_no_alarm(seed: int) -> None:
    assert [text for text in benign(seed) if scan(text)] == []


@pytest.mark.parametrize("text", documented())
def test_an_example_from_a_vendors_documentation_is_no_secret(text: str) -> None:
    assert scan(text) == []


@pytest.mark.parametrize("text", references())
def test_a_value_that_says_where_the_secret_comes_from_is_no_secret(text: str) -> None:
    assert scan(text) == []


@pytest.mark.parametrize("text", ["", " ", "\n", "\0", "\ud800", "пароль", "password", "token="])
def test_text_without_a_value_is_no_secret(text: str) -> None:
    assert scan(text) == []


def test_rules_are_named_once_in_text_order() -> None:
    draw = drawing(7)
    text = f"password={draw(ALNUM, 16)} and ghp_{draw(ALNUM, 36)} and password={draw(ALNUM, 16)}"
    assert scan(text) == ["password-assignment", "github-token"]


def test_of_two_rules_over_one_value_the_more_specific_speaks() -> None:
    draw = drawing(7)
    assert scan(f"STRIPE_SECRET_KEY=sk_live_{draw(ALNUM, 24)}") == ["stripe-key"]


def test_a_capital_that_grows_in_lower_case_moves_nothing() -> None:
    value = drawing(7)(ALNUM, 16)
    assert redact(f"İİİ password={value} İ") == "İİİ password=[redacted: password-assignment] İ"


def test_redaction_hides_every_secret_and_nothing_else() -> None:
    draw = drawing(7)
    text = (
        f"Set DB_PASSWORD={password(draw)} first;\n"
        f"then curl -H 'Authorization: Bearer {draw(ALNUM, 40)}' and clone\n"
        f"https://deploy:{draw(ALNUM, 20)}@git.example.org/x.git at commit {'ab12cd34' * 5}."
    )
    assert redact(text) == (
        "Set DB_PASSWORD=[redacted: password-assignment] first;\n"
        "then curl -H 'Authorization: Bearer [redacted: bearer-token]' and clone\n"
        "https://deploy:[redacted: url-credentials]@git.example.org/x.git at commit "
        "ab12cd34ab12cd34ab12cd34ab12cd34ab12cd34."
    )


def test_signs_that_nobody_sees_hide_no_secret() -> None:
    value = f"ghp_{drawing(7)(ALNUM, 36)}"
    missed = [
        f"U+{ord(sign):04X}"
        for sign in "\u00ad\u034f\u061c\u200b\u200d\u200f\u202e\u2060\u2066\ufe0f\ufeff\U000e0041"
        for text in (value[:3] + sign + value[3:], sign.join(value))
        if scan(f"use {text} here") != ["github-token"]
        or redact(f"use {text} here") != "use [redacted: github-token] here"
    ]
    assert missed == []


def test_letters_in_another_style_hide_no_secret() -> None:
    value = f"ghp_{drawing(7)(ALNUM, 36)}"
    wide = "".join(chr(ord(sign) + 0xFEE0) for sign in value)
    bold = "".join(chr(ord(sign) - 97 + 0x1D41A) if sign.islower() else sign for sign in value)
    for text in (wide, bold):
        assert redact(f"нужен {text}!") == "нужен [redacted: github-token]!"


def test_a_sign_that_nobody_sees_before_a_secret_keeps_it_found() -> None:
    value = f"ghp_{drawing(7)(ALNUM, 36)}"
    assert redact(f"word\u200b{value}") == "word\u200b[redacted: github-token]"


@pytest.mark.parametrize("seed", SEEDS)
def test_redacted_text_holds_no_secret(seed: int) -> None:
    left = {name: redact(text) for name, text in secrets(seed).items() if scan(redact(text))}
    assert left == {}


def test_text_without_secrets_is_left_as_it_is() -> None:
    text = "\n".join(benign(0)[:40])
    assert redact(text) == text


def test_a_document_is_scanned_string_by_string() -> None:
    draw = drawing(7)
    document = {
        "description": "Deploys fail after a rotation",
        "remembered_facts": ["ok", {"fact": f"the admin password is {password(draw)}"}],
        "pitfalls": [f"use ghp_{draw(ALNUM, 36)}"],
        "relationships": {"related": [{"id": "x", "reason": "same cause as the other one"}]},
    }
    assert scan_document(document) == [
        ("$.remembered_facts[1].fact", "password-in-prose"),
        ("$.pitfalls[0]", "github-token"),
    ]


def test_a_clean_document_has_no_findings() -> None:
    assert scan_document({"description": "Tokens expire", "labels": ["kind:bug"], "n": 1}) == []


def test_the_key_of_a_json_object_announces_its_value() -> None:
    state = {"database": {"host": "db", "password": drawing(7)(ALNUM, 16)}}
    assert scan_document(state) == [("$.database.password", "password-assignment")]


def test_a_private_key_cut_into_several_strings_is_found() -> None:
    draw = drawing(7)
    lines = ["-----BEGIN RSA PRIVATE KEY-----", draw(BASE64, 64), draw(BASE64, 64)]
    assert scan_document({"remembered_facts": lines}) == [("$", "private-key")]


HOSTILE = {
    "one letter": "a" * 2_000_000,
    "keywords": "password " * 15_000,
    "assignments": "password=" * 6_000,
    "keys of many words": "api_key_secret_token_" * 4_000,
    "words after a keyword": "secret " + "a " * 1_000_000,
    "slashes": "://a:b" * 200_000 + "@",
    "colons": "://" + "a:" * 900_000 + "@",
    "token heads": "eyJ" + "eyJhbGciOi" * 150_000,
    "dots": "eyJhbGciOiJIUzI1NiJ9" + ".a" * 900_000,
    "key headers": "-----BEGIN PRIVATE KEY-----" * 8_000,
    "prefixes": "sk-ant-" * 250_000,
    "options": "curl " + "-u a" * 400_000,
    "quotes": "token: \"'`\\" * 15_000,
    "headers": "Bearer " * 200_000,
    "hexadecimal": "0123456789abcdef" * 120_000,
    "braces": 'password" {' * 10_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_scanned_to_its_end(text: str) -> None:
    assert scan(text) == []


def test_a_secret_after_hostile_text_is_still_found() -> None:
    draw = drawing(7)
    text = "password " * 2_000 + f" {token(draw)} " + HEX * 2_000
    assert scan(text) == ["json-web-token"]
