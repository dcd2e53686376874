"""Values: what looks drawn at random, what a person could choose, what only stands in."""

from __future__ import annotations

import string

import pytest
from secret_samples import ALNUM, HEX, LOWER, drawing, encoded

from project_memory.secrets import values


@pytest.mark.parametrize("alphabet", [ALNUM, HEX, LOWER, string.ascii_letters])
def test_drawn_text_looks_random(alphabet: str) -> None:
    draw = drawing(1)
    assert sum(values.is_random(draw(alphabet, 24)) for _ in range(200)) >= 199


@pytest.mark.parametrize(
    "text",
    [
        "",
        "required",
        "AbstractSingletonProxyFactoryBeanConfigurationManagerImpl",
        "getTokenV2FromBase64UrlEncodedString",
        "src/auth/password_reset_handler.py",
        "application/vnd.oci.image.manifest.v1+json",
        "2026-01-31",
        "1234567890123456789012345",
        "пароль-обязателен-всегда",
        "utf-8/sha256/argon2id",
        "words with spaces are prose",
    ],
)
def test_words_names_and_numbers_do_not_look_random(text: str) -> None:
    assert not values.is_random(text)


@pytest.mark.parametrize("text", ["Winter2031!", "tr33#house", "Xy7-kkq9-Zd2", "Blaumeise4711"])
def test_what_a_person_could_choose_is_a_password(text: str) -> None:
    assert values.is_password(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "short",
        "required",
        "case-sensitive",
        "12345678",
        "sha256",
        "AES-256-GCM",
        "a b c 1 2 3",
    ],
)
def test_what_prose_says_of_passwords_is_none(text: str) -> None:
    assert not values.is_password(text)


@pytest.mark.parametrize(
    "text",
    [
        "hunter2",
        "Passw0rd!",
        "s3cr3t",
        "changeme123",
        "xxxxxxxx",
        "abcdefgh12345678",
        "a1b2c3d4e5",
    ],
)
def test_well_known_fakes_are_known(text: str) -> None:
    assert values.is_fake(text)


def test_monotony_is_no_chance() -> None:
    draw = drawing(2)
    assert not any(values.is_fake(draw(HEX, 32)) for _ in range(500))


@pytest.mark.parametrize(
    "text", ["${X}", "$(cat x)", "<token>", "{{ x }}", "%X%", "op://a/b", "/run/x"]
)
def test_a_reference_stands_in(text: str) -> None:
    assert values.is_stand_in(text)


def test_basic_credentials_are_read_from_base64() -> None:
    chosen = drawing(3)(ALNUM, 14)
    assert values.holds_password(encoded(f"bob:{chosen}"))
    assert not values.holds_password(encoded("bob:password"))
    assert not values.holds_password(encoded("no colon here"))
    assert not values.holds_password("not base64!")
    assert not values.holds_password("//79")


def test_what_follows_a_value_is_trimmed() -> None:
    assert values.trimmed("abc123&page=2") == "abc123"
    assert values.trimmed("abc&123).") == "abc&123"
