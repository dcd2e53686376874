"""What ends a command: its exit code, and its one explanation on stderr."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest

from project_memory import resources
from project_memory.cli.boundary import explain, guarded
from project_memory.errors import (
    InvalidInput,
    MemoryExists,
    NotFound,
    StorageBusy,
    StoreUnreadable,
    UnknownLabel,
)


def ending(error: BaseException) -> Callable[[], None]:
    def action() -> None:
        raise error

    return action


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidInput("x"), 2),
        (NotFound("x"), 2),
        (MemoryExists("a", "x"), 2),
        (StorageBusy("x"), 3),
        (StoreUnreadable("x"), 3),
        (click.UsageError("x"), 2),
        (OSError(28, "No space left on device"), 3),
        (ZeroDivisionError("x"), 3),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (click.exceptions.Exit(1), 1),
    ],
)
def test_each_end_has_its_exit_code(error: BaseException, code: int) -> None:
    assert guarded(ending(error), []) == code


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (NotFound("no memory 'a'\nlist ids"), "error: no memory 'a'\n       list ids\n"),
        (OSError(28, "No space left on device", "/x"), "error: '/x': no space left on device\n"),
        (ZeroDivisionError("by zero"),
         "error: internal error: ZeroDivisionError: by zero; --debug shows where\n"),
        (click.UsageError("Some Option is wrong."), "error: some Option is wrong\n"),
        (NotFound("no memory '\x1b[31m'"), "error: no memory '\\x1b[31m'\n"),
    ],
)  # fmt: skip
def test_a_failure_is_told_once(
    error: Exception, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    guarded(ending(error), [])
    assert capsys.readouterr() == ("", text)


def test_a_note_on_an_error_stands_before_it() -> None:
    error = NotFound("no memory 'a'")
    error.add_note("in operation 3")
    assert explain(error).message == "in operation 3: no memory 'a'"


def told(error: Exception, capsys: pytest.CaptureFixture[str]) -> Any:
    guarded(ending(error), ["--json"])
    document = json.loads(capsys.readouterr().err)
    jsonschema.validate(document, resources.schema("output/error"))
    return document["error"]


def test_an_error_as_json_carries_its_facts(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(UnknownLabel("kind:bugg", ["kind:bug"]), capsys) == {
        "code": "unknown-label",
        "message": "label 'kind:bugg' is not registered; did you mean 'kind:bug'? "
        "add it with `project-memory labels add kind:bugg`",
        "label": "kind:bugg",
        "near": ["kind:bug"],
    }


def test_a_usage_error_can_be_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(click.UsageError("No such thing."), capsys) == {
        "code": "usage",
        "message": "no such thing",
    }


def test_words_after_two_dashes_are_no_options(capsys: pytest.CaptureFixture[str]) -> None:
    guarded(ending(NotFound("x")), ["search", "--", "--json"])
    assert capsys.readouterr().err == "error: x\n"


def test_a_traceback_needs_debug(capsys: pytest.CaptureFixture[str]) -> None:
    guarded(ending(ZeroDivisionError("x")), [])
    assert "Traceback" not in capsys.readouterr().err
    guarded(ending(ZeroDivisionError("x")), ["--debug"])
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lsit"], "no such command 'lsit'; did you mean 'list'? see `project-memory --help`"),
        (["xyzzy"], "no such command 'xyzzy'; see `project-memory --help`"),
        (["history", "shwo"],
         "no such command 'shwo'; did you mean 'show'? see `project-memory history --help`"),
        (["list", "--limt", "3"],
         "no such option '--limt'; did you mean '--limit' or '--quiet'? "
         "see `project-memory list --help`"),
        (["show"], "missing argument 'ID'; see `project-memory show --help`"),
        (["show", "a", "b"],
         "got unexpected extra argument (b); see `project-memory show --help`"),
        (["add"],
         "give either FILE or the options that describe the memory; "
         "see `project-memory add --help`"),
        (["add", "x.json", "--fact", "f"],
         "give either FILE or the options that describe the memory; "
         "see `project-memory add --help`"),
        (["completion", "tcsh"],
         "invalid value for 'SHELL': 'tcsh' is not one of 'bash', 'zsh', 'fish'; "
         "see `project-memory completion --help`"),
        (["recall", "--order", "best"],
         "invalid value for '--order': 'best' is not one of 'relevance', 'recent'; "
         "see `project-memory recall --help`"),
        (["recall", "\udcff"],
         "invalid value for 'QUERY...': '\\udcff' is not valid UTF-8; "
         "see `project-memory recall --help`"),
        (["add", "--fact", "\udcff"],
         "invalid value for '--fact': '\\udcff' is not valid UTF-8; "
         "see `project-memory add --help`"),
        (["--actor", "\udcff", "list"],
         "invalid value for '--actor' (env var: 'PROJECT_MEMORY_ACTOR'): '\\udcff' is not valid "
         "UTF-8; see `project-memory --help`"),
    ],
)  # fmt: skip
def test_a_usage_error_says_what_helps(run, arguments: list[str], message: str) -> None:
    assert run(*arguments) == (2, "", f"error: {message}\n")


@pytest.mark.parametrize("limit", ["0", "-1", "five", "2.5", ""])
@pytest.mark.parametrize("command", ["list", "search", "recall", "history list"])
def test_a_limit_is_a_whole_number_from_one(run, command: str, limit: str) -> None:
    assert run(*command.split(), "--limit", limit) == (
        2,
        "",
        f"error: invalid value for '--limit': '{limit}' is not a whole number from 1; "
        f"see `project-memory {command} --help`\n",
    )


def test_the_bare_program_shows_its_help(run) -> None:
    code, out, err = run()
    assert (code, out) == (2, "")
    assert err.startswith("Usage: project-memory [OPTIONS] COMMAND [ARGS]...\n")


@pytest.mark.parametrize("name", ["labels", "history"])
def test_a_bare_group_lists(store, name: str) -> None:
    assert store(name) == store(name, "list")


# -- in a process of its own: streams, signals ----------------------------------------------------


def launch(*arguments: str, shell: str = '"$@"', **environment: str) -> Any:
    """Run the program through a line of shell that may redirect its streams."""
    command = ["sh", "-c", shell, "sh", sys.executable, "-m", "project_memory", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def test_a_reader_that_goes_away_is_no_failure(store) -> None:
    done = launch("list", shell='{ "$@"; echo "code $?" >&2; } | true')
    assert done.stderr.splitlines()[-1] == "code 0"
    assert "Error" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_under_stdout_is_our_failure(store) -> None:
    done = launch("list", shell='"$@" > /dev/full')
    assert (done.returncode, done.stderr) == (3, "error: no space left on device\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams_do_no_harm(store, closed: str) -> None:
    done = launch("show", "first", shell=f'"$@" {closed}')
    assert (done.returncode, done.stderr) == (0, "")


def test_text_that_the_terminal_cannot_encode_is_written_out(store) -> None:
    store("edit", "first", "--set", 'tags=["ﬁ"]')
    done = launch("show", "first", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "tags\t\\ufb01\n" in done.stdout
    done = launch("show", "first", "--json", PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout)["memory"]["tags"] == ["ﬁ"]


def test_an_interrupt_is_quiet(store, tmp_path: Path) -> None:
    script = tmp_path / "interrupt.py"
    script.write_text("import os, signal\nos.kill(os.getppid(), signal.SIGINT)\n")
    done = launch("edit", "first", EDITOR=f"{sys.executable} {script}", TMPDIR=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
