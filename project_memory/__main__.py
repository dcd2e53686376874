"""Run the command line: ``python -m project_memory``."""

from __future__ import annotations

import os
import sys

from project_memory import hooks


def main() -> None:
    """Run the command line and exit."""
    try:
        call = hooks.parsed(sys.argv[1:], os.environ)
        if call is not None:
            from project_memory.hooks.running import run as run_hook  # noqa: PLC0415

            run_hook(call)
            return
        from project_memory.cli import run  # noqa: PLC0415

        run()
    except KeyboardInterrupt:  # while modules load; from then on the command line sees to it
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
