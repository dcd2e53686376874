"""What each kind of file names, in which versions, and in which line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from project_memory.checkout.dependencies import FORMS, Declaration, Malformed, Unreadable, form_of

PYPROJECT = """\
[build-system]
requires = ["hatchling>=1.26"]

[project]
name = "shop"
dependencies = [
  "requests>=2,<3",
  "Zope_Interface",
  "local @ file:///srv/local",
  "not a requirement !",
]

[project.optional-dependencies]
test = ["pytest==8.*; python_version >= '3.9'"]

[dependency-groups]
dev = ["ruff~=0.1", {include-group = "test"}]

[tool.poetry.dependencies]
python = "^3.9"
requests = "^1"
boto3 = {version = "~1.2", optional = true}
here = {path = "here"}

[tool.poetry.group.docs.dependencies]
sphinx = "7.*"

[tool.poetry.group.more.dependencies.attrs]
version = ">=20"

[tool.uv]
dev-dependencies = ["hypothesis>=6"]

[tool.pdm.dev-dependencies]
lint = ["mypy==1.*"]
"""

REQUIREMENTS = """\
# what runs
requests==2.31.0 \\
    --hash=sha256:0000 \\
    --hash=sha256:1111  # pinned
-r base.txt
--requirement=more/tests.txt
-c constraints.txt
-rclose.txt
-e ./local
--index-url https://example.org/simple
Django >= 4 ; python_version > "3.8"
flask # any version
nonsense ! here
-e git+https://example.org/egged.git@v1#egg=Egged_One  # as it is worked on
git+https://example.org/other.git#subdirectory=a&egg=other[fast]&x=y --no-deps
https://example.org/nameless.tar.gz#sha256=0000
# joined \\
numpy
last\\
"""

PACKAGE = """\
{
  "name": "shop",
  "dependencies": {
    "react": "^18.2",
    "old": "npm:newer@^2",
    "@scope/alias": "npm:@scope/real@1.x",
    "sibling": "workspace:^1.1",
    "odd": 3
  },
  "devDependencies": {
    "react": "19.0.0",
    "here": "file:../here"
  }
}
"""

LOCK = """\
{
  "lockfileVersion": 3,
  "packages": {
    "": {"dependencies": {"react": "^18"}},
    "packages/web": {"version": "1.0.0"},
    "node_modules/react": {"version": "18.2.0"},
    "node_modules/old": {"name": "newer", "version": "2.1.0"},
    "node_modules/web": {"link": true},
    "node_modules/old/node_modules/react": {"version": "17.0.0"}
  }
}
"""

OLD_LOCK = """\
{"lockfileVersion": 1, "dependencies": {
  "react": {"version": "18.2.0", "dependencies": {"loose": {"version": "1.0.0"}}},
  "old": {"version": "npm:@scope/newer@2.1.0"}
}}
"""

CARGO = """\
[package]
name = "shop"

[dependencies]
serde = "1.0"
tokio = { version = ">=1.2, <1.9", features = ["full"] }
renamed = { package = "real-name", version = "=0.3.1" }
here = { path = "../here" }
shared.workspace = true

[dev-dependencies]
serde = "~1.0.5"

[target.'cfg(unix)'.dependencies]
libc = "0.2.*"

[workspace.dependencies.shared]
version = "2"
"""

GO = """\
module example.org/shop // the shop

go 1.22

require github.com/pkg/errors v0.9.1

require (
	golang.org/x/net v0.17.0 // indirect
	"example.org/quoted" v1.0.0
	example.org/forked v1.1.0
	example.org/patched v1.1.0
)

replace example.org/forked => ../forked

replace (
	example.org/patched v1.1.0 => example.org/patched v1.1.1
)

exclude example.org/other v1.0.0
"""


def declared(file: str, text: str) -> list[tuple[str, str | None, int | None]]:
    form = form_of(file)
    assert form is not None
    return [
        (each.name, each.versions, each.locate(text))
        for each in form.declared(text)
        if isinstance(each, Declaration)
    ]


def test_what_stands_for_a_dependency_and_is_none_is_told() -> None:
    form = FORMS["pyproject.toml"]
    found = [each for each in form.declared(PYPROJECT) if isinstance(each, Malformed)]
    assert [(each.text, each.locate(PYPROJECT)) for each in found] == [("not a requirement !", 10)]


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("pyproject.toml", PYPROJECT, [
            ("requests", "<3,>=2", 7), ("zope-interface", "", 8), ("local", None, 9),
            ("pytest", "==8.*", 14), ("ruff", "~=0.1", 17), ("hatchling", ">=1.26", 2),
            ("python", ">=3.9,<4", 20), ("requests", ">=1,<2", 21), ("boto3", ">=1.2,<1.3", 22),
            ("here", None, 23), ("sphinx", "==7.*", 26), ("attrs", ">=20", 28),
            ("hypothesis", ">=6", 32), ("mypy", "==1.*", 35),
        ]),
        ("deploy/requirements.txt", REQUIREMENTS, [
            ("requests", "==2.31.0", 2), ("django", ">=4", 11), ("flask", "", 12),
            ("egged-one", None, 14), ("other", None, 15), ("numpy", "", 18), ("last", "", 19),
        ]),
        ("package.json", PACKAGE, [
            ("react", "^18.2", 4), ("newer", "^2", 5), ("@scope/real", "1.x", 6),
            ("sibling", "^1.1", 7), ("odd", None, 8), ("react", "19.0.0", 11),
            ("here", "file:../here", 12),
        ]),
        ("package-lock.json", LOCK, [
            ("react", "18.2.0", 6), ("newer", "2.1.0", 7), ("web", None, 8),
        ]),
        ("package-lock.json", OLD_LOCK, [
            ("react", "18.2.0", 2), ("@scope/newer", "2.1.0", 3),
        ]),
        ("Cargo.toml", CARGO, [
            ("serde", "^1.0", 5), ("tokio", ">=1.2 <1.9", 6), ("real-name", "=0.3.1", 7),
            ("here", None, 8), ("shared", None, 9), ("serde", "~1.0.5", 12),
            ("shared", "^2", 17), ("libc", "0.2.*", 15),
        ]),
        ("go.mod", GO, [
            ("github.com/pkg/errors", "v0.9.1", 5), ("golang.org/x/net", "v0.17.0", 8),
            ("example.org/quoted", "v1.0.0", 9), ("example.org/forked", None, 10),
            ("example.org/patched", "v1.1.1", 11),
        ]),
    ],
)  # fmt: skip
def test_what_a_file_names(file: str, text: str, expected: list[Any]) -> None:
    assert sorted(declared(file, text), key=str) == sorted(expected, key=str)


def test_files_of_requirements_include_others() -> None:
    form = FORMS["*.txt"]
    assert list(form.included(REQUIREMENTS)) == [
        "base.txt", "more/tests.txt", "constraints.txt", "close.txt",
    ]  # fmt: skip


@pytest.mark.parametrize("file", ["setup.py", "package.json5", "mypackage.json", "Cargo.lock"])
def test_other_files_name_nothing(file: str) -> None:
    assert form_of(file) is None


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("pyproject.toml", "[project", "is no TOML (Expected ']' at the end of a table "
         "declaration (at end of document))"),
        ("Cargo.toml", "a = ", "is no TOML (Invalid value (at end of document))"),
        ("package.json", "{", "is no JSON (Expecting property name enclosed in double quotes: "
         "line 1 column 2 (char 1))"),
        ("package-lock.json", "[]", "is no JSON object"),
    ],
)  # fmt: skip
def test_what_is_no_such_file_is_told(file: str, text: str, why: str) -> None:
    with pytest.raises(Unreadable) as caught:
        declared(file, text)
    assert str(caught.value) == why


@pytest.mark.parametrize("file", ["package.json", "package-lock.json"])
def test_a_file_nested_too_deep_is_unreadable(file: str) -> None:
    with pytest.raises(Unreadable):
        declared(file, '{"a":' * 100_000)


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("Cargo.toml", "[dependencies]\nserde = {package = ['x']}\n", "serde"),
        ("package-lock.json", '{"packages": {"node_modules/react": {"name": []}}}', "react"),
    ],
)
def test_a_name_that_is_none_is_passed_over(file: str, text: str, name: str) -> None:
    assert [found for found, _, _ in declared(file, text)] == [name]


ODD: list[Callable[[str], str]] = [
    lambda kind: f'{{"{kind}": ["react"]}}',
    lambda kind: f'{{"{kind}": null}}',
    lambda kind: f'{{"{kind}": {{"react": {{}}}}}}',
]


@pytest.mark.parametrize("made", ODD)
@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("package.json", "dependencies"),
        ("package-lock.json", "dependencies"),
        ("package-lock.json", "packages"),
    ],
)
def test_odd_values_name_no_versions(file: str, kind: str, made: Callable[[str], str]) -> None:
    assert all(versions is None for _, versions, _ in declared(file, made(kind)))


@pytest.mark.parametrize(
    "text",
    [
        "project = 3\n", "[project]\ndependencies = 'x'\n", "[project]\ndependencies = [3]\n",
        "[tool]\npoetry = 3\n", "[dependency-groups]\ndev = 'x'\n", "build-system = []\n",
    ],
)  # fmt: skip
def test_odd_tables_name_nothing(text: str) -> None:
    assert declared("pyproject.toml", text) == []
    assert declared("Cargo.toml", text) == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("requirements.txt", "requests" + " " * 1_000_000 + "x\n"),
        ("requirements.txt", " " * 1_000_000 + "!\n"),
        ("requirements.txt", "x" + ">=1," * 500_000 + "\n"),
        ("requirements.txt", "\\\n" * 300_000),
        ("requirements.txt", "-r" + " " * 1_000_000),
        ("pyproject.toml", "[tool.poetry.dependencies]\nx = '" + " " * 1_000_000 + "'\n"),
        ("pyproject.toml", "[project]\ndependencies = ['x" + " " * 1_000_000 + "!']\n"),
        ("package.json", '{"dependencies": {"x": "' + " " * 1_000_000 + '"}}'),
        ("Cargo.toml", "[dependencies]\nx = '" + ", " * 500_000 + "'\n"),
        ("go.mod", "require (\n" + "x v1\n" * 200_000),
    ],
)
def test_no_text_takes_long(file: str, text: str) -> None:
    form = form_of(file)
    assert form is not None
    named = list(form.declared(text))
    assert len(named) in (0, 1, 200_000)
    assert len(list(form.included(text))) < 2
    for each in named[:1]:
        each.locate(text)
        if isinstance(each, Declaration):
            form.language.overlap(each.versions or "", ">=1")


def test_a_large_lock_file_is_read_in_one_pass() -> None:
    packages = {f"node_modules/p{number}": {"version": "1.0.0"} for number in range(20_000)}
    text = json.dumps({"packages": packages}, indent=1)
    form = form_of("package-lock.json")
    assert form is not None
    named = list(form.declared(text))
    assert len(named) == 20_000
    assert named[-1].locate(text) == 59_999 + 1
