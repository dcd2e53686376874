"""``demo``: the main job on the example store, in a throwaway place."""

from __future__ import annotations

from project_memory.cli.command import command


@command("demo", output="demo", examples=("project-memory demo",))
def demo() -> None:
    """Show what this does, in a throwaway store.

    It imports the example lessons, recalls one by its symptom, searches by labels, follows a
    supersession, refuses a bad document and undoes a change. Nothing is kept.
    """
    from project_memory.cli.demonstration import run  # noqa: PLC0415

    run()
