"""Mappings in layers, against plain dictionaries."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from project_memory.index.bitmaps import Carriers, Layered

steps = st.lists(
    st.tuples(st.sampled_from(["put", "remove", "copy"]), st.integers(0, 400), st.integers(1, 9))
)


@given(steps, st.integers(0, 400))
def test_a_line_of_copies_is_a_line_of_dictionaries(
    done: list[tuple[str, int, int]], size: int
) -> None:
    layered: Layered[int, int] = Layered()
    plain: dict[int, int] = {}
    for key in range(size):
        layered.put(key, 1)
        plain[key] = 1
    older = [(layered, dict(plain))]
    for step, key, value in done:
        match step:
            case "put":
                layered.put(key, value)
                plain[key] = value
            case "remove":
                layered.put(key, 0)
                plain.pop(key, None)
            case "copy":
                older[-1] = (layered, dict(plain))
                layered = layered.copy()
                older.append((layered, plain))
    older[-1] = (layered, plain)
    for copy, expected in older:
        assert dict(copy.live()) == expected
        assert {key for key in range(401) if copy.get(key)} == set(expected)


def test_a_value_that_nobody_carries_is_gone() -> None:
    carriers = Carriers()
    carriers.add("python", 1)
    copied = carriers.copy()
    copied.discard("python", 1)
    assert set(copied.live()) == set()
    assert set(carriers.live()) == {"python"}
    assert set(carriers.get("python")) == {1}


def test_a_bitmap_that_copies_share_is_not_changed() -> None:
    carriers = Carriers()
    carriers.add("python", 1)
    held = carriers.get("python")
    copied = carriers.copy()
    copied.add("python", 2)
    carriers.add("python", 3)
    assert (set(held), set(copied.get("python")), set(carriers.get("python"))) == (
        {1},
        {1, 2},
        {1, 3},
    )
