"""Which memories name certain paths, in their files or their checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from pyroaring import BitMap

from project_memory import globs
from project_memory.index.bitmaps import Carriers, union


@dataclass(frozen=True, slots=True)
class Naming:
    """The memories that name any of some paths.

    Attributes:
        exact: Those that name one itself.
        wide: Those that name a folder it is in, or a glob that means it; and, of a folder that is
            asked for, those that name what is in it.
    """

    exact: BitMap = field(default_factory=BitMap)
    wide: BitMap = field(default_factory=BitMap)

    @property
    def either(self) -> BitMap:
        """Return all of them."""
        return self.exact | self.wide


def naming(carriers: Mapping[str, Carriers], paths: Iterable[str]) -> Naming:
    """Return the memories that name paths, which are plain; see `globs.plain`.

    Args:
        carriers: Field -> who carries each of its values.
        paths: From the top of the repository, without wildcards.
    """
    asked = list(paths)
    exact = [carriers[kind].get(path) for kind in ("file", "checked") for path in asked]
    wide = [who for path in asked for who in _wide(carriers, path)]
    return Naming(union(exact), union(wide))


def _wide(carriers: Mapping[str, Carriers], path: str) -> Iterator[BitMap]:
    *folders, _ = accumulate(path.split("/"), "{}/{}".format)
    for kind in ("file", "checked"):
        yield from (carriers[kind].get(folder) for folder in folders)
    below = f"{path}/"
    for kind in ("file", "checked", "glob"):
        for name, who in carriers[kind].live().items():
            if name.startswith(below) or (globs.is_glob(name) and _means(name, path)):
                yield who


def _means(glob: str, path: str) -> bool:
    # most globs are of other folders, and not even compiled for this
    start = globs.literal_start(glob)
    return path.startswith(start) and bool(globs.path_pattern(glob).fullmatch(path))
