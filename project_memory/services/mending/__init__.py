"""Mend what has one right answer in a directory of documents; what a lesson says never changes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from project_memory import documents, exchange
from project_memory.documents import printable
from project_memory.errors import InvalidInput, StoreUnreadable
from project_memory.exchange import Held, Incoming, OnDisk, Package
from project_memory.model import Clock, Problem, Severity, system_clock
from project_memory.services import rules, validate
from project_memory.services.collecting import no_collection
from project_memory.services.mending import links, names, texts


@dataclass(frozen=True, slots=True)
class Mended:
    """What is done to one file.

    Attributes:
        file: Its name afterwards, relative to the directory.
        changes: One sentence each.
    """

    file: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MendReport:
    """What is mended, and the verdict over what is there afterwards; see `validate.Report`."""

    source: str
    checked: int
    ok: bool
    problems: tuple[Problem, ...]
    mended: tuple[Mended, ...]
    dry_run: bool

    @property
    def passed(self) -> bool:
        """Return whether there is no error, and nothing that a dry run left to be mended."""
        return self.ok and not (self.dry_run and self.mended)


@dataclass(slots=True)
class _Work:
    """A directory while it is mended: its files, old names by new ones, sentences by file."""

    held: Held
    fixed: frozenset[str]
    renamed: dict[str, str] = field(default_factory=dict)
    changes: dict[str, list[str]] = field(default_factory=dict)
    written: dict[str, bytes] = field(default_factory=dict)

    def rename(self, names: Mapping[str, str]) -> None:
        """Give files other names, old -> new."""
        files = {names.get(name, name): data for name, data in self.held.files.items()}
        self.held = Held(files, self.held.others)
        for old, new in names.items():
            self.renamed[new] = self.renamed.pop(old, old)
            self.changes[new] = [f"renamed from '{old}'"]

    def write(self, name: str, text: str, changes: Iterable[str]) -> None:
        """Give a file this text, if it is another one."""
        data = text.encode("utf-8")
        if self.held.files.get(name) != data and name not in self.fixed:
            self.written[name] = data
            self.changes.setdefault(name, []).extend(list(changes) or [texts.FORM])

    def result(self) -> Held:
        """Return the directory as it is to be."""
        return Held({**self.held.files, **self.written}, self.held.others)


def mend(path: Path, *, dry_run: bool = False, clock: Clock = system_clock) -> MendReport:
    """Mend a directory and check what comes of it.

    Documents are put into canonical form, with their labels as the registry names them; files get
    the names of their documents; links get the side that they lack, and what is superseded shows
    it. A second run finds nothing to mend. A document with an error is left as it is, and so is
    what a symbolic link leads to, be it the file's own or its folder's.

    Args:
        path: The directory.
        dry_run: Whether to change nothing, and check what would come of it.
        clock: Says which facts have expired.

    Raises:
        InvalidInput: there is no directory at `path`.
        StoreUnreadable: the directory, or a file in it, cannot be read.
        Conflict: a file was changed by someone else meanwhile.
        StorageError: a file cannot be written.
    """
    if not path.is_dir():
        raise InvalidInput(
            f"'{printable(str(path))}' is no folder, and only a folder is mended; name one that "
            "`project-memory export` wrote"
        )
    with no_collection():
        before = _held(path)
        work = _Work(before, frozenset(n for n in before.files if _is_elsewhere(path, n)))
        _mend(work)
        after = work.result()
        if not dry_run:
            exchange.rewrite(path, before.files, after.files, work.renamed)
        package = exchange.read_folder(after)
        report = validate.validate_package(str(path), package, clock().date())
    mended = [Mended(name, tuple(said)) for name, said in sorted(work.changes.items())]
    return MendReport(
        report.source, report.checked, report.ok, report.problems, tuple(mended), dry_run
    )


def _is_elsewhere(folder: Path, name: str) -> bool:
    within = PurePath(name)
    steps = (within, *within.parents[:-1])  # the last one is the folder, wherever that is
    return any((folder / step).is_symlink() for step in steps)


def _held(path: Path) -> Held:
    try:
        return exchange.held(OnDisk(path), exchange.belongs)
    except OSError as error:
        raise StoreUnreadable(
            f"cannot read '{printable(os.fsdecode(error.filename))}' ({error.strerror}); "
            "nothing was mended"
        ) from error


def _mend(work: _Work) -> None:
    while True:
        package = exchange.read_folder(work.held)
        found = {each.file: validate.document_problems(each) for each in package.memories}
        changeable = {
            each.file: each
            for each in package.memories
            if each.file in work.held.files
            and each.file not in work.fixed
            and not any(problem.severity is Severity.ERROR for problem in found[each.file])
        }
        renames = dict(names.renames(work.held, package, changeable))
        if not renames:
            break
        # a name put right can free another one, and shows whose links are meant
        work.rename(renames)
    _mend_texts(work, package, changeable, _known(package, found))


def _known(package: Package, found: Mapping[str, list[Problem]]) -> rules.Known:
    count = Counter(str(incoming.document.get("id")) for incoming in package.memories)
    repeated = {name for name, times in count.items() if times > 1}
    known = rules.Known(doubtful=repeated | package.unread)
    for key, incoming in enumerate(package.memories):
        if isinstance(incoming.document.get("id"), str):
            known.add(validate.memory_of(key, incoming), found[incoming.file])
    return known


def _mend_texts(
    work: _Work, package: Package, changeable: Mapping[str, Incoming], known: rules.Known
) -> None:
    tidy = {file: texts.document(incoming, package) for file, incoming in changeable.items()}
    files = {
        str(incoming.document["id"]): file
        for file, incoming in changeable.items()
        if incoming.document["id"] not in known.doubtful
    }
    said: dict[str, list[str]] = {file: [] for file in tidy}
    linked = links.mended(
        known,
        {name: tidy[file][0] for name, file in files.items()},
        lambda name, sentence: said[files[name]].append(sentence),
        keeps_own=texts.is_sound(package, texts.META) and texts.META not in work.fixed,
    )
    grown = {files[name]: document for name, document in linked.documents.items()}
    for file, (document, changes) in tidy.items():
        text = documents.to_text(grown.get(file, document))
        work.write(file, text, [*changes, *said[file]])
    for name, text in texts.beside(work.held, package, linked.own):
        kept = linked.own if name == texts.META else ()
        work.write(name, text, [f"own_status of '{each}' kept" for each in kept])
