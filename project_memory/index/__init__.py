"""The index of one project: what can be selected, and how it ranks."""

from project_memory.index.answers import Ranking, RankRequest, Scored
from project_memory.index.index import Index

__all__ = ["Index", "RankRequest", "Ranking", "Scored"]
