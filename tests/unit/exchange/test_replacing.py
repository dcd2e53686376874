"""Whatever ends the writing of a directory midway, what a file held is in some file."""

from __future__ import annotations

from pathlib import Path

import pytest

from project_memory.errors import StorageError
from project_memory.exchange import replacing


@pytest.mark.parametrize("names", [("a.json", "b.json"), ("b.json", "a.json")])
def test_what_a_twin_keeps_is_written_over_only_when_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, str]
) -> None:
    held, twin = names
    (tmp_path / held).write_bytes(b"of the folder")
    put = Path.replace

    def fails_for_what_is_there(source: Path, target: Path) -> Path:
        if Path(target).name == held:
            raise OSError(28, "No space left on device", str(target))
        return put(source, target)

    monkeypatch.setattr(Path, "replace", fails_for_what_is_there)
    with pytest.raises(StorageError) as error:
        replacing.bring(
            tmp_path,
            {held: b"of the folder"},
            {held: b"of the store", twin: b"of the folder"},
        )
    assert str(error.value) == f"cannot write '{tmp_path / held}' (No space left on device)"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        held: b"of the folder",
        twin: b"of the folder",
    }
