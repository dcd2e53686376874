"""Use cases: each module is one, over the ports, the index and the core.

As an attribute of this package (``services.audit``) a module loads when it is first used, so that
who only recalls does not wait for the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from project_memory.services import (
        acting as acting,
    )
    from project_memory.services import (
        administering as administering,
    )
    from project_memory.services import (
        affected as affected,
    )
    from project_memory.services import (
        asking as asking,
    )
    from project_memory.services import (
        audit as audit,
    )
    from project_memory.services import (
        audit_report as audit_report,
    )
    from project_memory.services import (
        backing_up as backing_up,
    )
    from project_memory.services import (
        batch as batch,
    )
    from project_memory.services import (
        bearing as bearing,
    )
    from project_memory.services import (
        beside as beside,
    )
    from project_memory.services import (
        brief as brief,
    )
    from project_memory.services import (
        bringing as bringing,
    )
    from project_memory.services import (
        browse as browse,
    )
    from project_memory.services import (
        computing as computing,
    )
    from project_memory.services import (
        configuring as configuring,
    )
    from project_memory.services import (
        curate as curate,
    )
    from project_memory.services import (
        expected as expected,
    )
    from project_memory.services import (
        expecting as expecting,
    )
    from project_memory.services import (
        exporting as exporting,
    )
    from project_memory.services import (
        following as following,
    )
    from project_memory.services import (
        gaps as gaps,
    )
    from project_memory.services import (
        history as history,
    )
    from project_memory.services import (
        identity as identity,
    )
    from project_memory.services import (
        importing as importing,
    )
    from project_memory.services import (
        inbox as inbox,
    )
    from project_memory.services import (
        indexes as indexes,
    )
    from project_memory.services import (
        known as known,
    )
    from project_memory.services import (
        labels as labels,
    )
    from project_memory.services import (
        mending as mending,
    )
    from project_memory.services import (
        passing_on as passing_on,
    )
    from project_memory.services import (
        projects as projects,
    )
    from project_memory.services import (
        purge as purge,
    )
    from project_memory.services import (
        recall as recall,
    )
    from project_memory.services import (
        revalidating as revalidating,
    )
    from project_memory.services import (
        review as review,
    )
    from project_memory.services import (
        seeding as seeding,
    )
    from project_memory.services import (
        selecting as selecting,
    )
    from project_memory.services import (
        sessions as sessions,
    )
    from project_memory.services import (
        sightings as sightings,
    )
    from project_memory.services import (
        sweeping as sweeping,
    )
    from project_memory.services import (
        syncing as syncing,
    )
    from project_memory.services import (
        tasks as tasks,
    )
    from project_memory.services import (
        tokens as tokens,
    )
    from project_memory.services import (
        transaction as transaction,
    )
    from project_memory.services import (
        undo as undo,
    )
    from project_memory.services import (
        usage as usage,
    )
    from project_memory.services import (
        validate as validate,
    )
    from project_memory.services import (
        watching as watching,
    )
    from project_memory.services import (
        working as working,
    )
else:

    def __getattr__(name: str) -> object:
        """Return the module of this name, loaded now."""
        try:
            return import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
            raise AttributeError(f"{__name__} has no module '{name}'") from None
