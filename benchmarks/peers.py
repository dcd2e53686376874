"""Text search engines to compare with, each as one small class with the same two methods.

bm25s, tantivy and rank-bm25 come with the extra `bench`; SQLite's FTS5 comes with Python. Each has
its usual English analysis: FTS5 its `porter` tokenizer, tantivy its `en_stem`, and the other two
the tokenizer of bm25s with its stop words and a Snowball stemmer. A query means any of its words.
"""

from __future__ import annotations

import pickle
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

_WORD = re.compile(r"\w+")


class Peer(Protocol):
    """A search engine over texts that are numbered in the order in which they came."""

    def add(self, texts: Sequence[str]) -> None:
        """Make texts findable, beside those already there."""

    def search(self, query: str, count: int) -> list[int]:
        """Return the numbers of at most `count` texts that share a word with it, best first."""


class Fts5:
    """SQLite's full-text index, in the file `texts.db` of the folder."""

    def __init__(self, folder: Path) -> None:
        """Open the index of a folder, or begin one."""
        self._database = sqlite3.connect(folder / "texts.db")
        self._database.execute("PRAGMA journal_mode = wal")
        self._database.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS texts "
            "USING fts5(text, content='', tokenize='porter unicode61')"
        )
        newest = self._database.execute("SELECT max(rowid) FROM texts").fetchone()[0]
        self._size = newest or 0

    def add(self, texts: Sequence[str]) -> None:
        """See `Peer.add`; one transaction."""
        numbered = enumerate(texts, self._size + 1)
        with self._database:
            self._database.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", numbered)
        self._size += len(texts)

    def search(self, query: str, count: int) -> list[int]:
        """See `Peer.search`; the words joined by OR."""
        asked = " OR ".join(f'"{word}"' for word in _WORD.findall(query))
        if not asked:
            return []
        rows = self._database.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?", (asked, count)
        )
        return [number - 1 for (number,) in rows]


class Tantivy:
    """tantivy, in the files of the folder."""

    def __init__(self, folder: Path) -> None:
        """Open the index of a folder, or begin one."""
        import tantivy  # noqa: PLC0415 - comes with the extra `bench`

        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text", tokenizer_name="en_stem", index_option="freq")
        builder.add_unsigned_field("number", stored=True)
        self._document = tantivy.Document
        self._index = tantivy.Index(builder.build(), path=str(folder))
        self._size = self._index.searcher().num_docs
        self._writer: Any = None

    def add(self, texts: Sequence[str]) -> None:
        """See `Peer.add`; one commit."""
        self._writer = self._writer or self._index.writer(num_threads=1)
        for number, text in enumerate(texts, self._size):
            self._writer.add_document(self._document(text=text, number=number))
        self._writer.commit()
        self._index.reload()
        self._size += len(texts)

    def search(self, query: str, count: int) -> list[int]:
        """See `Peer.search`; small letters, so that no word is an operator."""
        asked = self._index.parse_query(" ".join(_WORD.findall(query.lower())), ["text"])
        searcher = self._index.searcher()
        found = searcher.search(asked, count).hits
        return [searcher.doc(address)["number"][0] for _, address in found]


class Bm25s:
    """bm25s, which makes its index anew to take in more texts; kept in the folder."""

    def __init__(self, folder: Path) -> None:
        """Open the index of a folder, mapped into memory, or begin one."""
        import bm25s  # noqa: PLC0415 - comes with the extra `bench`

        self._folder, self._model = folder, bm25s.BM25
        self._tokens: list[list[str]] = []
        self._index: Any = None
        if (folder / "params.index.json").exists():
            self._index = bm25s.BM25.load(folder, mmap=True, show_progress=False)

    def add(self, texts: Sequence[str]) -> None:
        """See `Peer.add`."""
        self._tokens.extend(stems(texts))
        self._index = self._model()
        self._index.index(self._tokens, show_progress=False)
        self._index.save(self._folder, show_progress=False)

    def search(self, query: str, count: int) -> list[int]:
        """See `Peer.search`."""
        size = self._index.scores["num_docs"]
        asked = [[word for word in stems([query])[0] if word in self._index.vocab_dict]]
        numbers, scores = self._index.retrieve(asked, k=min(count, size), show_progress=False)
        return [int(n) for n, score in zip(numbers[0], scores[0], strict=True) if score > 0]


class RankBm25:
    """rank-bm25's Okapi, which makes its index anew to take in more texts; pickled."""

    def __init__(self, folder: Path) -> None:
        """Open the index of a folder, or begin one."""
        from rank_bm25 import BM25Okapi  # noqa: PLC0415 - comes with the extra `bench`

        self._path, self._model = folder / "okapi.pickle", BM25Okapi
        self._tokens: list[list[str]] = []
        self._index: Any = None
        if self._path.exists():
            self._index = pickle.loads(self._path.read_bytes())

    def add(self, texts: Sequence[str]) -> None:
        """See `Peer.add`."""
        self._tokens.extend(stems(texts))
        self._index = self._model(self._tokens)
        self._path.write_bytes(pickle.dumps(self._index))

    def search(self, query: str, count: int) -> list[int]:
        """See `Peer.search`."""
        scores = self._index.get_scores(stems([query])[0])
        best = (-scores).argsort(kind="stable")[:count]
        return [int(number) for number in best if scores[number] > 0]


PEERS: Mapping[str, Callable[[Path], Peer]] = {
    "bm25s": Bm25s,
    "fts5": Fts5,
    "tantivy": Tantivy,
    "rank-bm25": RankBm25,
}
"""Name -> what opens the index of a folder."""


def opened(name: str, folder: Path) -> Peer:
    """Return a peer over the index of a folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return PEERS[name](folder)
    except ModuleNotFoundError as error:
        raise SystemExit(
            f"'{name}' needs the package '{error.name}'; "
            "run `pip install -e '.[bench]'`, or leave it out"
        ) from error


def stems(texts: Sequence[str]) -> list[list[str]]:
    """Return the stems of each text as bm25s makes them, without English stop words."""
    import bm25s  # noqa: PLC0415 - comes with the extra `bench`
    import Stemmer  # noqa: PLC0415

    found: list[list[str]] = bm25s.tokenize(
        list(texts),
        stopwords="en",
        stemmer=Stemmer.Stemmer("english"),
        return_ids=False,
        show_progress=False,
    )
    return found
