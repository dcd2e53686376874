"""What it costs an answer to look at its files: ``python benchmarks/glances.py``.

Eight memories of two files each, beside a checkout of 5,000 files with a year of history: the time
on the clock to flag them the first time, when git must be asked, and again. The line of commits is
read beforehand, as it is while an answer is worked out. Exit code 1 if the second look takes 3
milliseconds or more.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import checkouts
from timing import timed

from project_memory.checkout.glance import Glance
from project_memory.staleness import Named

ANSWERS, EACH, MILLISECONDS = 40, 16, 3.0


def main() -> int:
    """Measure and print; return the exit code."""
    paths = [f"src/part_{number}.py" for number in range(ANSWERS * EACH)]
    with tempfile.TemporaryDirectory() as folder:
        root = checkouts.made(Path(folder) / "code", paths)
        glance = Glance(lambda: root, patience=None)
        glance.look([Named("nothing.py", checkouts.day(300))])
        answers = [_named(paths[start::ANSWERS]) for start in range(ANSWERS)]
        first = [timed(glance.look, answer) for answer in answers]
        again = [timed(glance.look, answer) for answer in answers]
    changed = sum(len(found) for _, found in first)
    print(f"files that need a look\t{changed} of {len(paths)}")
    for name, looks in (("first look", first), ("again", again)):
        seconds = [cost.clock for cost, _ in looks]
        fastest, median = min(seconds) * 1e3, statistics.median(seconds) * 1e3
        print(f"{name}\tfastest {fastest:.2f} ms\tmedian {median:.2f} ms")
    return 0 if min(cost.clock for cost, _ in again) * 1e3 < MILLISECONDS else 1


def _named(paths: Sequence[str]) -> list[Named]:
    return [Named(path, checkouts.day(20 * place)) for place, path in enumerate(paths)]


if __name__ == "__main__":
    sys.exit(main())
