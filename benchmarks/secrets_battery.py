"""Run the secret rules over a battery: ``python benchmarks/secrets_battery.py FOLDER [NAME]``.

FOLDER holds NAME (``secrets.py`` by default), which defines SECRETS (name -> text, all to be
refused) and BENIGN (texts, none to be refused). Values are never printed, only redacted texts.
Exit code 1 if anything is missed or refused by mistake.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from project_memory.secrets import redact, scan


def main(folder: str, name: str = "secrets.py") -> int:
    """Print what was caught, missed and refused by mistake; return the exit code."""
    battery = runpy.run_path(str(Path(folder) / name))
    secrets, benign = battery["SECRETS"], battery["BENIGN"]
    missed = [key for key, text in secrets.items() if not scan(text)]
    alarms = [text for text in benign if scan(text)]
    for key, text in secrets.items():
        print(f"{'MISSED' if key in missed else 'caught'}\t{key}\t{', '.join(scan(text))}")
    for text in alarms:
        print(f"FALSE ALARM\t{', '.join(scan(text))}\t{redact(text)!r}")
    print(f"{len(secrets) - len(missed)} of {len(secrets)} secrets caught")
    print(f"{len(alarms)} false alarms in {len(benign)} benign texts")
    return 1 if missed or alarms else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
