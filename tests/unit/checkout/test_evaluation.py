"""Checks of memories are held against the files of a checkout, and against nothing else."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from repositories import Repository

from project_memory.checkout import reading, searching
from project_memory.checkout.evaluation import judged, listed, verdicts
from project_memory.checkout.git import checkout_at
from project_memory.checkout.reading import MAX_FILE_BYTES, Reader, Unread
from project_memory.checkout.searching import Files, searched

FIX = "see which is wrong, and correct the lesson with its check, or the code"


def exists(path: str) -> dict[str, str]:
    return {"type": "file_exists", "path": path}


def absent(path: str) -> dict[str, str]:
    return {"type": "file_absent", "path": path}


def present(path: str, text: str) -> dict[str, str]:
    return {"type": "text_present", "path": path, "text": text}


def without(path: str, text: str) -> dict[str, str]:
    return {"type": "text_absent", "path": path, "text": text}


def said(repository: Repository, *checks: dict[str, Any]) -> list[str]:
    """Return what is said of checks: place, standing and message of each that does not hold."""
    found = verdicts(checkout_at(repository.root), {"first": checks}).get("first", ())
    return [
        f"{each.position} {each.standing} {each.file}:{each.line} {each.message}; {each.fix}"
        for each in found
    ]


@pytest.fixture
def code(repository: Repository) -> Repository:
    repository.commit(
        "2026-03-01",
        {
            "src/a.py": "one\ntwo\nBEGIN IMMEDIATE\n",
            "src/b.py": "one\r\nthree\r\n",
            "README.md": "# Über\n",
            ".gitignore": "ignored/\n",
        },
    )
    return repository


def test_checks_that_hold_are_left_out(code: Repository) -> None:
    checks = (
        exists("src/a.py"), exists("src"), exists("./src/"), exists("src/*.py"),
        absent("src/c.py"), absent("src/*.pyx"), absent("src/a.py/x"),
        present("src/a.py", "BEGIN IMMEDIATE"), present("src/**", "three"),
        present("README.md", "Über"), present("src/a.py", "one\ntwo"),
        present("src/b.py", "one\nthree"),
        without("src/a.py", "DEFERRED"), without("src/*.py", "begin"), without("gone.py", "x"),
        without("*.pyx", "x"),
    )  # fmt: skip
    assert verdicts(checkout_at(code.root), {"first": checks}) == {}


@pytest.mark.parametrize(
    ("check", "place", "message"),
    [
        (exists("src/c.py"), "src/c.py:None", "'src/c.py' is not there"),
        (exists("src/*.pyx"), "None:None", "nothing is there that 'src/*.pyx' means"),
        (absent("src/a.py"), "src/a.py:None", "'src/a.py' is there"),
        (absent("src"), "src:None", "'src' is there"),
        (absent("**/b.py"), "src/b.py:None", "'src/b.py' is there, and '**/b.py' means it"),
        (present("src/a.py", "ROLLBACK"), "src/a.py:None",
         "'src/a.py' does not hold 'ROLLBACK'"),
        (present("gone.py", "x"), "gone.py:None", "'gone.py' is not there"),
        (present("*.pyx", "x"), "None:None", "no file of text is there that '*.pyx' means"),
        (present("src/*.py", "ROLLBACK"), "None:None",
         "none of the 2 files of 'src/*.py' holds 'ROLLBACK'"),
        (present("*.md", "ROLLBACK"), "None:None",
         "the one file of '*.md' does not hold 'ROLLBACK'"),
        (without("src/a.py", "IMMEDIATE"), "src/a.py:3", "line 3 of 'src/a.py' holds 'IMMEDIATE'"),
        (without("src/**", "three"), "src/b.py:2", "line 2 of 'src/b.py' holds 'three'"),
        (without("src/b.py", "one\nthree"), "src/b.py:1",
         "line 1 of 'src/b.py' holds 'one\\nthree'"),
    ],
)  # fmt: skip
def test_what_the_code_contradicts_is_told_with_its_place(
    code: Repository, check: dict[str, Any], place: str, message: str
) -> None:
    assert said(code, check) == [f"0 contradicted {place} {message}; {FIX}"]


def test_each_check_is_told_by_its_position(code: Repository) -> None:
    found = said(code, exists("src/a.py"), exists("x"), absent("y"), exists("z"))
    assert [each.split()[0] for each in found] == ["1", "3"]


def test_a_secret_in_a_check_is_not_repeated(code: Repository) -> None:
    token = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"
    (found,) = said(code, present("src/a.py", token))
    assert token not in found


def test_globs_mean_what_git_tracks_or_would_add_and_is_there(code: Repository) -> None:
    code.write({"ignored/x.py": "secret\n", "src/new.py": "new\n"})
    (code.root / "README.md").unlink()
    assert said(code, without("**", "secret"), present("**", "new"), absent("*.md")) == []
    assert said(code, without("ignored/x.py", "secret"))  # what is named is looked at


def test_the_exported_lesson_is_no_evidence_for_itself(code: Repository) -> None:
    code.write({".project-memory/memories/first.json": '{"text": "ROLLBACK"}\n'})
    assert said(code, without("**", "ROLLBACK")) == []
    assert said(code, exists(".project-memory/memories/*.json"))


# -- what is hostile ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["../../etc/passwd", "/etc/passwd", "~/x", "C:/x", "src/../../x", "../*", "/etc/*", "..\\x"],
)
@pytest.mark.parametrize("kind", [exists, absent])
def test_nothing_out_of_the_checkout_is_looked_at(
    code: Repository, monkeypatch: pytest.MonkeyPatch, path: str, kind: Any
) -> None:
    shown = "../x" if path == "src/../../x" else path
    expected = f"0 undecided None:None '{shown}' leads out of the checkout; name a path in it"
    forbidden(monkeypatch)
    assert said(code, kind(path)) == [expected]
    assert said(code, present(path, "root")) == [expected]
    assert said(code, without(path, "root")) == [expected]


@pytest.mark.parametrize("path", [".git", ".git/config", ".GIT/HEAD", "src/.git/config"])
@pytest.mark.parametrize("kind", [exists, absent])
def test_nothing_of_git_is_looked_at(
    code: Repository, monkeypatch: pytest.MonkeyPatch, path: str, kind: Any
) -> None:
    told = f"'{path}' is git's own, which is never read; name a file of the code"
    expected = f"0 undecided None:None {told}"
    forbidden(monkeypatch)
    assert said(code, kind(path)) == [expected]
    assert said(code, present(path, "root")) == [expected]
    assert said(code, without(path, "root")) == [expected]


def test_a_folder_that_was_looked_into_does_not_open_that_of_git(code: Repository) -> None:
    assert said(code, exists("README.md"), absent(".git")) == [
        "1 undecided None:None '.git' is git's own, which is never read; name a file of the code"
    ]


def forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each look at a file fail that is made for a check."""

    def fail(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(reading.os, "open", fail)
    monkeypatch.setattr(reading, "_of", fail)


def test_no_symbolic_link_is_followed(code: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("root\n")
    (code.root / "out").symlink_to(tmp_path)
    (code.root / "loop").symlink_to("loop")
    (code.root / "link.txt").symlink_to(tmp_path / "secret.txt")
    behind = "lies behind the symbolic link 'out', and none is followed"
    loop = "is a symbolic link, and none is followed; name the file that it leads to"
    assert said(
        code,
        present("out/secret.txt", "root"),
        exists("out/secret.txt"),
        without("loop", "x"),
        absent("loop/x"),
        present("*.txt", "root"),
    ) == [
        f"0 undecided None:None 'out/secret.txt' {behind}; name the file where it really is",
        f"1 undecided None:None 'out/secret.txt' {behind}; name the file where it really is",
        f"2 undecided None:None 'loop' {loop}",
        "3 undecided None:None 'loop/x' lies behind the symbolic link 'loop', and none is "
        "followed; name the file where it really is",
        f"4 contradicted None:None no file of text is there that '*.txt' means; {FIX}",
    ]


def test_a_pipe_is_not_opened(code: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(code.root / "pipe")
    opened: list[Path] = []
    monkeypatch.setattr(reading, "_held", opened.append)
    expected = "undecided None:None 'pipe' is no regular file; name one"
    assert said(code, present("pipe", "x"), exists("pipe"), absent("pipe")) == [
        f"0 {expected}", f"1 {expected}", f"2 {expected}",
    ]  # fmt: skip
    assert said(code, without("p*", "x")) == []  # git lists no pipes
    assert opened == []


def test_what_becomes_a_pipe_between_look_and_open_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert reading._held(tmp_path / "pipe") == Unread("is no regular file", "name one")


def test_a_huge_file_is_not_opened(code: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    with (code.root / "huge.log").open("wb") as file:
        file.truncate(2 * 1024**3)
    opened: list[Path] = []
    monkeypatch.setattr(reading, "_held", opened.append)
    expected = (
        "undecided None:None 'huge.log' has 2,147,483,648 bytes, and at most 16,777,216 are read; "
        "name a smaller file"
    )
    assert said(code, present("huge.log", "x"), without("*.log", "x"), exists("huge.log")) == [
        f"0 {expected}", f"1 {expected}",
    ]  # fmt: skip
    assert opened == []


def test_a_file_that_grows_while_it_is_read_is_too_large(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"x" * (MAX_FILE_BYTES + 7))
    held = reading._held(tmp_path / "log")
    assert isinstance(held, Unread)
    assert held.why == "has 16,777,217 bytes, and at most 16,777,216 are read"


def test_a_device_is_not_opened(tmp_path: Path) -> None:
    found = os.stat_result((stat.S_IFCHR | 0o666, *(0 for _ in range(9))))
    assert reading._of(found) == Unread("is no regular file", "name one")


def test_binary_files_are_passed_over_by_globs_only(code: Repository) -> None:
    (code.root / "src/image.py").write_bytes(b"\x89PNG\0BEGIN ROLLBACK")
    assert said(code, without("src/*", "ROLLBACK")) == []
    assert said(code, without("src/image.py", "ROLLBACK")) == [
        "0 undecided None:None 'src/image.py' is binary; name a file of text"
    ]


def test_a_folder_is_searched_by_a_glob(code: Repository) -> None:
    assert said(code, present("src", "one")) == [
        "0 undecided None:None 'src' is a folder; name files in it, such as 'src/**'"
    ]


def test_what_may_not_be_read_is_undecided(
    code: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(reading.os, "open", refused)
    assert said(code, present("src/a.py", "one")) == [
        "0 undecided None:None 'src/a.py' cannot be read (permission denied); see why"
    ]


def test_a_glob_of_a_million_matches_stops_early(tmp_path: Path) -> None:
    taken: list[str] = []

    class Names(list):
        def __getitem__(self, position):
            found = super().__getitem__(position)
            taken.append(found)
            return found

    names = Names(f"src/{number:07}.py" for number in range(1_000_000))
    files = Files(Reader(tmp_path), lambda: names)
    expected = Unread("matches more than 20,000 files", "narrow it")
    assert files.matches("src/*.py") == expected
    assert len(taken) < 100_000
    assert searched(files, [("src/*.py", "x")])["src/*.py"].unread == ("src/*.py", expected)


def test_one_run_reads_a_bounded_number_of_bytes(
    code: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_RUN_BYTES", 25)
    assert said(code, present("src/a.py", "two"), without("src/b.py", "x")) == [
        "1 undecided None:None 'src/b.py' is not read: one run reads at most 1,073,741,824 bytes; "
        "narrow the globs of the checks"
    ]


def test_a_file_is_read_once_however_many_checks_ask(
    code: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    code.write({"requirements.txt": "requests==2.31\n"})
    read: list[str] = []
    held = reading._held
    monkeypatch.setattr(reading, "_held", lambda place: read.append(place.name) or held(place))
    listings: list[object] = []
    monkeypatch.setattr(searching.Files, "_matching", counted(listings, searching.Files._matching))
    checks = {
        f"memory-{number}": [
            present("src/a.py", f"text {number}"),
            without("src/*.py", f"text {number}"),
            present("requirements.txt", "requests"),
            {"type": "dependency", "requirement": f"requests>={number % 3}"},
        ]
        for number in range(2000)
    }
    assert len(verdicts(checkout_at(code.root), checks)) == 2000
    assert sorted(read) == ["a.py", "b.py", "requirements.txt"]
    assert len(listings) == 2  # src/*.py and requirements*.txt


def counted(calls: list[object], function: Any) -> Any:
    def wrapped(*arguments: Any) -> Any:
        calls.append(arguments)
        return function(*arguments)

    return wrapped


def test_what_git_lists_is_sorted_and_told_once(code: Repository) -> None:
    code.write({"src/a.py": "another\n"})
    assert listed(checkout_at(code.root / "src")) == [
        ".gitignore", "README.md", "src/a.py", "src/b.py",
    ]  # fmt: skip


def test_an_accent_counts_the_same_however_a_file_writes_it(code: Repository) -> None:
    parts = "one\nu\u0308ber\n\x80".encode("utf-8") + b"\xff"
    (code.root / "apart.txt").write_bytes(parts)
    checks = (present("apart.txt", "\u00fcber"), without("*.txt", "e\n\u00fcb"))
    assert said(code, *checks, without("apart.txt", "\u00fc")) == [
        f"1 contradicted apart.txt:1 line 1 of 'apart.txt' holds 'e\\n\u00fcb'; {FIX}",
        f"2 contradicted apart.txt:2 line 2 of 'apart.txt' holds '\u00fc'; {FIX}",
    ]


def test_without_checks_nothing_is_asked(code: Repository) -> None:
    assert verdicts(checkout_at(code.root), {}) == {}
    assert verdicts(checkout_at(code.root), {"first": ()}) == {}


def test_two_thousand_memories_read_each_of_five_thousand_files_once(tmp_path: Path) -> None:
    names = [f"src/p{number % 50:02}/f{number:04}.py" for number in range(5000)]
    reads: list[str] = []

    class Counting(Reader):
        def read(self, path: str) -> bytes:
            reads.append(path)
            return path.encode()

    files = Files(Counting(tmp_path), lambda: sorted(names))
    checks = {
        f"memory-{number}": [
            present(names[number], names[number]),
            without(f"src/p{number % 50:02}/*.py", f"never {number}"),
        ]
        for number in range(2000)
    }
    checks["of-all"] = [without("**", "f4999.py")]
    found = judged(files, checks)
    assert {name: each[0].file for name, each in found.items()} == {"of-all": "src/p49/f4999.py"}
    assert sorted(reads) == sorted(names)


def test_a_glob_passes_over_links_and_submodules(code: Repository, tmp_path: Path) -> None:
    (code.root / "LINK.md").symlink_to("README.md")
    module = Repository(code.root / "nested")
    module.root.mkdir()
    module.git("init", "--quiet")
    module.commit("2026-03-01", {"x.md": "text\n"})
    code.commit("2026-03-02")
    assert said(code, without("**", "no such text"), exists("nest*"), without("*.md", "x")) == []
