#!/usr/bin/env bash
# What a CI job runs on the folder that `project-memory export` wrote: exit status 0, or 1 and
# every problem by file, line and field.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
project-memory validate store --format "${1:-text}"
