"""Run the command line: ``python -m project_memory``."""

from __future__ import annotations


def main() -> None:
    """Run the command line and exit."""
    try:
        from project_memory.cli import run  # noqa: PLC0415

        run()
    except KeyboardInterrupt:  # while modules load; from then on the command line sees to it
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
