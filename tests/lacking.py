"""What a test does where a program that it needs is not installed."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def lack(what: str) -> NoReturn:
    """Skip the test, or fail it where none may be left out; `what`: what is not installed."""
    (pytest.fail if "TESTS_NEED_EVERYTHING" in os.environ else pytest.skip)(what)
