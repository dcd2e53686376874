"""What is built: a source distribution, and from it a wheel with one copy of every resource."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
RESOURCES = ("schema", "skills", "examples/store")
NOT_BUILT = ("__pycache__", ".pyc")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source distribution, and the wheel from it; nothing comes from the network."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
    done = subprocess.run(
        [*command, str(REPOSITORY)], capture_output=True, text=True, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def wheel(built: Path) -> dict[str, bytes]:
    """Return the files of the wheel."""
    with zipfile.ZipFile(next(built.glob("*.whl"))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="session")
def source(built: Path) -> dict[str, bytes]:
    """Return the files of the source distribution, without its top folder."""
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        files = [member for member in archive if member.isfile()]
        return {
            member.name.partition("/")[2]: archive.extractfile(member).read()  # type: ignore[union-attr]
            for member in files
        }


def in_repository(folder: str) -> dict[str, bytes]:
    """Return path -> content of a folder's files."""
    return {
        path.relative_to(REPOSITORY).as_posix(): path.read_bytes()
        for path in sorted((REPOSITORY / folder).rglob("*"))
        if path.is_file() and not any(part.endswith(NOT_BUILT) for part in path.parts)
    }


@pytest.mark.parametrize("folder", RESOURCES)
def test_the_wheel_holds_every_resource_byte_for_byte(
    wheel: dict[str, bytes], folder: str
) -> None:
    prefix = f"project_memory/_data/{folder}/"
    packed = {
        name.removeprefix("project_memory/_data/"): content
        for name, content in wheel.items()
        if name.startswith(prefix)
    }
    assert packed == in_repository(folder)
    assert packed


def test_the_wheel_holds_the_whole_package(wheel: dict[str, bytes]) -> None:
    packed = {
        name: content
        for name, content in wheel.items()
        if name.startswith("project_memory/") and not name.startswith("project_memory/_data/")
    }
    assert packed == in_repository("project_memory")
    assert "project_memory/py.typed" in packed


def test_the_wheel_holds_nothing_else(wheel: dict[str, bytes]) -> None:
    tops = {name.partition("/")[0] for name in wheel}
    assert sorted(tops, key=len) == ["project_memory", next(t for t in tops if "dist-info" in t)]


def test_the_wheel_installs_the_command_and_the_licence(wheel: dict[str, bytes]) -> None:
    entry = next(text for name, text in wheel.items() if name.endswith("/entry_points.txt"))
    assert b"project-memory = project_memory.__main__:main" in entry
    assert any(name.endswith("/licenses/LICENSE") for name in wheel)


def test_the_source_distribution_can_be_tested(source: dict[str, bytes]) -> None:
    for folder in ("project_memory", "schema", "skills", "examples", "tests"):
        held = {name: text for name, text in source.items() if name.startswith(f"{folder}/")}
        assert held == in_repository(folder)
    assert {"README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile"} <= set(source)


def test_an_unpacked_wheel_finds_its_own_resources(built: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as archive:
        archive.extractall(tmp_path)
    script = "from project_memory import resources; print(resources.data_root())"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()) == tmp_path / "project_memory" / "_data"
