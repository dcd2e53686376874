"""How each kind of result is written: lines for programs, layout for people; see `output.View`.

A view reads the JSON form of a result, the very data that `--json` prints.
"""
