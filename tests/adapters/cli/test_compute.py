"""``compute`` reports what is new, and acts on nothing."""

from __future__ import annotations

import json
import threading

import pytest


def test_what_is_new_is_told_once_and_nothing_is_acted_on(store) -> None:
    store("link", "second", "supersedes", "first")
    code, out, err = store("compute", "--once")
    assert code == 0
    assert "new\tnote\tsuperseded-removable\tfirst\tsuperseded by 'second'; archive it\n" in out
    assert " found for the first time, 0 resolved\n" in err
    assert store("compute", "--once")[1] == ""
    assert json.loads(store("show", "first", "--json")[1])["meta"].get("archived_at") is None


def test_what_is_resolved_is_told(store) -> None:
    store("link", "second", "supersedes", "first")
    store("compute", "--once")
    store("unlink", "second", "supersedes", "first")
    out = store("compute", "--once")[1]
    assert "resolved\t\tsuperseded-removable\tfirst\t\n" in out


def test_it_goes_on_until_it_is_interrupted(store, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    def wait(_: threading.Event, seconds: float) -> bool:
        waited.append(seconds)
        if len(waited) == 3:
            raise KeyboardInterrupt
        return False

    monkeypatch.setattr(threading.Event, "wait", wait)
    code, _, err = store("compute", "--every", "5")
    assert code == 130
    assert waited == [300, 300, 300]
    assert err.count("found for the first time") == 3
