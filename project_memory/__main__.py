"""Run the command line: ``python -m project_memory``."""

from __future__ import annotations


def main() -> None:
    """Run the command line and exit."""
    from project_memory.cli import run  # noqa: PLC0415

    run()


if __name__ == "__main__":
    main()
