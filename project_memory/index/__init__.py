"""The index of one project: what can be selected, and how it ranks."""

from pyroaring import BitMap

from project_memory.index.answers import Ranking, RankRequest, Scored
from project_memory.index.index import Index

__all__ = ["BitMap", "Index", "RankRequest", "Ranking", "Scored"]
