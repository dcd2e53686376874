"""Two clones, two branches and two stores: git and sync lose nothing, and find what truly clashes.

What must come out is worked out apart from the program, by a model that knows of a memory only its
title, its tags, its id and what it is linked to.
"""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from factories import draft
from repositories import Repository

from project_memory import documents
from project_memory.app import ProjectMemory, validate_directory
from project_memory.checkout import drivers
from project_memory.model import Actor, Authority

FOLDER = ".project-memory"
EDITS, MEMORIES = 200, 40
SOAK = "PROJECT_MEMORY_SOAK" in os.environ


@dataclass
class Lesson:
    """What the model knows of a memory; `name` stays, whatever its id is."""

    name: str
    id: str
    title: str
    tags: set[str] = field(default_factory=set)


@dataclass
class Model:
    """A side: lessons by name, and links (kind, from, to) -> reason, kinds that are no mirrors."""

    lessons: dict[str, Lesson] = field(default_factory=dict)
    links: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def file(self, name: str) -> object:
        """Return all that the file of a lesson says."""
        lesson = self.lessons[name]
        near = sorted(
            (kind, start == name, self.lessons[end if start == name else start].id, reason)
            for (kind, start, end), reason in self.links.items()
            if name in (start, end)
        )
        return lesson.id, lesson.title, sorted(lesson.tags), near


class Side:
    """A clone with its store, changed at random together with its model."""

    def __init__(self, repository: Repository, sign: str, model: Model, seed: int) -> None:
        self.repository, self.sign, self.model = repository, sign, model
        self.folder = repository.root / FOLDER
        self.rng = random.Random(seed)
        self.store = ProjectMemory.open(
            "inmemory://", project="demo", actor=Actor(sign, Authority.USER), create=True
        )
        self.renamed: set[str] = set()
        self.titled: set[str] = set()

    def edit(self, turn: int) -> None:
        """Change something, in the store and in the model."""
        model, rng = self.model, self.rng
        name, other = rng.sample(sorted(model.lessons), 2)
        lesson, second = model.lessons[name], model.lessons[other]
        match rng.choices(
            ("tag", "untag", "title", "link", "unlink", "rename", "delete", "add"),
            (30, 8, 12, 25, 10, 8, 3, 4),
        )[0]:
            case "tag" if len(lesson.tags) < 20:
                lesson.tags.add(f"{self.sign}-{turn}")
                self._tag(lesson)
            case "untag" if lesson.tags:
                lesson.tags.discard(rng.choice(sorted(lesson.tags)))
                self._tag(lesson)
            case "title" if name not in self.renamed:
                lesson.title = f"the lesson {name} as {self.sign} tells it in turn {turn}"
                self.titled.add(name)
                self.store.update(lesson.id, {"description": lesson.title})
            case "link":
                kind = rng.choice(("related", "causes", "depends_on"))
                start, end = sorted((name, other))
                if kind == "causes":
                    kind, start, end = "caused_by", end, start
                reason = f"because {self.sign} said so in turn {turn}"
                self.model.links[kind, start, end] = reason
                ends = (model.lessons[start].id, model.lessons[end].id)
                self.store.link(ends[0], kind, ends[1], link_reason=reason)
            case "unlink" if model.links:
                kind, start, end = rng.choice(sorted(model.links))
                del model.links[kind, start, end]
                self.store.unlink(model.lessons[start].id, kind, model.lessons[end].id)
            case "rename" if name not in self.titled and int(name[1:]) % 2 == (self.sign == "b"):
                new = f"{name}-of-{self.sign}-{turn}"
                self.store.rename(lesson.id, new)
                lesson.id = new
                self.renamed.add(name)
            case "delete":
                self.store.delete(second.id)
                del model.lessons[other]
                model.links = {k: v for k, v in model.links.items() if other not in k}
            case "add":
                fresh = Lesson(f"{self.sign}{turn}", f"{self.sign}-new-{turn}", "")
                fresh.title = f"{fresh.name} {rng.random()} is a lesson that only one side has"
                model.lessons[fresh.name] = fresh
                self._create(fresh)

    def create_all(self) -> None:
        for lesson in self.model.lessons.values():
            self._create(lesson)

    def commit(self) -> None:
        self.store.sync(self.folder, prune=True)
        self.repository.git("add", "--all")
        self.repository.git("commit", "--quiet", "--allow-empty", "--message", self.sign)

    def _create(self, lesson: Lesson) -> None:
        # git finds what was renamed by likeness, so that a lesson says more than its links do
        words = [" ".join(str(self.rng.random()) for _ in range(20)) for _ in range(6)]
        self.store.create(
            draft(id=lesson.id, description=lesson.title, remembered_facts=words),
            allow_duplicate=True,
        )

    def _tag(self, lesson: Lesson) -> None:
        self.store.update(lesson.id, {"tags": sorted(lesson.tags)})


def three(base: object, ours: object, theirs: object) -> tuple[object, bool]:
    """Return (what a value comes to, whether both sides changed it otherwise)."""
    if ours == theirs or theirs == base:
        return ours, False
    return (theirs, False) if ours == base else (ours, True)


def merged(base: Model, ours: Model, theirs: Model) -> tuple[Model, set[str]]:
    """Return what is to come out where ours stands in conflicts, and the lessons in conflict."""
    out, clashing = Model(), set()
    for name in sorted({*base.lessons, *ours.lessons, *theirs.lessons}):
        sides = [side.lessons.get(name) for side in (base, ours, theirs)]
        if name not in base.lessons:
            out.lessons[name] = copy.deepcopy(sides[1] or sides[2])
            continue
        left = [side for side in (ours, theirs) if name in side.lessons]
        if len(left) == 1 and left[0].file(name) != base.file(name):
            clashing.add(name)  # deleted on one side, changed on the other: it is kept
            out.lessons[name] = copy.deepcopy(left[0].lessons[name])
        if len(left) == 2:
            title, title_clashes = three(*(side.title for side in sides))
            new_id, _ = three(*(side.id for side in sides))
            before, mine, other = (side.tags for side in sides)
            tags = (mine & other) | ((mine | other) - before)
            out.lessons[name] = Lesson(name, new_id, title, tags)
            clashing |= {name} if title_clashes else set()
    for link in sorted({*base.links, *ours.links, *theirs.links}):
        reason, clashes = three(*(side.links.get(link) for side in (base, ours, theirs)))
        whole = all((end in ours.lessons and end in theirs.lessons) or end not in base.lessons
                    for end in link[1:])  # fmt: skip
        if clashes and whole:
            clashing |= set(link[1:])
        clashing |= _beside_renamed(link, (base, ours, theirs)) if whole else set()
        if reason is not None and all(end in out.lessons for end in link[1:]):
            out.links[link] = reason
    return out, clashing


def _beside_renamed(link: tuple[str, str, str], sides: tuple[Model, Model, Model]) -> set[str]:
    """Return the lessons whose file has a link under an old id on one side, with a changed reason.

    Files are merged one by one, and to this one the other side took the link out.
    """
    base, *both = sides
    found = set()
    for side, other in (both, both[::-1]):
        reasons = [each.links.get(link) for each in (base, side, other)]
        for end, near in (link[1:], link[:0:-1]):
            old_id = base.lessons[end].id if end in base.lessons else None
            moved = old_id is not None and other.lessons[end].id != old_id
            if moved and None not in reasons[:2] and reasons[0] != reasons[1]:
                found.add(near)
    return found


def of_store(store: ProjectMemory) -> tuple[dict[str, tuple[str, list[str]]], set[tuple]]:
    """Return (id -> title and tags, every link) as a store tells them."""
    told, links = {}, set()
    for name in store.memory_ids():
        held = store.get(name).memory
        told[name] = (held["description"], sorted(held["tags"]))
        for link in documents.links(held):
            if link.kind in {"related", "caused_by", "depends_on"}:
                ends = (name, link.target)
                links.add((link.kind, *(sorted(ends) if link.kind == "related" else ends)))
    return told, links


def of_model(model: Model) -> tuple[dict[str, tuple[str, list[str]]], set[tuple]]:
    told = {each.id: (each.title, sorted(each.tags)) for each in model.lessons.values()}
    links = set()
    for kind, *names in model.links:
        ends = [model.lessons[name].id for name in names]
        links.add((kind, *(sorted(ends) if kind == "related" else ends)))
    return told, links


def halves(text: str) -> tuple[str, str]:
    """Return both sides of a file with markers."""
    ours, theirs, where = [], [], "both"
    for line in text.splitlines(keepends=True):
        mark = line.split(" ")[0].strip()
        if mark in ("<<<<<<<", "=======", ">>>>>>>"):
            where = {"<<<<<<<": "ours", "=======": "theirs", ">>>>>>>": "both"}[mark]
            continue
        if where != "theirs":
            ours.append(line)
        if where != "ours":
            theirs.append(line)
    return "".join(ours), "".join(theirs)


def settle(side: Side, name_of: dict[str, str]) -> set[str]:
    """Let ours stand in every file in conflict; return the names of the lessons in conflict."""
    git, found = side.repository.git, set()
    for path in git("diff", "--name-only", "--diff-filter=U").split():
        file = side.repository.root / path
        if not file.exists():  # under its old name, which both sides left
            continue
        texts = [json.loads(text) for text in halves(file.read_text(encoding="utf-8")) if text]
        told = {text["id"]: text for text in texts[::-1]}
        if len(told) > 1:  # git took a new lesson for a deleted one that was changed
            found |= {name_of[each] for each in told if name_of[each].startswith("m")}
        else:
            found |= {name_of[each] for each in told}
        for each, text in told.items():
            place = file.with_name(f"{each}.json")
            place.write_text(documents.to_text(documents.canonical(text)), encoding="utf-8")
    git("add", "--all")
    git("commit", "--quiet", "--message", "merged")
    return found


@pytest.fixture
def clones(tmp_path: Path) -> tuple[Repository, Repository]:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    first, second = Repository(tmp_path / "a"), Repository(tmp_path / "b")
    first.root.mkdir()
    first.git("init", "--quiet", "--initial-branch=main")
    return first, second


@pytest.mark.parametrize("seed", range(1, 9 if SOAK else 2))
def test_two_branches_of_random_edits_lose_nothing(
    clones: tuple[Repository, Repository], seed: int
) -> None:
    program = f"'{sys.executable}' -m project_memory"
    base = Model()
    for number in range(MEMORIES):
        name = f"m{number}"
        base.lessons[name] = Lesson(name, f"lesson-{number}", f"the lesson that is called {name}")
    one = Side(clones[0], "a", copy.deepcopy(base), 2 * seed)
    one.create_all()
    drivers.install(one.repository.root, FOLDER, program, dry_run=False)
    one.commit()
    one.repository.git("clone", "--quiet", str(clones[0].root), str(clones[1].root))
    two = Side(clones[1], "b", copy.deepcopy(base), 2 * seed + 1)
    drivers.install(two.repository.root, FOLDER, program, dry_run=False)
    assert two.store.sync(two.folder).passed
    for side in (one, two):
        for turn in range(EDITS):
            side.edit(turn)
        side.commit()
        assert of_store(side.store) == of_model(side.model)
    expected, clashing = merged(base, two.model, one.model)
    everybody = [each for m in (base, one.model, two.model) for each in m.lessons.values()]
    name_of = {each.id: each.name for each in everybody}
    with pytest.raises(subprocess.CalledProcessError):
        two.repository.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main")
    assert settle(two, name_of) == clashing
    assert two.store.sync(two.folder, prune=True).conflicts == ()
    two.commit()
    one.repository.git("pull", "--quiet", "--ff-only", str(clones[1].root), "main")
    assert one.store.sync(one.folder, prune=True).conflicts == ()
    for side in (one, two):
        assert of_store(side.store) == of_model(expected)
        assert side.store.validate().problems == ()
        assert validate_directory(side.folder).problems == ()
        again = side.store.sync(side.folder, prune=True)
        assert (again.files_changed, again.removed, again.passed) == (0, (), True)
        assert side.repository.git("status", "--porcelain") == ""
        side.store.close()
