"""The one place where whatever ends a command becomes a message on stderr and an exit code."""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from project_memory import telling
from project_memory.cli import neutral
from project_memory.cli.output import discard_stdout, marked
from project_memory.errors import ProjectMemoryError, StorageError

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
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return YOUR_INPUT
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
            return Failure(error.code, _with_notes(error), exit_code, error.facts)
        case click.ClickException():
            return Failure("usage", telling.told(_usage_message(error)), YOUR_INPUT)
        case OSError():
            reason = (error.strerror or str(error)).lower()
            place = f"'{error.filename}': " if error.filename else ""
            return Failure("system", telling.told(f"{place}{reason}"), OUR_FAILURE)
        case _:
            message = f"internal error: {type(error).__name__}: {error}; --debug shows where"
            return Failure("internal", telling.told(message), OUR_FAILURE)


def report(failure: Failure, *, as_document: bool) -> None:
    """Write a failure to stderr, as text or as one JSON document."""
    if as_document:
        body = {"code": failure.code, "message": failure.message, **failure.facts}
        text = neutral.json_text(json.dumps({"error": body}, ensure_ascii=False))
    else:
        lines = neutral.text(failure.message).replace("\n", "\n       ")
        text = marked(f"error: {lines}", "error:", "red")
    click.echo(text, err=True)


def _with_notes(error: Exception) -> str:
    """Return the message behind what was added on its way, such as the operation's number."""
    return ": ".join((*getattr(error, "__notes__", ()), str(error)))


def _usage_message(error: click.ClickException) -> str:
    """Return click's sentence in this project's voice, with the help that explains more."""
    near = getattr(error, "possibilities", None) or ()
    message = error.message if near else error.format_message()
    message = message[:1].lower() + message[1:].rstrip().rstrip(".")
    context = getattr(error, "ctx", None)
    hints = [f"did you mean {' or '.join(map(repr, near))}?"] if near else []
    hints += _as_text(error, context) if context else []
    hints += [f"see `{context.command_path} --help`"] if context else []
    return "; ".join((message, " ".join(hints))) if hints else message


def _as_text(error: click.ClickException, context: click.Context) -> list[str]:
    """Return how to pass words that were taken for options, to a command that takes words."""
    takes_words = any(parameter.nargs == -1 for parameter in context.command.params)
    if takes_words and isinstance(error, click.NoSuchOption) and error.option_name[:2] != "--":
        return [f"words that begin with - go after --, as in `{context.command_path} -- -WORD`;"]
    return []


def _is_set(flag: str, arguments: Sequence[str]) -> bool:
    """Return whether a flag is given; usable also when the line could not be parsed."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return flag in arguments[:end]


def _prepare_streams() -> None:
    """Stand in for streams the caller closed, and write out what an encoding lacks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115  # to the end
            setattr(sys, name, nowhere)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
