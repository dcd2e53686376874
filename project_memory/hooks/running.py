"""Run one hook: standard input to standard output, in little time, without ever failing."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from threading import Timer

from project_memory.errors import InvalidInput
from project_memory.hooks import Call
from project_memory.hooks.events import Answer, answered

PATIENCE = 8.0
"""Seconds after which a hook gives up: a store that is locked must not hold up a session."""

LARGEST = 16 * 1024 * 1024
"""Bytes of input that are read."""


def run(call: Call, patience: float = PATIENCE) -> None:
    """Answer an event; nothing is raised."""
    watch = Timer(patience, _give_up, (call.event, patience))
    watch.daemon = True
    watch.start()
    try:
        answer = answered(call, _input())
    except (Exception, KeyboardInterrupt) as error:
        _tell(call.event, str(error) or type(error).__name__)
    else:
        _write(answer)
    finally:
        watch.cancel()


def _input() -> bytes:
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    read = sys.stdin.buffer.read(LARGEST + 1)
    if len(read) > LARGEST:
        raise InvalidInput("standard input holds more than 16 MiB; a hook is given less")
    return read


def _give_up(event: str, patience: float) -> None:
    _tell(event, f"no answer within {patience:g} seconds; the store may be locked")
    os._exit(0)


def _write(answer: Answer | None) -> None:
    if answer is None:
        return
    try:
        sys.stdout.write(f"{json.dumps(answer)}\n")
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):  # closed, or its reader went away
        # not a failure of the interpreter's last flush either
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell(event: str, message: str) -> None:
    with suppress(OSError, ValueError, AttributeError):  # stderr may be closed
        sys.stderr.write(f"project-memory hook {event}: {message}\n")
        sys.stderr.flush()
