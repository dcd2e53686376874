"""The sketches of `minhash` for many texts at once, and candidate pairs of imprints, as arrays."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import count
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from project_memory.duplicates.lsh import BANDS, ROWS, Imprint
from project_memory.duplicates.minhash import FACTORS, MIXER, SIZE, lenders
from project_memory.duplicates.shingles import LENGTH, plain

CROWD = 64
"""Members of a bucket that are still compared each with each."""

_Integer = TypeVar("_Integer", np.int64, np.uint64)
_WINDOW = 8
_TEXTS = 1024
_EMPTY = np.uint64(1 << 32)
_PART = 1 << 14  # pairs whose signs stay in the processor's cache
_LOW_BITS, _HIGH_BIT, _EACH_BYTE = (
    np.uint64(byte * 0x0101010101010101) for byte in (0x7F, 0x80, 0x01)
)


def sketches(texts: Sequence[str]) -> NDArray[np.uint64]:
    """Return (n, SIZE) sketches; a row of 2**32 for a text without any gram."""
    parts = [
        _dense(_sparse([plain(text) for text in texts[start : start + _TEXTS]]))
        for start in range(0, len(texts), _TEXTS)
    ]
    return np.concatenate([*parts, np.empty((0, SIZE), np.uint64)])


def candidates(imprints: Collection[Imprint], least: float) -> NDArray[np.int64]:
    """Return (m, 2) rows, lesser first, that share a band and may resemble each other so much.

    None of the n imprints is empty. A crowded bucket holds what shares boilerplate; each of its
    members meets only the next few in the order of their signs, where likes stand together (the
    sorted neighbourhood of Hernández and Stolfo 1995), so that the work stays in proportion to
    the members.
    """
    count = len(imprints)
    keys = np.array([each.bands for each in imprints], np.int64).reshape(count, BANDS)
    joined = b"".join([each.signs for each in imprints])
    signs = np.frombuffer(joined, np.uint8).reshape(count, SIZE)
    ranks = _ranks(signs)
    found = [_within(keys[:, band], ranks) for band in range(BANDS)]
    codes = _distinct(np.concatenate([*found, np.empty(0, np.int64)]))
    pairs = np.stack([codes // max(1, count), codes % max(1, count)], axis=1)
    # a first look at one value of each band clears nearly all that share no more than chance
    pairs = pairs[_agreeing(signs[:, ::ROWS], pairs) >= _likely(least, BANDS, 4)]
    kept: NDArray[np.int64] = pairs[_agreeing(signs, pairs) >= _likely(least, SIZE, 3)]
    return kept


def resembling(
    texts: Mapping[int, str], pairs: NDArray[np.int64], least: float
) -> NDArray[np.int64]:
    """Return the (k, 2) pairs of (m, 2) that share so many of their 5-grams, in the same order.

    Args:
        texts: Row -> text, of every row in the pairs.
        pairs: Rows.
        least: The least resemblance, in (0, 1].
    """
    owners, hashes = _grams([plain(text) for text in texts.values()])
    ends = np.searchsorted(owners, np.arange(1, len(texts) + 1))
    grams = dict(zip(texts, map(_distinct, np.split(hashes, ends)[:-1]), strict=True))
    near = [_resemblance(grams[one], grams[other]) >= least for one, other in pairs.tolist()]
    kept: NDArray[np.int64] = pairs[np.array(near, bool)]
    return kept


def _resemblance(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> float:
    both = np.sort(np.concatenate([one, other]))
    shared = int(np.count_nonzero(both[1:] == both[:-1]))  # each holds a number once
    return shared / (len(both) - shared) if shared else 0.0


def _ranks(signs: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return (n,) the places of rows of signs in their order; of equals the lesser row first."""
    whole = np.ascontiguousarray(signs).view(f"V{SIZE}").ravel()
    ranks = np.empty(len(signs), np.int64)
    ranks[np.argsort(whole, kind="stable")] = np.arange(len(signs))
    return ranks


def _distinct(codes: NDArray[_Integer]) -> NDArray[_Integer]:
    """Return the values in order, each once; sorting is quicker here than `numpy.unique`."""
    ordered = np.sort(codes)
    first: NDArray[np.bool_] = np.r_[True, ordered[1:] != ordered[:-1]][: len(ordered)]
    distinct: NDArray[_Integer] = ordered[first]
    return distinct


def _agreeing(signs: NDArray[np.uint8], pairs: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return in how many columns of (n, k) each pair of rows agrees; k is a multiple of 8."""
    words = np.ascontiguousarray(signs).view(np.uint64)
    found = np.zeros(len(pairs), np.uint8)
    for start in range(0, len(pairs), _PART):
        one, other = np.ascontiguousarray(pairs[start : start + _PART].T)
        differing = words.take(one, axis=0) ^ words.take(other, axis=0)
        # eight bytes at once: the high bit of each is set unless all of its bits are clear
        differing |= (differing & _LOW_BITS) + _LOW_BITS
        same = (~differing & _HIGH_BIT) >> np.uint64(7)
        found[start : start + _PART] = (same * _EACH_BYTE >> np.uint64(56)).sum(axis=1)
    return found


def _likely(least: float, columns: int, deviations: int) -> float:
    """Return how many columns a pair of this resemblance agrees in, but for bad luck.

    Three standard deviations of the estimate cost one twin in a thousand at most, four one in
    thirty thousand.
    """
    return float(least * columns - deviations * (least * (1 - least) * columns) ** 0.5)


def _sparse(spelled: Sequence[str]) -> NDArray[np.uint64]:
    """Return (n, SIZE) least values, 2**32 in empty bins."""
    owners, hashes = _grams(spelled)
    least = np.full(len(spelled) * SIZE, _EMPTY)
    bins = (hashes & np.uint64(0xFFFFFFFF)) % np.uint64(SIZE)
    np.minimum.at(least, owners * SIZE + bins.astype(np.int64), hashes >> np.uint64(32))
    return least.reshape(len(spelled), SIZE)


def _grams(spelled: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return (the text that each gram is of, its hash), in the order of texts."""
    padded = [text.ljust(LENGTH, "\0") if text else "" for text in spelled]
    joined = np.frombuffer("".join(padded).encode("utf-32-le", "surrogatepass"), np.uint32)
    owners = np.repeat(np.arange(len(padded)), [len(text) for text in padded])
    points = joined.astype(np.uint64)
    last = max(0, len(points) - LENGTH + 1)
    hashes = np.zeros(last, np.uint64)
    for start, factor in enumerate(FACTORS):
        hashes += points[start : start + last] * np.uint64(factor)
    hashes = (hashes ^ hashes >> np.uint64(31)) * np.uint64(MIXER)
    hashes ^= hashes >> np.uint64(32)
    whole = owners[:last] == owners[LENGTH - 1 :]
    return owners[:last][whole], hashes[whole]


def _dense(sparse: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the sketches with every empty bin filled from others, but in rows without a gram."""
    dense = sparse.copy()
    rows, bins = np.nonzero(sparse == _EMPTY)
    fillable = (sparse != _EMPTY).any(axis=1)[rows]
    rows, bins = rows[fillable], bins[fillable]
    for attempt in count(1):
        if not len(rows):
            break
        offered = sparse[rows, _lenders(attempt)[bins]]
        dense[rows, bins] = offered
        still = offered == _EMPTY
        rows, bins = rows[still], bins[still]
    return dense


@cache
def _lenders(attempt: int) -> NDArray[np.int64]:
    return np.array(lenders(attempt))


def _within(keys: NDArray[np.int64], ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the pairs of rows of one key, each as ``lesser * n + greater``."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]][: len(keys)])
    sizes = np.diff(np.r_[starts, len(keys)])
    found = [np.empty(0, np.int64)]
    for size in np.unique(sizes[sizes > 1]).tolist():
        buckets = order[starts[sizes == size][:, None] + np.arange(size)]
        found.append(_all_pairs(buckets, len(ranks)) if size <= CROWD
                     else _near_pairs(buckets, ranks))  # fmt: skip
    return np.concatenate(found)


def _all_pairs(buckets: NDArray[np.int64], total: int) -> NDArray[np.int64]:
    """Return the pairs of each of (k, size) buckets, whose members ascend."""
    one, other = np.triu_indices(buckets.shape[1], 1)
    codes: NDArray[np.int64] = (buckets[:, one] * total + buckets[:, other]).ravel()
    return codes


def _near_pairs(buckets: NDArray[np.int64], ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, of crowded buckets, the pairs of members whose sketches stand close in order."""
    found = [np.empty(0, np.int64)]
    for members in buckets:
        ordered = members[np.argsort(ranks[members])]
        for step in range(1, _WINDOW + 1):
            one, other = ordered[:-step], ordered[step:]
            found.append(np.minimum(one, other) * len(ranks) + np.maximum(one, other))
    return np.concatenate(found)
