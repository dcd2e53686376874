"""A worker is killed in the middle of a job: another takes it over when the lease ends."""

from __future__ import annotations

import time


def tried(worker):
    worker.stdin.write("try\n")
    worker.stdin.flush()
    return worker.stdout.readline().strip()


def test_another_takes_over_and_never_two_at_once(store, start):
    first, second = start("work", store, "first", "hang"), start("work", store, "second", "do")
    assert first.stdout.readline().split() == ["at", "it"]
    began = time.monotonic()
    while time.monotonic() - began < 3:  # longer than a lease that nobody renews
        assert tried(second) == "nothing"
    first.kill()
    first.wait()
    while (said := tried(second)) == "nothing":
        assert time.monotonic() - began < 60
    assert said == "done second"
