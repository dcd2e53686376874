from __future__ import annotations

import json
from pathlib import Path

import pytest

from project_memory.clients import CLIENTS, Entry, hooks
from project_memory.errors import InvalidInput

ENTRY = Entry("/opt/my tools/python", ("-m", "project_memory", "--project", "shop", "serve"))
PLAIN = Entry("project-memory", ("serve",))
SAMPLES = Path(__file__).parents[2] / "samples" / "clients"


def run(event: str) -> dict:
    return {"type": "command", "command": f"project-memory hook {event}", "timeout": 10}


def test_a_file_of_our_hooks_alone() -> None:
    text = hooks.with_hooks(None, PLAIN)
    assert json.loads(text) == {
        "hooks": {
            "SessionStart": [
                {"matcher": "startup|clear|compact", "hooks": [run("session-start")]}
            ],
            "UserPromptSubmit": [{"hooks": [run("prompt")]}],
            "Stop": [{"hooks": [run("session-end")]}],
        }
    }
    assert hooks.with_hooks(text, PLAIN) == text
    assert hooks.without_hooks(text) is None


@pytest.mark.parametrize("name", [name for name, client in CLIENTS.items() if client.hooks])
@pytest.mark.parametrize("way", ["\n", "\r\n", ""])
def test_hooks_of_others_stay_to_the_byte(name: str, way: str) -> None:
    before = (SAMPLES / f"{name}.hooks.json").read_text()
    before = before.replace("\n", way) if way else "".join(map(str.strip, before.splitlines()))
    once = hooks.with_hooks(before, PLAIN)
    assert hooks.with_hooks(once, PLAIN) == once
    assert hooks.commands(once) != []
    assert sorted(hooks.commands(once)) == [
        "project-memory hook prompt",
        "project-memory hook session-end",
        "project-memory hook session-start",
    ]
    for event, groups in json.loads(before)["hooks"].items():
        assert json.loads(once)["hooks"][event][: len(groups)] == groups
    assert hooks.without_hooks(once) == before


@pytest.mark.parametrize("before", ["", "{}", '{"hooks": {}}', '{"a": 1}\n', '{\n\t"a": 1\n}'])
def test_small_files_are_restored_to_the_byte(before: str) -> None:
    assert hooks.without_hooks(hooks.with_hooks(before, PLAIN)) == before


def test_another_command_replaces_ours_where_it_stands() -> None:
    text = hooks.with_hooks('{"hooks": {"Stop": []}}', PLAIN)
    changed = hooks.with_hooks(text, ENTRY)
    assert hooks.commands(changed)[0] == (
        "'/opt/my tools/python' -m project_memory --project shop hook session-end"
    )
    assert len(hooks.commands(changed)) == 3
    assert hooks.without_hooks(changed) == '{"hooks": {"Stop": []}}'


def test_what_others_put_beside_ours_stays() -> None:
    other = {"type": "command", "command": "other"}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [run("session-end"), other]}]}})
    assert json.loads(hooks.without_hooks(text)) == {"hooks": {"Stop": [{"hooks": [other]}]}}


@pytest.mark.parametrize(
    "text",
    ["{}", '{"hooks": 1}', '{"hooks": {"Stop": 1}}', '{"hooks": {"Stop": [1, {"hooks": 1}]}}',
     '{"hooks": {"Stop": [{"hooks": [1, {"command": 1}]}]}}'],
)  # fmt: skip
def test_what_holds_none_of_ours_is_left_alone(text: str) -> None:
    assert hooks.commands(text) == []
    assert hooks.without_hooks(text) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "it holds no JSON object"),
        ('{"hooks": []}', "'hooks' is not an object"),
        ('{"hooks": {"SessionStart": {}}}', "'hooks.SessionStart' is not an array"),
        ("{", "line 1 column 2 is not JSON (a name in quotes or '}' is expected)"),
    ],
)
def test_what_cannot_hold_hooks_is_told(text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        hooks.with_hooks(text, PLAIN)
    assert str(caught.value) == f"{message}; correct it by hand and run this again"
