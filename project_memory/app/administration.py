"""Use cases on a project as a whole, which are for a person."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING

from project_memory import services
from project_memory.app.opened import Opened
from project_memory.signatures import checked

if TYPE_CHECKING:  # what a use case needs loads with it
    from project_memory.services.configuring import ProjectInfo


@checked
class Administration(Opened):
    """What becomes of a project: its name, its repositories, whether it is used."""

    def rename_project(self, new_name: str) -> ProjectInfo:
        """Give the project another name. See `administering.rename`."""
        changed = services.administering.rename(self._storage, self.project, self._actor, new_name)
        self._project = dataclasses.replace(self._project, name=changed.name)
        return changed

    def archive_project(self) -> ProjectInfo:
        """Take the project out of use. See `administering.archive`."""
        return services.administering.archive(
            self._storage, self.project, self._actor, self._clock
        )

    def unarchive_project(self) -> ProjectInfo:
        """Bring the project back into use. See `administering.unarchive`."""
        return services.administering.unarchive(self._storage, self.project, self._actor)

    def add_repositories(self, repository_ids: Iterable[str]) -> ProjectInfo:
        """Let further repositories lead to the project. See `administering.add_repositories`."""
        return services.administering.add_repositories(
            self._storage, self.project, self._actor, repository_ids
        )

    def remove_repository(self, repository_id: str) -> ProjectInfo:
        """Let a repository lead here no more. See `administering.remove_repository`."""
        return services.administering.remove_repository(
            self._storage, self.project, self._actor, repository_id
        )
