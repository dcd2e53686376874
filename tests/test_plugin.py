"""The repository is a plugin of Claude Code and of Codex, and an entry of the MCP registry."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import skills_ref
from command_lines import parse_line

from project_memory.cli.group import cli
from project_memory.clients import CLIENTS, Entry
from project_memory.clients import hooks as client_hooks
from project_memory.hooks import parsed

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SCHEMA = ROOT / "tests" / "mcp_registry" / "server.schema.json"
MANIFESTS = (".claude-plugin/plugin.json", ".codex-plugin/plugin.json")
MARKETPLACES = (".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json")


def read(path: str) -> Any:
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", MANIFESTS)
def test_a_manifest_says_of_the_plugin_what_the_package_says(path: str) -> None:
    manifest = read(path)
    for field in ("name", "version", "description", "license", "keywords"):
        assert manifest[field] == PROJECT[field]


@pytest.mark.parametrize("path", MARKETPLACES)
def test_a_marketplace_offers_the_repository_itself(path: str) -> None:
    marketplace = read(path)
    (plugin,) = marketplace["plugins"]
    assert marketplace["name"] == plugin["name"] == PROJECT["name"]
    source = plugin["source"]
    assert (source if isinstance(source, str) else source["path"]) == "./"
    assert plugin.get("version", PROJECT["version"]) == PROJECT["version"]


def test_the_codex_manifest_names_files_that_are_there() -> None:
    manifest = read(".codex-plugin/plugin.json")
    for field in ("skills", "hooks", "mcpServers"):
        assert (ROOT / manifest[field]).exists()


def test_the_hooks_are_those_that_setup_writes() -> None:
    written = (ROOT / "hooks" / "hooks.json").read_text(encoding="utf-8")
    assert written == client_hooks.with_hooks(None, Entry(PROJECT["name"], ("serve",)))
    for line in client_hooks.commands(written):
        assert parsed(shlex.split(line)[1:], {}) is not None


def test_the_server_is_the_one_that_connect_writes() -> None:
    written = (ROOT / ".mcp.json").read_text(encoding="utf-8")
    claude = CLIENTS["claude"].format
    assert written == claude.with_server(None, Entry(PROJECT["name"], ("mcp",)))
    parse_line(cli, "project-memory", list(claude.command(written)[1:]))


@pytest.mark.parametrize("skill", sorted((ROOT / "skills").iterdir()), ids=lambda path: path.name)
def test_a_skill_keeps_to_the_reference_library(skill: Path) -> None:
    assert skills_ref.validate(skill) == []


def test_the_reference_library_finds_faults(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text("---\nname: Other\ndescription: x\n---\n")
    assert skills_ref.validate(tmp_path)


def test_the_entry_of_the_registry_is_valid_and_describes_this_package() -> None:
    entry = read("server.json")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(schema).validate(entry)
    assert entry["$schema"] == schema["$id"]
    (package,) = entry["packages"]
    assert package["identifier"] == PROJECT["name"]
    assert {entry["version"], package["version"]} == {PROJECT["version"]}
    words = [argument["value"] for argument in package["packageArguments"]]
    parse_line(cli, "project-memory", words)
    readme = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
    # by this the registry sees that a package is its publisher's
    assert f"<!-- mcp-name: {entry['name']} -->" in readme


def test_a_runner_of_packages_finds_the_command_by_the_name_of_the_distribution() -> None:
    assert list(PROJECT["scripts"]) == [PROJECT["name"]]
