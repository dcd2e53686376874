"""A check of a dependency holds while each file that names it allows a version of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from project_memory.checkout import depending
from project_memory.checkout.depending import Manifests
from project_memory.checkout.reading import Reader
from project_memory.checkout.searching import Files

FIX = "see which is wrong, and correct the lesson with its check, or the code"


def said(
    root: Path, files: dict[str, str], requirement: str, path: str | None = None
) -> str | None:
    """Return what is said of one check beside these files, in a folder."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    check = {"requirement": requirement} | ({"path": path} if path else {})
    listed = sorted(str(each.relative_to(root)) for each in root.rglob("*") if each.is_file())
    found = depending.judged(Manifests(Files(Reader(root), lambda: listed)), check)
    if found is None:
        return None
    return f"{found.standing} {found.file}:{found.line} {found.message}; {found.fix}"


PACKAGE = '{\n"dependencies": {"react": "^17 || ^18"}\n}\n'
LOCK = '{"packages": {\n"node_modules/react": {"version": "17.0.2"}\n}}\n'
PROJECT = '[project]\ndependencies = ["requests>=1.5"]\n'


@pytest.mark.parametrize(
    ("files", "requirement"),
    [
        ({"pyproject.toml": PROJECT}, "requests"),
        ({"pyproject.toml": PROJECT}, "Requests>=2"),
        ({"requirements-dev.txt": "requests==2.31\n"}, "requests>=2,<3"),
        ({"package.json": PACKAGE}, "react@^18"),
        ({"package.json": PACKAGE, "package-lock.json": LOCK}, "react<18"),
        ({"package-lock.json": LOCK}, "react"),
        ({"Cargo.toml": '[dependencies]\nserde = "1"\n'}, "serde@1.0.100"),
        ({"go.mod": "require golang.org/x/net v0.17.0\n"}, "golang.org/x/net>=0.17"),
        # a language in which it is no requirement is not asked
        ({"package.json": PACKAGE, "requirements.txt": "react==1\n"}, "react@^18"),
        ({"requirements.txt": "x<2; python_version < '3.9'\nx>=2\n"}, "x>=2"),
        ({"requirements.txt": "-r m/b.txt\n", "m/b.txt": "-r ../requirements.txt\nx==2"},
         "x>=2"),
    ],
)  # fmt: skip
def test_it_holds(tmp_path: Path, files: dict[str, str], requirement: str) -> None:
    assert said(tmp_path, files, requirement) is None


@pytest.mark.parametrize(
    ("files", "requirement", "place", "message"),
    [
        ({"pyproject.toml": PROJECT}, "requests<1", "pyproject.toml:2",
         "line 2 of 'pyproject.toml' allows 'requests' only as '>=1.5', not as 'requests<1'"),
        ({"pyproject.toml": PROJECT, "requirements.txt": "\nrequests==1.9\n"}, "requests>=2",
         "requirements.txt:2",
         "line 2 of 'requirements.txt' allows 'requests' only as '==1.9', not as 'requests>=2'"),
        ({"package.json": PACKAGE, "package-lock.json": LOCK}, "react@18", "package-lock.json:2",
         "line 2 of 'package-lock.json' allows 'react' only as '17.0.2', not as 'react@18'"),
        ({"Cargo.toml": '[dependencies]\nserde = "1"\n'}, "serde@2", "Cargo.toml:2",
         "line 2 of 'Cargo.toml' allows 'serde' only as '^1', not as 'serde@2'"),
        ({"go.mod": "require golang.org/x/net v0.16.0\n"}, "golang.org/x/net>=0.17", "go.mod:1",
         "line 1 of 'go.mod' allows 'golang.org/x/net' only as 'v0.16.0', not as "
         "'golang.org/x/net>=0.17'"),
        ({"requirements.txt": "-r more/base.txt\n", "more/base.txt": "x==1"}, "x>=2",
         "more/base.txt:1", "line 1 of 'more/base.txt' allows 'x' only as '==1', not as 'x>=2'"),
        ({"pyproject.toml": PROJECT, "package.json": PACKAGE}, "flask", "None:None",
         "no dependency 'flask' in pyproject.toml, package.json"),
        ({}, "flask", "None:None",
         "no dependency 'flask': no file is there that could name it"),
    ],
)  # fmt: skip
def test_it_is_contradicted(
    tmp_path: Path, files: dict[str, str], requirement: str, place: str, message: str
) -> None:
    assert said(tmp_path, files, requirement) == f"contradicted {place} {message}; {FIX}"


def test_a_path_says_which_files_are_meant(tmp_path: Path) -> None:
    files = {"package.json": PACKAGE, "web/package.json": PACKAGE.replace("react", "preact")}
    assert said(tmp_path, files, "preact", "web/package.json") is None
    assert said(tmp_path, files, "preact", "**/package.json") is None
    assert said(tmp_path, {"web/notes.md": "preact\n"}, "preact", "web/*") is None
    assert said(tmp_path, files, "preact") == (
        f"contradicted None:None no dependency 'preact' in package.json; {FIX}"
    )
    assert said(tmp_path, files, "preact", "app/package.json") == (
        "contradicted None:None no dependency 'preact': no file is there that could name it; "
        f"{FIX}"
    )


@pytest.mark.parametrize("requirement", ["!", "two words", ">=2", "x @ https://example.org/x"])
def test_what_is_no_requirement_is_told(tmp_path: Path, requirement: str) -> None:
    assert said(tmp_path, {"pyproject.toml": PROJECT}, requirement) == (
        f"undecided None:None '{requirement}' is no requirement; write a name and versions, such "
        "as 'requests>=2,<3' or 'react@^18'"
    )


@pytest.mark.parametrize(
    ("files", "path", "message"),
    [
        ({"pyproject.toml": "[x"}, None, "'pyproject.toml' is no TOML (Expected ']' at the end of "
         "a table declaration (at end of document)); correct it"),
        ({"pyproject.toml": PROJECT}, "../pyproject.toml",
         "'../pyproject.toml' leads out of the checkout; name a path in it"),
        ({"setup.cfg": "x"}, "setup.cfg", "'setup.cfg' is none of the files that name "
         "dependencies; name one of pyproject.toml, *.txt, *.in, package.json, "
         "package-lock.json, Cargo.toml, go.mod"),
        ({"requirements.txt": "-r ../../etc/passwd\nrequests\n"}, None,
         "'../../etc/passwd' leads out of the checkout; name a path in it"),
        ({"requirements.txt": "-r https://example.org/x.txt\nrequests\n"}, None,
         "'https:/example.org/x.txt' is included and not there; correct the file that includes "
         "it"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_leaves_it_undecided(
    tmp_path: Path, files: dict[str, str], path: str | None, message: str
) -> None:
    assert said(tmp_path, files, "requests", path) == f"undecided None:None {message}"


def test_what_is_no_requirement_in_a_file_leaves_open_what_is_found_nowhere(
    tmp_path: Path,
) -> None:
    lines = '[project]\ndependencies = [\n  "httpx>=1",\n  "requests >== 2",\n]\n'
    files = {"pyproject.toml": lines}
    assert said(tmp_path, files, "httpx") is None
    assert said(tmp_path, files, "requests>=2") == (
        "undecided None:None 'pyproject.toml' has on line 4 'requests >== 2', which is no "
        "requirement; correct it"
    )


def test_a_contradiction_outweighs_what_cannot_be_read(tmp_path: Path) -> None:
    files = {"pyproject.toml": "[x", "requirements.txt": "requests==1\n"}
    assert (said(tmp_path, files, "requests>=2") or "").startswith("contradicted")


def test_includes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depending, "MAX_INCLUDED", 3)
    chain = {f"r{number}.txt": f"-r r{number + 1}.txt\n" for number in range(10)}
    files = {"requirements.txt": "-r r0.txt\n", **chain}
    assert said(tmp_path, files, "requests") == (
        "undecided None:None 'r2.txt' includes more than 50 files; name the file that matters"
    )


def test_a_symbolic_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text(PROJECT)
    (tmp_path / "pyproject.toml").symlink_to("real.toml")
    assert said(tmp_path, {}, "requests") == (
        "undecided None:None 'pyproject.toml' is a symbolic link, and none is followed; name the "
        "file that it leads to"
    )


def test_what_cannot_be_read_of_another_language_does_not_matter(tmp_path: Path) -> None:
    files = {"pyproject.toml": "[x", "package.json": PACKAGE}
    assert said(tmp_path, files, "react@^18") is None
    assert (said(tmp_path, files, "react>=18") or "").startswith("undecided None:None 'pyproject")
    assert said(tmp_path, files, "react@^18", "pyproject.toml") == (
        "contradicted None:None no dependency 'react@^18': no file is there that could name it; "
        f"{FIX}"
    )


def test_of_many_files_some_are_named(tmp_path: Path) -> None:
    files = {f"p{number}/package.json": PACKAGE for number in range(7)}
    assert said(tmp_path, files, "vue", "**/package.json") == (
        "contradicted None:None no dependency 'vue' in p0/package.json, p1/package.json, "
        f"p2/package.json, p3/package.json, p4/package.json and 2 more; {FIX}"
    )
