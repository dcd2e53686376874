"""What it costs to say which lessons a change touches: ``python benchmarks/affected.py``.

2,000 made-up lessons, each with one to three files, some with globs, checks or names of the code,
beside a checkout of 5,000 files with a year of history; a branch changes 300 files, most of which
some lesson names. The time on the clock and of a processor, that of git's own processes besides,
for a change since a branch, and what is found. Exit code 1 if the fastest takes 2 seconds or more.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import checkouts
import product
from lessons import generate, labels60
from timing import timed

LESSONS, FILES, SECONDS, RUNS = 2_000, 300, 2.0, 3
PERSON = ("-c", "user.name=ada", "-c", "user.email=ada@example.org")


def lessons(count: int) -> Iterator[dict[str, Any]]:
    """Yield drafts, of which some have more than files to be touched by."""
    for number, draft in enumerate(generate(count)):
        draft["evidence"] = {"last_validated": checkouts.day(number % checkouts.DAYS)}
        first = draft["scope"]["files"][0]
        if number % 10 == 3:
            draft["scope"]["files"] = [f"{first.rpartition('/')[0]}/*.py"]
        if number % 10 == 5:
            draft["checks"] = [{"type": "text_present", "path": first, "text": "line 3"}]
        if number % 10 == 7:
            draft["tags"] = [f"load_part_{number}", f"PartKeeper{number}"]
        yield draft


def branched(root: Path, paths: Sequence[str], files: int) -> None:
    """Let a branch of a checkout change so many files, the given ones first, 20 lines each."""
    git = ("git", "-C", str(root), *PERSON)
    subprocess.run([*git, "reset", "--quiet", "--hard"], check=True)
    subprocess.run([*git, "checkout", "--quiet", "-b", "change"], check=True)
    there = [path for path in paths if (root / path).is_file()]
    others = [path.relative_to(root).as_posix() for path in sorted(root.glob("more/*/*.py"))]
    chance = random.Random(files)
    for path in [*there, *others][:files]:
        lines = (root / path).read_text().splitlines()
        lines[5:15] = [f"load_part_{chance.randrange(4000)}(value_{n})" for n in range(10)]
        (root / path).write_text("\n".join(lines))
    subprocess.run([*git, "commit", "--quiet", "--all", "--message", "change"], check=True)


def main() -> int:
    """Measure and print; return the exit code."""
    drafts = list(lessons(LESSONS))
    named = sorted({path for draft in generate(LESSONS) for path in draft["scope"]["files"]})
    with tempfile.TemporaryDirectory() as folder:
        root = checkouts.made(Path(folder) / "code", named)
        branched(root, named[: FILES // 2], FILES)
        with product.opened(Path(folder)) as memories:
            product.register(memories, labels60())
            product.write_lessons(memories, drafts)
        with product.opened(Path(folder)) as memories:
            before = os.times()
            runs = [timed(memories.affected_since, "work", root) for _ in range(RUNS)]
            after = os.times()
    found = runs[0][1]
    kinds = Counter(lesson.reasons[0].kind.value for lesson in found.lessons)
    git = after.children_user + after.children_system
    git -= before.children_user + before.children_system
    fastest = min(cost.clock for cost, _ in runs)
    processor = min(cost.processor for cost, _ in runs)
    print(f"files of the change\t{found.files}\tlessons\t{found.checked}")
    print(f"touched\t{len(found.lessons)}\t{' '.join(f'{k}:{n}' for k, n in kinds.items())}")
    print(f"to validate again\t{found.counts['revalidate']}")
    print(f"affected --diff\tfastest {fastest:.2f} s\tprocessor {processor:.2f} s\t"
          f"git {git / RUNS:.2f} s\tat most {SECONDS} s")  # fmt: skip
    return 0 if fastest < SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
