"""Settings for the whole suite."""

import os
import tempfile

from hypothesis import settings

# How long an example takes says nothing about the code on a busy machine. A change is judged by
# the same examples on every run; `make soak` looks for new ones.
SOAK = "PROJECT_MEMORY_SOAK" in os.environ
settings.register_profile("suite", deadline=None, derandomize=not SOAK)
settings.load_profile("suite")

# what is kept between processes is not kept between runs, nor beside what the user keeps
_CACHE = tempfile.TemporaryDirectory(prefix="project-memory-tests-")
os.environ["XDG_CACHE_HOME"] = _CACHE.name
