"""A file of named arrays: mapped into memory, written whole or not at all.

Layout: `MAGIC`; the length of the head and its checksum, 8 bytes each; the head, JSON that says of
each array its name, type, shape, place and checksum; the arrays, each at a multiple of 64 bytes.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

MAGIC = b"PMARRAY1"
_ALIGNED = 64
_BLOCK = 1 << 20
_TYPES = frozenset({"|u1", "|b1", "<i4", "<i8", "<u4", "<u8"})


class _Listed(NamedTuple):
    """What the head says of one array: its name, type, shape and checksum."""

    name: str
    kind: str
    shape: tuple[int, ...]
    sum: int

    @property
    def size(self) -> int:
        return math.prod(self.shape)


class Damaged(Exception):
    """The file is not what was written; whoever keeps it builds its contents anew."""


def write(path: Path, told: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Replace a file by one that holds these arrays and what is told of them, JSON.

    Two processes may write at once: each file is whole, and the last one stays. Only its owner can
    read it.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    whole = {name: np.ascontiguousarray(each) for name, each in arrays.items()}
    sums = [zlib.adler32(each.data) if each.size else 1 for each in whole.values()]
    listed = [
        [name, each.dtype.str, each.shape, sum_]
        for (name, each), sum_ in zip(whole.items(), sums, strict=True)
    ]
    head = json.dumps({"told": told, "arrays": listed}).encode()
    # the name is unguessable and the mode 0600 from the start
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(MAGIC + _number(len(head)) + _number(zlib.adler32(head)) + head)
            for each in whole.values():
                file.write(b"\0" * (-file.tell() % _ALIGNED))
                if each.size:
                    file.write(each.data)
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return (what is told, the arrays) of one file, whoever replaces it meanwhile.

    Arrays are mapped: they cannot be changed, and cost what is looked at.

    Every array is compared with its checksum first, which reads the file once and maps nothing.

    Raises:
        Damaged: it is not what was written.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        told, listed = _head(file)
        size = os.fstat(file.fileno()).st_size
        places = list(_places(file.tell(), listed))
        for each, (start, length) in zip(listed, places, strict=True):
            if start + length > size or _checksum(file, start, length) != each.sum:
                raise Damaged(f"array '{each.name}' is not what was written")
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    arrays = {
        each.name: np.frombuffer(mapped, each.kind, each.size, start).reshape(each.shape)
        for each, (start, _) in zip(listed, places, strict=True)
    }
    return told, arrays


def _head(file: BinaryIO) -> tuple[dict[str, Any], list[_Listed]]:
    magic, length, sum_ = file.read(len(MAGIC)), _read_number(file), _read_number(file)
    fits = magic == MAGIC and length < os.fstat(file.fileno()).st_size
    head = file.read(length) if fits else b""
    if not head or zlib.adler32(head) != sum_:
        raise Damaged("its head is not what was written")
    found = json.loads(head)
    listed = [_Listed(*each) for each in found["arrays"]]
    if any(each.kind not in _TYPES for each in listed):
        raise Damaged("it holds arrays of other types")
    return found["told"], listed


def _places(start: int, listed: list[_Listed]) -> Iterator[tuple[int, int]]:
    """Yield (where it begins, bytes) for each array; `start` is where the head ends."""
    for each in listed:
        start += -start % _ALIGNED
        length = np.dtype(each.kind).itemsize * each.size
        yield start, length
        start += length


def _checksum(file: BinaryIO, start: int, length: int) -> int:
    file.seek(start)
    sum_ = 1
    while length > 0:
        block = file.read(min(_BLOCK, length))
        if not block:
            break
        sum_ = zlib.adler32(block, sum_)
        length -= len(block)
    return sum_


def _read_number(file: BinaryIO) -> int:
    return int.from_bytes(file.read(8), "little")


def _number(value: int) -> bytes:
    return value.to_bytes(8, "little")
