"""Folders in which subjects are filled, and what filling them costs."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import peers
from subjects import PRODUCT, Document, Subject, subject
from timing import Cost, rate, timed

FEW = 12
"""Documents of the store that shows what a process costs before it holds much."""

_RATES = "rates.json"

Rates = dict[str, Cost]
"""Measure -> documents a second."""


@contextmanager
def room(keep: Path | None, size: int) -> Iterator[Path]:
    """Give a folder to work in; of a kept one, all but `built` is cleared."""
    if keep is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
        return
    kept = keep.resolve() / str(size)
    kept.mkdir(parents=True, exist_ok=True)
    for name in ("few", PRODUCT, *peers.PEERS):
        shutil.rmtree(kept / name, ignore_errors=True)
    yield kept


def filled(
    name: str, room: Path, documents: Sequence[Document], labels: Sequence[str]
) -> tuple[Subject, Rates]:
    """Return a subject that holds the documents, and the rates of filling it.

    The product is closed and opened once, so that everything it writes on a clean stop is there;
    a store that was built before is taken instead, with the rates noted then.
    """
    small = subject(name, few(name, room))
    small.register(labels)
    small.fill(documents[:FEW])
    _answered(small, documents).close()
    if name != PRODUCT:
        new = subject(name, room / name)
        return new, _rates(new, documents)
    built, folder = room / "built", room / PRODUCT
    if (built / _RATES).exists():
        shutil.copytree(built, folder)
    else:
        new = subject(name, folder)
        new.register(labels)
        rates = _rates(new, documents)
        new.close()
        noted = {measure: asdict(cost) for measure, cost in rates.items()}
        (folder / _RATES).write_text(json.dumps(noted), encoding="utf-8")
        shutil.copytree(folder, built)
    _answered(subject(name, folder), documents).close()
    kept = json.loads((folder / _RATES).read_text(encoding="utf-8"))
    return subject(name, folder), {measure: Cost(**cost) for measure, cost in kept.items()}


def few(name: str, room: Path) -> Path:
    """Return the folder of the subject that holds only the first few documents."""
    return room / "few" / name


def _rates(new: Subject, documents: Sequence[Document]) -> Rates:
    stored, _ = timed(new.fill, documents)
    answered, _ = timed(_answered, new, documents)
    return {
        "bulk, documents a second, stored": rate(len(documents), stored),
        "bulk, documents a second, stored and searchable": rate(len(documents), stored + answered),
    }


def _answered(asked: Subject, documents: Sequence[Document]) -> Subject:
    """Return the subject after a first answer, which brings its index up to date."""
    asked.search(documents[0]["description"])
    return asked
