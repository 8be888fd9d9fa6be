"""News of this room, for the rooms that keep something on what goes."""

from dataclasses import dataclass

from svod.foundation.ids import LevelId, WorkspaceId


@dataclass(frozen=True, slots=True)
class LevelsDeleted:
    """Fact: levels are being deleted; whatever lies on them goes in the same transaction."""

    workspace_id: WorkspaceId
    level_ids: tuple[LevelId, ...]


@dataclass(frozen=True, slots=True)
class WorkspaceDeleted:
    """Fact: a workspace is being deleted; every row of it goes in the same transaction."""

    workspace_id: WorkspaceId
