"""Requirements and ranges: how each language names them, and which have a version in common."""

from __future__ import annotations

import pytest

from project_memory.checkout.dependencies import cargo, pip, poetry, ranges


@pytest.mark.parametrize(
    ("requirement", "found"),
    [
        ("react", ("react", "")),
        ("react@^18.2", ("react", "^18.2")),
        ("react ^18", ("react", "^18")),
        ("react>=17,<19", ("react", ">=17 <19")),
        ("react >= 17 < 19", ("react", ">=17 <19")),
        ("@types/node@20", ("@types/node", "20")),
        ("@types/node", ("@types/node", "")),
        ("lodash.merge@4.x || ^5", ("lodash.merge", "4.x || ^5")),
        ("golang.org/x/net>=v0.17.0", ("golang.org/x/net", ">=v0.17.0")),
        ("golang.org/x/net@v0.17.0", ("golang.org/x/net", "v0.17.0")),
        ("react@latest", None),
        ("react ~= 18.2", ("react", "~=18.2")),
        ("", None),
        ("@", None),
        (">=1", None),
        ("two words", None),
        ("react@" + "1" * 201, None),
        ("re\nact", None),
    ],
)
def test_semantic_requirements(requirement: str, found: tuple[str, str] | None) -> None:
    assert ranges.named(requirement) == found


@pytest.mark.parametrize(
    ("requirement", "found"),
    [
        ("requests", ("requests", "")),
        ("Requests_OAuth >= 2, < 3", ("requests-oauth", "<3,>=2")),
        ("requests[socks]~=2.31", ("requests", "~=2.31")),
        ("requests==2.*", ("requests", "==2.*")),
        ("requests @ https://example.org/x.whl", None),
        ("react@^18", None),
        ("requests>=2; python_version < '3.9'", None),
        ("requests ^2", None),
        ("golang.org/x/net", None),
        ("", None),
    ],
)
def test_requirements_of_python(requirement: str, found: tuple[str, str] | None) -> None:
    assert pip.named(requirement) == found


@pytest.mark.parametrize(
    ("requirement", "found"),
    [
        ("serde", ("serde", "")),
        ("serde@1.2", ("serde", "^1.2")),
        ("serde >= 1.2, <1.9", ("serde", ">=1.2 <1.9")),
        ("serde@=1.2.3", ("serde", "=1.2.3")),
        ("serde 1.*", ("serde", "1.*")),
        ("serde latest", None),
    ],
)
def test_requirements_of_cargo(requirement: str, found: tuple[str, str] | None) -> None:
    assert cargo.named(requirement) == found


@pytest.mark.parametrize(
    ("first", "second", "meet"),
    [
        ("", "^1", True),
        ("*", "", True),
        ("^1.2.3", "1.2.3", True),
        ("^1.2.3", "1.2.2", False),
        ("^1", ">=2", False),
        ("^1", ">=1.9.9", True),
        ("^1 || ^3", ">=2", True),
        ("^1 || ^2", "^3 || ^4", False),
        ("<2", ">=2", False),
        ("<=2.0.0", ">=2", True),
        ("<2.0.0", ">1.9.9", True),
        (">1.2.3 <1.2.4", "", False),
        (">1.2.3 <1.2.5", "", True),
        ("~1.2", "1.3.x", False),
        ("^0.3.1", "^0.4", False),
        ("^0.0.3", "0.0.3", True),
        ("1.0.0 - 1.4", "1.4.9", True),
        ("1.0.0 - 1.4", "1.5.0", False),
        (">=18", "18.3.0-rc.1", True),
        (">=18", "18.0.0-rc.1", False),
        ("<=0.0.0", "", True),
        ("v0.17.0", ">=0.16", True),
        ("v0.0.0-20230101000000-abcdefabcdef", "<0.1.0", True),
        ("v0.0.0-20230101000000-abcdefabcdef", ">=0.1.0", False),
        ("v2.0.0+incompatible", "^2", True),
        ("latest", "^1", True),
        ("git+https://example.org/x", "^1", True),
        ("^" + "1" * 300, "^2", True),
    ],
)
def test_ranges_of_semantic_versions_meet(first: str, second: str, *, meet: bool) -> None:
    assert ranges.overlap(first, second) is meet
    assert ranges.overlap(second, first) is meet


@pytest.mark.parametrize(
    ("first", "second", "meet"),
    [
        ("", "==1.9", True),
        (">=2", "==1.9", False),
        (">=2", ">=1.5,<3", True),
        (">=2", "<2", False),
        ("==2.*", "~=2.31", True),
        ("==2.*", "!=2.*", False),
        (">=2", ">=0,<1||>=3,<4", True),
        (">=2", ">=0,<1||>=1,<2", False),
        (">=2", "nonsense", True),
    ],
)
def test_sets_of_python_versions_meet(first: str, second: str, *, meet: bool) -> None:
    assert pip.overlap(first, second) is meet
    assert pip.overlap(second, first) is meet


@pytest.mark.parametrize(
    ("constraint", "versions"),
    [
        ("^1.2.3", ">=1.2.3,<2"),
        ("^1.2", ">=1.2,<2"),
        ("^0.2.3", ">=0.2.3,<0.3"),
        ("^0.0.3", ">=0.0.3,<0.0.4"),
        ("^0.0", ">=0.0,<0.1"),
        ("^0", ">=0,<1"),
        ("^2.0b1", ">=2.0b1,<3"),
        ("~1.2.3", ">=1.2.3,<1.3"),
        ("~1.2", ">=1.2,<1.3"),
        ("~1", ">=1,<2"),
        ("1.2.3", "==1.2.3"),
        ("=1.2", "==1.2"),
        ("1.2.*", "==1.2.*"),
        ("*", ""),
        (">=1.2,<2.0", ">=1.2,<2.0"),
        (">= 1.2 , != 1.5", ">=1.2,!=1.5"),
        (">=1.2 <2", ">=1.2,<2"),
        ("^1.2 || ^3", ">=1.2,<2||>=3,<4"),
        ({"version": "^1.2", "extras": ["x"]}, ">=1.2,<2"),
        ([{"version": "^1", "python": "<3.9"}, {"version": "^2"}], ">=1,<2||>=2,<3"),
        ({"git": "https://example.org/x.git"}, None),
        ([{"version": "^1"}, {"path": "x"}], None),
        ("^", ""),
        (3, None),
    ],
)
def test_constraints_of_poetry(constraint: object, versions: str | None) -> None:
    assert poetry.versions(constraint) == versions
