"""What an audit of a large store costs: ``python benchmarks/audit.py [SIZE]``.

SIZE made-up lessons (10,000 unless said otherwise), some of them superseded, expired or
contradicted, are audited by every check that needs only the store. Prints the processor time of
gathering, of each function among the checks, and of the audit as a whole, and how much was found.
Then the same lessons, validated on any day of a year, are audited beside a checkout of 5,000 files
with that year's history; the time of git's own processes counts too. Exit code 1 if an audit takes
4 seconds or more for each 10,000 lessons, or 8 with the checkout.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from os import times
from pathlib import Path
from typing import Any

import checkouts
import product
from lessons import generate, labels60
from timing import timed

from project_memory import audit
from project_memory.audit import CHECKS, OF_FILES, Policy
from project_memory.model import system_clock
from project_memory.services.gathering import gathered
from project_memory.storage import open_storage

SIZE, SECONDS, SECONDS_WITH_FILES = 10_000, 4.0, 8.0
LATER = system_clock() + timedelta(days=400)
"""When the audit is made: everything is due to be validated again."""


def troubled(size: int) -> Iterator[dict[str, Any]]:
    """Yield drafts of which some give an audit something to find."""
    for number, draft in enumerate(generate(size)):
        day = checkouts.day(number % checkouts.DAYS)
        draft["evidence"] = {"last_validated": day}
        if number % 50 == 49:
            draft["relationships"]["supersedes"] = [f"memory-{number - 1:06d}"]
        if number % 40 == 7:
            fact = {"fact": f"{number} seconds", "key": f"timeout {number % 1000}"}
            draft["remembered_facts"].append(fact)
        if number % 60 == 11:
            draft["remembered_facts"].append(
                {"fact": "the mirror is down", "expires": "2020-01-01"}
            )
        yield draft


def main() -> int:
    """Measure and print; return the exit code."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else SIZE
    with tempfile.TemporaryDirectory() as folder:
        with product.opened(Path(folder)) as memories:
            product.register(memories, labels60())
            product.write_lessons(memories, list(troubled(size)))
        by_parts(Path(folder) / "store.db")
        with product.opened(Path(folder)) as memories:
            cost, report = timed(memories.audit)
            again, _ = timed(memories.audit)
            named = sorted({path for d in generate(size) for path in d["scope"]["files"]})
            code = checkouts.made(Path(folder) / "code", named)
            before = times()
            beside = memories.audit(checkout=code)
            after = times()
    found = Counter(finding.code for finding in report.findings)
    print(f"found\t{' '.join(f'{code}:{count}' for code, count in sorted(found.items()))}")
    of_files = Counter(f.code for f in beside.findings if f.code in OF_FILES)
    print(f"found beside the checkout\t{of_files.total()} more\t{dict(sorted(of_files.items()))}")
    limit = SECONDS * max(1.0, size / SIZE)
    print(f"audit of {size}\t{cost.processor:.2f} s processor\tagain {again.processor:.2f} s\t"
          f"at most {limit:.1f} s")  # fmt: skip
    git = (
        after.children_user
        + after.children_system
        - (before.children_user + before.children_system)
    )
    whole = after.user + after.system - before.user - before.system + git
    wider = SECONDS_WITH_FILES * max(1.0, size / SIZE)
    print(f"audit of {size} beside {checkouts.FILES} files\t{whole:.2f} s processor\t"
          f"git's part {git:.2f} s\tat most {wider:.1f} s")  # fmt: skip
    return 0 if max(cost.processor, again.processor) < limit and whole < wider else 1


def by_parts(path: Path) -> None:
    """Print what gathering and each function costs."""
    storage = open_storage(str(path), create=False)
    with storage.read() as reader:
        project = reader.projects()[0]
        read, _ = timed(gathered, reader, project, LATER, Policy(), ())
        whole, evidence = timed(gathered, reader, project, LATER, Policy(), CHECKS.keys())
    storage.close()
    print(f"reading\t{read.processor:.2f} s processor")
    print(f"working out twins and what is protected\t{(whole - read).processor:.2f} s processor")
    functions = {check.function: code for code, check in CHECKS.items()}
    for function, code in functions.items():
        codes = [each for each, check in CHECKS.items() if check.function is function]
        cost, found = timed(audit.judge, evidence, codes)
        print(f"{code}\t{cost.processor:.2f} s processor\t{len(found)} found")


if __name__ == "__main__":
    sys.exit(main())
