"""Use cases that ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from project_memory import services
from project_memory.app.opened import Opened
from project_memory.signatures import checked

if TYPE_CHECKING:  # what a use case needs loads with it
    from project_memory.services.asking import Query
    from project_memory.services.brief import Brief
    from project_memory.services.history import History, RevisionDetail, VersionDifference
    from project_memory.services.hits import Hit
    from project_memory.services.recall import Recall


@checked
class Questions(Opened):
    """What is asked of memories; none of it changes one."""

    def recall(self, **query: Any) -> Recall:
        """Find what bears on a question. See `asking.Query` for the arguments."""
        asked = services.asking.checked_query(self._folder, **query)
        found = self._recalled(asked)
        if found.brought:
            question = f"{asked.query} {asked.related_to or ''}" if asked.offset == 0 else None
            self._tally.add(self._clock().date().isoformat(), found.brought, question)
        if asked.query.strip() and asked.offset == 0:
            self._note_help(asked.query, found)
        return found

    def look_up(self, **query: Any) -> Recall:
        """Find the same as `recall`, and count nothing: a word half typed is no question."""
        return self._recalled(services.asking.checked_query(self._folder, **query))

    def bearing(self, words: str) -> tuple[Hit, ...]:
        """Return the few memories that bear directly on words that were not said to ask for any.

        Nothing is counted: nobody asked. See `bearing.chosen`.
        """
        key = self._project.key
        if not services.bearing.least(words):
            return ()
        with self._storage.read() as reader:
            if not services.bearing.could_bear(reader, key, words):
                return ()
            asked = services.asking.checked_query(query=words, **services.bearing.ASKED)
            index = self._index(reader)
            services.bearing.keep(reader, key, index)
        return services.bearing.chosen(self._recalled(asked), index, words)

    def _recalled(self, asked: Query) -> Recall:
        with self._reading() as (reader, info):
            others = self._others(reader) if asked.all_projects else {}
            return services.recall.recall(
                services.known.Known(reader, self._project.key, others),
                self._all_indexes().joined(reader, self._project.key, others),
                asked,
                info=info,
                today=self._clock().date(),
                flags=self._flags,
            )

    def _note_help(self, question: str, found: Recall) -> None:
        day, revision = self._clock().date().isoformat(), found.store.revision
        direct = [name for name, itself in (found.brought or {}).items() if itself]
        if found.nothing_relevant:
            self._tally.miss(day, question, revision)
        elif direct:
            self._tally.hit(day, question, revision, direct)

    def brief(self, *, max_tokens: int | None = None) -> Brief:
        """Return what to know at the start of work. See `brief.brief`."""
        with self._reading() as (reader, info):
            return services.brief.brief(
                reader,
                self._project.key,
                self._index(reader),
                max_tokens=services.brief.DEFAULT if max_tokens is None else max_tokens,
                info=info,
                today=self._clock().date(),
            )

    def search(
        self,
        label_query: Any = None,
        *,
        text_query: str | None = None,
        status_filter: Any = None,
        before: str | None = None,
        after: str | None = None,
        order: str = "id",
        limit: int = 50,
        offset: int = 0,
    ) -> services.browse.Page:
        """List what an expression selects. See `selecting.search`."""
        services.browse.check_window(limit, offset)
        tree = services.selecting.tree(label_query, text=text_query, before=before, after=after)
        chosen = services.selecting.ordered(order)
        wanted = services.selecting.statuses(status_filter)
        today = self._clock().date()
        with self._reading() as (reader, info):
            ids = services.selecting.search(
                reader,
                self._project.key,
                self._index(reader),
                tree,
                wanted=wanted,
                today=today,
                order=chosen,
            )
            return services.browse.page(
                reader, self._project.key, ids, info, today=today, limit=limit, offset=offset
            )

    def get(
        self, memory_id: str, *, version: int | None = None, as_of: str | None = None
    ) -> services.browse.Reading:
        """Return one memory, whole. See `browse.read`."""
        today = self._clock().date()
        with self._reading() as (reader, info):
            return services.browse.read(
                reader,
                self._project.key,
                memory_id,
                info,
                today=today,
                flags=self._flags,
                version=version,
                as_of=as_of,
            )

    def memory_ids(self, start: str = "") -> list[str]:
        """Return the ids, archived ones too, that begin with `start`, sorted."""
        with self._storage.read() as reader:
            found = (memory.id for memory in reader.memories(self._project.key))
            return [name for name in found if name.startswith(start)]

    def neighborhood(
        self, memory_id: str, *, depth: int = 1, max_nodes: int = 25
    ) -> services.browse.Neighborhood:
        """Return what is linked to a memory. See `browse.neighborhood`."""
        today = self._clock().date()
        with self._reading() as (reader, info):
            return services.browse.neighborhood(
                reader,
                self._project.key,
                memory_id,
                info,
                today=today,
                depth=depth,
                max_nodes=max_nodes,
            )

    def labels(
        self, *, prefix: str | None = None, with_counts: bool = True
    ) -> services.labels.Labels:
        """Return the registry by prefix, with how many unarchived memories carry each."""
        with self._reading() as (reader, info):
            counts = self._index(reader).label_counts() if with_counts else None
            registry = reader.registry(self._project.key)
            return services.labels.Labels(services.labels.listed(registry, counts, prefix), info)

    def label_tree(self, top: str | None = None) -> services.labels.LabelTree:
        """Return the labels below one, or all, with what each alone and all below it hold."""
        with self._reading() as (reader, info):
            index = self._index(reader)
            registry = reader.registry(self._project.key)
            counts, totals = index.label_counts(), index.label_totals()
            return services.labels.LabelTree(
                services.labels.branches(registry, counts, totals, top), info
            )

    def history(self, memory_id: str | None = None, *, limit: int = 20) -> History:
        """Return the newest revisions of the project or of one memory. See `history.listed`."""
        with self._reading() as (reader, info):
            found = services.history.listed(
                reader, self._project.key, memory_id=memory_id, limit=limit
            )
            return services.history.History(found, info)

    def revision(self, number: int) -> RevisionDetail:
        """Return one revision with its differences. See `history.numbered`."""
        with self._reading() as (reader, info):
            found = services.history.numbered(reader, self._project.key, number)
            return services.history.RevisionDetail(
                services.history.entry(found), services.history.differences(found), info
            )

    def diff(self, memory_id: str, *, old: int, new: int | None = None) -> VersionDifference:
        """Return how a memory differs between two versions. See `history.compared`."""
        with self._reading() as (reader, info):
            return services.history.compared(
                reader, self._project.key, memory_id, (old, new), info
            )
