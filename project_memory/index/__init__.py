"""The index of one project: what can be selected, and how it ranks."""

from pyroaring import BitMap

from project_memory.index.answers import Ranking, RankRequest, Scored
from project_memory.index.index import Index
from project_memory.index.joined import Part, joined, linking_out, parted

__all__ = [
    "BitMap",
    "Index",
    "Part",
    "RankRequest",
    "Ranking",
    "Scored",
    "joined",
    "linking_out",
    "parted",
]
