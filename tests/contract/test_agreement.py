"""Any sequence of transactions leaves a back end and a naive model with the same answers."""

from __future__ import annotations

from contextlib import suppress
from itertools import count

from factories import memory, revision
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from project_memory.model import MemoryChange, Uses

IDS = ["aaa", "bbb", "ccc", "ddd"]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(1, 4), st.sampled_from(IDS), st.booleans()),
        st.tuples(st.just("remove"), st.integers(1, 4)),
        st.tuples(st.just("redirect"), st.sampled_from(IDS), st.none() | st.integers(1, 4)),
        st.tuples(st.just("use"), st.sampled_from(IDS), st.integers(0, 3)),
    ),
    min_size=1,
    max_size=6,
)


class Model:
    """The store as plain dictionaries, with every question answered by a scan."""

    def __init__(self):
        self.memories = {}
        self.redirects = {}
        self.usage = {}
        self.revisions = []

    def copy(self):
        copied = Model()
        copied.memories, copied.redirects = dict(self.memories), dict(self.redirects)
        copied.usage, copied.revisions = dict(self.usage), list(self.revisions)
        return copied

    def key_of(self, name):
        return next((key for key, one in self.memories.items() if one.id == name), None)


class Agreement(RuleBasedStateMachine):
    fresh = None

    def __init__(self):
        super().__init__()
        self.storage = self.fresh()
        self.model = Model()
        self.versions = count(1)

    @initialize()
    def make_project(self):
        with self.storage.write() as writer:
            self.project = writer.put_project("demo").key

    @rule(steps=STEPS, actor=st.sampled_from(["ada", "bob"]), fails=st.booleans())
    def transact(self, steps, actor, fails):
        model = self.model.copy()
        with suppress(RuntimeError), self.storage.write() as writer:
            for step in steps:
                self.do(writer, model, step)
            self.append(writer, model, actor)
            if fails:
                raise RuntimeError
        if not fails:
            self.model = model

    def do(self, writer, model, step):
        match step:
            case "put", key, name, archived:
                if any(k != key and m.id == name for k, m in model.memories.items()):
                    return  # a clash of ids is another test's subject
                one = memory(
                    key,
                    id=name,
                    version=next(self.versions),
                    archived_at="2026-01-31T09:30:00Z" if archived else None,
                )
                writer.put_memory(self.project, one, f"digest-of-{key % 2}")
                model.memories[key] = one
            case "remove", key:
                writer.remove_memory(self.project, key)
                model.memories.pop(key, None)
            case "redirect", name, key:
                writer.put_redirect(self.project, name, key)
                model.redirects[name] = key
            case "use", name, times:
                uses = {name: Uses(applied=times)}
                writer.add_usage(self.project, "2026-01-31", uses, questions=times)
                key = model.key_of(name) or model.redirects.get(name)
                if key in model.memories:
                    model.usage[key] = model.usage.get(key, 0) + times

    def append(self, writer, model, actor):
        keys = sorted(self.model.memories.keys() | model.memories.keys())
        pairs = ((self.model.memories.get(key), model.memories.get(key)) for key in keys)
        changes = [MemoryChange(*pair) for pair in pairs if pair[0] != pair[1]]
        one = revision(len(model.revisions) + 1, *changes, actor=actor)
        writer.append_revision(self.project, one)
        model.revisions.append(one)

    @invariant()
    def the_answers_agree(self):
        model, project = self.model, self.project
        with self.storage.read() as reader:
            by_id = sorted(model.memories.values(), key=lambda one: one.id)
            assert list(reader.memories(project)) == by_id
            assert reader.revision(project) == len(model.revisions)
            assert list(reader.revisions(project)) == model.revisions
            for digest in (0, 1):
                same = [o.id for o in by_id if o.key % 2 == digest and not o.archived]
                assert reader.same_text(project, f"digest-of-{digest}") == same
            used = (one for one in by_id if model.usage.get(one.key))
            uses = {one.id: Uses(applied=model.usage[one.key]) for one in used}
            assert reader.usage(project).total == reader.usage(project).tier == uses
            for name in IDS:
                self.check_name(reader, name)
            for key in range(1, 5):
                one = model.memories.get(key)
                assert reader.id_of(project, key) == (one.id if one else None)
                assert reader.id_of(project + 1, key) is None

    def check_name(self, reader, name):
        model, project = self.model, self.project
        key = model.key_of(name)
        assert reader.memory(project, name) == model.memories.get(key)
        target = model.memories.get(model.redirects.get(name))
        assert reader.redirect(project, name) == (target.id if target else None)
        assert reader.redirects(project).get(name) == (target.id if target else None)
        past = [change for one in model.revisions for change in one.changes if change.id == name]
        versions = [(change.after or change.before).version for change in past]
        assert reader.last_version(project, name) == max(versions, default=0)
        lives = {key, *(change.key for change in past)}
        touched = [
            one.number for one in model.revisions if lives & {change.key for change in one.changes}
        ]
        assert [o.number for o in reader.revisions(project, memory_id=name)] == touched

    def teardown(self):
        self.storage.close()


def test_a_back_end_agrees_with_a_naive_model(fresh):
    machine = type("Machine", (Agreement,), {"fresh": staticmethod(fresh)})
    run_state_machine_as_test(
        machine, settings=settings(max_examples=15, stateful_step_count=12, deadline=None)
    )
