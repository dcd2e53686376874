"""The one place where whatever ends a command becomes a message on stderr and an exit code."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from project_memory.cli import neutral
from project_memory.cli.output import discard_stdout
from project_memory.errors import ProjectMemoryError, StorageError
from project_memory.model import as_json

FINE, FOUND, YOUR_INPUT, OUR_FAILURE, INTERRUPTED = 0, 1, 2, 3, 130


@dataclass(frozen=True, slots=True)
class Failure:
    """What ended a command: a stable code, the message, the exit code, further facts."""

    code: str
    message: str
    exit_code: int
    facts: Mapping[str, Any] = field(default_factory=dict)


def guarded(action: Callable[[], None], arguments: Sequence[str]) -> int:
    """Run an action and return the process's exit code, having explained what ended it."""
    _prepare_streams()
    debug = _is_set("--debug", arguments)
    if debug:
        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
    try:
        action()
    except click.exceptions.Exit as finished:
        return finished.exit_code
    except (KeyboardInterrupt, EOFError, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        discard_stdout()
    except Exception as error:
        if debug:
            traceback.print_exc()
        failure = explain(error)
        report(failure, as_document=_is_set("--json", arguments))
        return failure.exit_code
    return FINE


def explain(error: Exception) -> Failure:
    """Return what an exception means to the caller."""
    match error:
        case ProjectMemoryError():
            exit_code = OUR_FAILURE if isinstance(error, StorageError) else YOUR_INPUT
            return Failure(error.code, str(error), exit_code, as_json(vars(error)))
        case click.ClickException():
            return Failure("usage", _usage_message(error), YOUR_INPUT)
        case OSError():
            place = f"'{error.filename}': " if error.filename else ""
            return Failure("system", f"{place}{error.strerror or error}", OUR_FAILURE)
        case _:
            message = f"internal error: {type(error).__name__}: {error}; --debug shows where"
            return Failure("internal", message, OUR_FAILURE)


def report(failure: Failure, *, as_document: bool) -> None:
    """Write a failure to stderr, as text or as one JSON document."""
    if as_document:
        body = {"code": failure.code, "message": failure.message, **failure.facts}
        text = neutral.json_text(json.dumps({"error": body}, ensure_ascii=False))
    else:
        mark = click.style("error:", fg="red", bold=True)
        text = f"{mark} " + neutral.text(failure.message).replace("\n", "\n       ")
    click.echo(text, err=True)


def _usage_message(error: click.ClickException) -> str:
    """Return click's sentence in this project's voice, with the help that explains more."""
    message = error.format_message().strip().rstrip(".")
    message = message[:1].lower() + message[1:]
    context = getattr(error, "ctx", None)
    return f"{message}; see `{context.command_path} --help`" if context else message


def _is_set(flag: str, arguments: Sequence[str]) -> bool:
    """Return whether a flag is given; usable also when the line could not be parsed."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return flag in arguments[:end]


def _prepare_streams() -> None:
    """Let text that a terminal's encoding lacks be written out instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
