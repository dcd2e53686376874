"""Every client is connected and left again, as its documentation says its files look."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from project_memory import resources
from project_memory.clients import CLIENTS

SAMPLES = Path(__file__).parents[2] / "samples" / "clients"
SCOPES = [
    (name, scope)
    for name, client in CLIENTS.items()
    for scope in ("user", "project")
    if scope == "user" or client.config
]
WRITTEN = {
    "as it is": lambda text: text,
    "with CRLF": lambda text: text.replace(b"\n", b"\r\n"),
    "with a byte order mark": lambda text: b"\xef\xbb\xbf" + text,
    "without a last line end": lambda text: text.removesuffix(b"\n"),
}


@pytest.fixture
def project(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository, in a folder with blanks and other scripts, that a command stands in."""
    folder = tmp_path / "Büro Ablage" / "店 one"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PROJECT_MEMORY_STORE")
    monkeypatch.delenv("PROJECT_MEMORY_PROJECT")
    return folder


def written(name: str, scope: str, base: Path, way=WRITTEN["as it is"]) -> Path:
    """Write a client's sample configuration to where the client has it; return the path."""
    sample = next(SAMPLES.glob(f"{name}.{scope}.*"))
    client = CLIENTS[name]
    names = client.user_config if scope == "user" else client.config
    path = base / next(each for each in names if each.endswith(sample.suffix))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(way(sample.read_bytes()))
    return path


@pytest.mark.parametrize("way", WRITTEN.values(), ids=WRITTEN)
def test_all_clients_are_connected_and_left_to_the_byte(run, project, tmp_path, way) -> None:
    home = tmp_path / "home"
    files = {
        (name, scope): written(name, scope, home if scope == "user" else project, way)
        for name, scope in SCOPES
    }
    before = {key: path.read_bytes() for key, path in files.items()}
    for scope, flags in (("user", ["--user"]), ("project", [])):
        names = [name for name, each in SCOPES if each == scope]
        assert changes(run("connect", *names, *flags, "--dry-run")) == {"updated"}
        assert {key: path.read_bytes() for key, path in files.items()} == before
        assert changes(run("connect", *names, *flags)) == {"updated"}
        once = {key: path.read_bytes() for key, path in files.items()}
        assert all(
            CLIENTS[name].format.command(once[name, scope].decode())[-1] == "serve"
            for name in names
        )
        assert changes(run("connect", *names, *flags)) == {"unchanged"}
        assert {key: path.read_bytes() for key, path in files.items()} == once
        assert changes(run("disconnect", *names, *flags, "--dry-run")) == {"removed"}
        assert {key: path.read_bytes() for key, path in files.items()} == once
        assert changes(run("disconnect", *names, *flags)) == {"removed"}
        assert {key: path.read_bytes() for key, path in files.items()} == before
        assert changes(run("disconnect", *names, *flags)) == {"unchanged"}


@pytest.mark.parametrize(("name", "scope"), SCOPES)
def test_a_client_without_a_file_has_none_afterwards(run, project, tmp_path, name, scope) -> None:
    base = tmp_path / "home" if scope == "user" else project
    flags = ["--user"] if scope == "user" else []
    base.mkdir(exist_ok=True)
    there = sorted(base.rglob("*"))
    assert changes(run("connect", name, *flags)) == {"added"}
    assert changes(run("connect", name, *flags)) == {"unchanged"}
    assert changes(run("disconnect", name, *flags)) == {"removed"}
    assert sorted(base.rglob("*")) == there


@pytest.mark.parametrize("way", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("scope", ["user", "project"])
def test_hooks_are_run_and_left_to_the_byte(run, project, tmp_path, scope: str, way) -> None:
    base = tmp_path / "home" if scope == "user" else project
    flags = ["--user"] if scope == "user" else []
    files = {}
    for name in ("claude", "codex"):
        files[name] = base / CLIENTS[name].hooks
        files[name].parent.mkdir(parents=True)
        files[name].write_bytes(way((SAMPLES / f"{name}.hooks.json").read_bytes()))
    before = {name: path.read_bytes() for name, path in files.items()}
    code, out, err = run("connect", "claude", "codex", "--hooks", *flags)
    assert (code, err) == (0, "")
    assert [line.split("\t")[:2] for line in out.splitlines()] == [
        ["claude", "added"], ["claude", "updated"], ["codex", "added"], ["codex", "updated"],
    ]  # fmt: skip
    once = {name: path.read_bytes() for name, path in files.items()}
    assert all(b" hook session-start" in content for content in once.values())
    assert changes(run("connect", "claude", "codex", "--hooks", *flags)) == {"unchanged"}
    assert changes(run("connect", "claude", "codex", *flags)) == {"unchanged"}
    assert {name: path.read_bytes() for name, path in files.items()} == once
    assert changes(run("disconnect", "claude", "codex", *flags)) == {"removed"}
    assert {name: path.read_bytes() for name, path in files.items()} == before


def test_setup_writes_hooks_when_asked(run, project) -> None:
    store = str(project / "store.db")
    code, out, err = run("setup", "--claude", "--no-skills", "--hooks", "--store", store)
    assert code == 0
    settings = project / ".claude/settings.json"
    assert f"hooks\tclaude\tadded\t{settings}\n" in out
    assert "leave .claude/settings.json and .mcp.json out of commits" in err
    assert f"--store '{store}' hook prompt" in settings.read_text()


def changes(ran: tuple[int, str, str]) -> set[str]:
    code, out, err = ran
    assert code == 0, err
    return {line.split("\t")[1] for line in out.splitlines()}


def test_what_each_client_reads_is_what_it_documents(run, project, monkeypatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    names = [name for name, scope in SCOPES if scope == "project"]
    run("connect", *names, "--project", "shop")
    plain = {"command": "project-memory", "args": ["--project", "shop", "serve"]}
    typed = {"type": "stdio", **plain}

    def read(path: str) -> object:
        return json.loads((project / path).read_text())

    assert read(".mcp.json") == {"mcpServers": {"project-memory": plain}}
    assert read(".cursor/mcp.json") == {"mcpServers": {"project-memory": typed}}
    assert read(".vscode/mcp.json") == {"servers": {"project-memory": typed}}
    assert read(".gemini/settings.json") == {"mcpServers": {"project-memory": plain}}
    assert read("opencode.json") == {
        "mcp": {
            "project-memory": {
                "type": "local",
                "command": ["project-memory", "--project", "shop", "serve"],
            }
        }
    }
    assert (project / ".codex/config.toml").read_text() == (
        '[mcp_servers.project-memory]\ncommand = "project-memory"\n'
        'args = ["--project", "shop", "serve"]\n'
    )


def test_the_output_keeps_to_its_schema(run, project) -> None:
    for line in (["connect", "cursor", "cursor"], ["disconnect", "cursor", "--dry-run"]):
        code, out, _ = run(*line, "--json")
        assert code == 0
        told = json.loads(out)
        jsonschema.validate(told, resources.schema("output/connection"))
        assert len(told["clients"]) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["connect", "windsurf"],
         "error: Windsurf has no configuration of a project; run "
         "`project-memory connect windsurf --user` for your own\n"),
        (["disconnect", "emacs"],
         "error: invalid value for 'CLIENT...': 'emacs' is not one of 'claude', 'codex', "
         "'cursor', 'vscode', 'gemini', 'windsurf', 'opencode'; "
         "see `project-memory disconnect --help`\n"),
        (["setup", "--client", "windsurf"],
         "error: Windsurf has no configuration of a project; run "
         "`project-memory connect windsurf --user` for your own\n"),
    ],
)  # fmt: skip
def test_errors_say_what_to_do(run, project, line: list[str], message: str) -> None:
    assert run(*line) == (2, "", message)


def test_setup_configures_the_clients_that_are_found(run, project, tmp_path) -> None:
    written("cursor", "project", project)
    written("windsurf", "user", tmp_path / "home")
    code, out, err = run("setup", "--no-skills", "--store", str(project / "store.db"))
    assert code == 0
    assert err.endswith(
        "Windsurf has no configuration of a project; run "
        "`project-memory connect windsurf --user` for your own\n"
    )
    assert [line for line in out.splitlines() if line.startswith("client")] == [
        f"client\tcursor\tupdated\t{project / '.cursor/mcp.json'}"
    ]
