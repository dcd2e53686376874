"""Twins: memories that say the same lesson in nearly the same words.

Pure functions on texts. `imprint` gives the keys under which likely twins meet, so that nobody
compares all with all, and what clears those that met by chance; `likeness` compares two. `pairs`,
which needs numpy, finds every pair of a collection.
"""

from project_memory.duplicates.likeness import LEAST, Likeness, Pair, Profile, likeness
from project_memory.duplicates.lsh import BANDS, Imprint, imprint, may_be_near
from project_memory.duplicates.many import imprints, least_bands
from project_memory.duplicates.replacement import speaks_of_replacement

__all__ = [
    "BANDS",
    "LEAST",
    "Imprint",
    "Likeness",
    "Pair",
    "Profile",
    "imprint",
    "imprints",
    "least_bands",
    "likeness",
    "may_be_near",
    "speaks_of_replacement",
]
