"""Words of replacement are heard in many languages, and only as words."""

from __future__ import annotations

import pytest

from project_memory.duplicates import speaks_of_replacement


@pytest.mark.parametrize(
    "text",
    [
        "Use pnpm instead of npm",
        "The flag is no longer needed",
        "We migrated to pnpm",
        "The service was replaced by the gateway",
        "Moved from Travis to our own runners",
        "This supersedes the earlier rule",
        "Den Schalter gibt es nicht mehr",
        "Utiliser pnpm au lieu de npm",
        "Usar pnpm en lugar de npm",
        "Вместо npm теперь pnpm",
        "安装依赖时改用 pnpm",
        "这个参数不再需要",
    ],
)
def test_words_of_replacement_are_heard(text: str) -> None:
    assert speaks_of_replacement(text)


@pytest.mark.parametrize(
    "text",
    [
        "Use pnpm to install the packages",
        "The stead of the farm",
        "The station replays the log",
        "安装依赖时使用 pnpm",
        "",
    ],
)
def test_other_words_are_not(text: str) -> None:
    assert not speaks_of_replacement(text)
