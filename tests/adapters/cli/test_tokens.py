"""Tokens on the command line: shown once, listed, taken back."""

from __future__ import annotations

import json
import re
import shlex
import sys

import pytest
from jsonschema import Draft202012Validator

from project_memory.hosting import Host
from project_memory.resources import schema


def test_a_token_is_shown_once_and_works(run, tmp_path) -> None:
    run("init")
    code, out, err = run("tokens", "add", "ada", "--role", "writer", "--for", "demo")
    assert code == 0
    token = out.strip()
    name = token.split("_")[1]
    assert re.fullmatch(r"pmt_[0-9a-f]{8}_[A-Za-z0-9_-]{43}", token)
    assert re.fullmatch(
        rf"keep it, it is shown only now: token {name} of ada, writer for demo, until "
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n", err,
    )  # fmt: skip
    with Host.open(str(tmp_path / "memory.db")) as host:
        assert host.identify(token.encode()).actor.name == "ada"
    listed = run("tokens")[1]
    assert listed.split("\t")[:4] == [name, "ada", "writer", "demo"]
    assert listed.endswith("\tlive\n")
    assert token.rpartition("_")[2] not in listed
    assert run("tokens", "revoke", name) == (0, f"{name}\n", "")
    assert run("tokens", "list")[1].endswith("\trevoked\n")


def test_every_token_of_an_actor_is_revoked_at_once(run) -> None:
    run("init")
    ids = [
        json.loads(run("tokens", "add", actor, "--every-project", "--json")[1])["id"]
        for actor in ("ada", "ada", "bob")
    ]
    done = json.loads(run("tokens", "revoke", "ada", "--json")[1])
    assert (sorted(done["ids"]), done["actors"]) == (sorted(ids[:2]), ["ada"])
    states = [
        (one["actor"], one["state"])
        for one in json.loads(run("tokens", "list", "--json")[1])["tokens"]
    ]
    assert states == [("ada", "revoked"), ("ada", "revoked"), ("bob", "live")]


def test_an_empty_list_says_how_to_begin(run) -> None:
    run("init")
    assert run("tokens") == (
        0, "", "nobody has a token; give one with `project-memory tokens add NAME --role writer "
        "--for PROJECT`\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("tokens add ada --every-project", "tokens-add"),
        ("tokens add ada --for demo", "tokens-add"),
        ("tokens list", "tokens-list"),
        ("tokens revoke eve", "tokens-revoke"),
    ],
)
def test_json_keeps_to_its_schema(run, line: str, name: str) -> None:
    run("init")
    run("tokens", "add", "eve", "--for", "demo")
    code, out, _ = run(*line.split(), "--json")
    assert code == 0
    Draft202012Validator(schema(f"output/{name}")).validate(json.loads(out))


NAME = (
    "cannot be the name of an actor; use up to 64 letters, digits and . _ @ -, beginning with a "
    "letter or digit, and not eight hexadecimal digits alone"
)
SCOPE = (
    "say what the token is for: --for PROJECT, once or more, or --every-project; one of the two"
)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("add local:ada --every-project", f"'local:ada' {NAME}"),
        ("add token:shared --every-project", f"'token:shared' {NAME}"),
        ("add 0a1b2c3d --every-project", f"'0a1b2c3d' {NAME}"),
        ("add '' --every-project", f"'' {NAME}"),
        ("add ada", SCOPE),
        ("add ada --for demo --every-project", SCOPE),
        ("add ada --every-project --days 3651",
         "a token cannot be accepted for 3651 days; use 1 to 3650"),
        ("add ada --for nowhere",
         "no project 'nowhere' in this store (projects: 'demo'); name one of them, or run "
         "`project-memory init` in its repository"),
        ("revoke nobody",
         "'nobody' has no token; `project-memory tokens list` shows actors and ids"),
    ],
)  # fmt: skip
def test_what_cannot_be_given_says_why(run, line: str, message: str) -> None:
    run("init")
    assert run("tokens", *shlex.split(line)) == (2, "", f"error: {message}\n")


def test_what_was_revoked_cannot_be_revoked_again(run) -> None:
    run("init")
    run("tokens", "add", "ada", "--every-project")
    run("tokens", "revoke", "ada")
    assert run("tokens", "revoke", "ada")[2] == (
        "error: 'ada' has none that is accepted; `project-memory tokens list` shows actors and "
        "ids\n"
    )


TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


def test_a_code_says_what_it_is_for(run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("init")
    line = ("enroll", "ada", "--role", "writer", "--for", "demo")
    assert re.fullmatch(
        rf"for ada, writer for demo; once, until {TIME}, run `project-memory join --server URL "
        r"--code CODE`\n", run(*line)[2],
    )  # fmt: skip
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(type(stream), "isatty", lambda _: True, raising=False)
    assert re.fullmatch(
        rf"for ada, writer for demo; once, until {TIME}, log in with it as a person, where the "
        r"server is open in a browser\n", run(*line, "--person")[2],
    )  # fmt: skip
