"""From a version number and what changed to the next one."""

from __future__ import annotations

from lpcl.compat.change import Release


def following(version: str, release: Release) -> str | None:
    """The version that follows `version`; None for a text that is none. Before 1.0 the second part is raised
    for what breaks.
    """
    from packaging.version import InvalidVersion, Version

    try:
        parts = Version(version).release
    except InvalidVersion:
        return None
    major, minor, patch = (*parts, 0, 0, 0)[:3]
    if release is Release.MAJOR:
        return f"{major + 1}.0.0" if major else f"0.{minor + 1}.0"
    if release is Release.MINOR:
        return f"{major}.{minor + 1}.0" if major else f"0.{minor}.{patch + 1}"
    return f"{major}.{minor}.{patch + 1}" if release is Release.PATCH else f"{major}.{minor}.{patch}"
