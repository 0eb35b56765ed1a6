"""From paths to a program: the files that are asked for, and those that they import."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lpcl.cache import world
from lpcl.cache.territory import is_reached
from lpcl.diagnostics.diagnostic import Diagnostic, Severity
from lpcl.model.program import Program, SourceFile
from lpcl.packages import configuration
from lpcl.packages.index import Index
from lpcl.packages.reading import Making, display, parsed, source, unreadable
from lpcl.syntax import nodes

CORE = "lpcl.core"


@dataclass(frozen=True)
class Loaded:
    """A program, which of its files were asked for, and what went wrong while looking for them.

    `missing` tells whether a path that was asked for could not be read at all.
    """

    program: Program
    targets: frozenset[SourceFile]
    findings: tuple[Diagnostic, ...]
    missing: bool
    index: Index
    settings: tuple[configuration.Configuration, ...] = ()

    def severities(self, path: str) -> Mapping[str, Severity | None]:
        """The severities that the project of a file sets; the nearest `pyproject.toml` decides."""
        absolute = os.path.abspath(path)
        best: configuration.Configuration | None = None
        for setting in self.settings:
            if setting.path is not None:
                folder = os.path.dirname(setting.path).rstrip(os.sep) + os.sep
                if absolute.startswith(folder) and (best is None or len(best.path or "") < len(setting.path)):
                    best = setting
        return best.severities if best is not None else {}


def load(paths: Sequence[str], overlay: Mapping[str, str] | None = None, make: Making = parsed) -> Loaded:
    """Load the files and folders `paths` with all that they import.

    Without paths: the folders of the nearest `pyproject.toml`, else the current folder. `overlay` gives texts
    that take the place of what is on disk, by path; `make` parses texts.
    """
    overlay = {os.path.abspath(path): text for path, text in (overlay or {}).items()}
    settings = _configurations(paths or ["."])
    findings = [finding for setting in settings for finding in setting.findings]
    folders = [folder for setting in settings for folder in setting.contracts]
    asked = list(paths) or folders or ["."]
    targets, neighbours, missing = _targets(asked, overlay)
    findings += missing
    project = dict.fromkeys([*targets, *neighbours])
    for folder in folders:
        project.update(dict.fromkeys(world.files_below(folder) if world.is_folder(folder) else [folder]))
    index = Index(project, overlay)
    files, faults = _closure(targets, index, overlay, make)
    findings += faults
    unread = {fault.location.path for fault in faults if fault.code == "unreadable-file"}
    shown = {display(path) for path in targets}
    return Loaded(
        program=Program(tuple(files.values())),
        targets=frozenset(file for path, file in files.items() if path in targets),
        findings=tuple(findings),
        missing=bool(missing) or bool(unread & shown),
        index=index,
        settings=tuple(settings),
    )


def load_alone(
    targets: Sequence[str], project: Iterable[str], overlay: Mapping[str, str] | None = None
) -> Loaded:
    """Load the files `targets` with what they import, which is looked for in the files `project`, and then in
    installed distributions and the standard library; no other file of the project is.
    """
    texts = {os.path.abspath(path): text for path, text in (overlay or {}).items()}
    asked = dict.fromkeys(os.path.abspath(path) for path in targets)
    index = Index(dict.fromkeys([*asked, *map(os.path.abspath, project)]), texts)
    files, faults = _closure(asked, index, texts, parsed)
    return Loaded(
        program=Program(tuple(files.values())),
        targets=frozenset(file for path, file in files.items() if path in asked),
        findings=tuple(faults),
        missing=any(fault.code == "unreadable-file" for fault in faults),
        index=index,
    )


def everything(start: str = ".") -> Program:
    """All that can be found from a folder: of the project, installed distributions, the standard library.

    Of a package that several of them have, the one of the highest level is there, as for imports.
    """
    settings = _configurations([start])
    project: dict[str, None] = {}
    for folder in [folder for setting in settings for folder in setting.contracts] or [start]:
        found = world.files_below(folder) if world.is_folder(folder) else [folder]
        project.update(dict.fromkeys(os.path.abspath(path) for path in found))
    index = Index(project, {})
    files = [
        source(path, origin, {}, parsed)[0]
        for package in index.packages()
        for path, origin in index.files(package)
    ]
    return Program(tuple(file for file in files if file is not None))


def _configurations(paths: Sequence[str]) -> list[configuration.Configuration]:
    found: dict[str, configuration.Configuration] = {}
    for path in paths:
        start = path if world.is_folder(path) else os.path.dirname(os.path.abspath(path))
        place = configuration.nearest(start)
        if place is not None and place not in found:
            found[place] = configuration.load(place)
    return list(found.values())


def _targets(
    paths: Sequence[str], overlay: Mapping[str, str]
) -> tuple[dict[str, None], dict[str, None], list[Diagnostic]]:
    """The files that `paths` name, those beside named files, and a finding for each missing path."""
    targets: dict[str, None] = {}
    neighbours: dict[str, None] = {}
    missing: list[Diagnostic] = []
    for path in paths:
        absolute = os.path.abspath(path)
        if world.is_folder(absolute):
            targets.update(dict.fromkeys(world.files_below(absolute)))
            inside = absolute.rstrip(os.sep) + os.sep
            below = sorted(name for name in overlay if name.startswith(inside))
            targets.update(dict.fromkeys(name for name in below if is_reached(name, absolute, world.exists)))
        elif absolute in overlay or world.is_file(absolute):
            targets[absolute] = None
            folder = os.path.dirname(absolute)
            neighbours.update(dict.fromkeys(world.files_beside(folder)))
        else:
            reason = "no such file or folder" if not world.exists(absolute) else "not a file"
            missing.append(unreadable(display(path), reason))
    return targets, neighbours, missing


def _closure(
    targets: Mapping[str, None], index: Index, overlay: Mapping[str, str], make: Making
) -> tuple[dict[str, SourceFile], list[Diagnostic]]:
    files: dict[str, SourceFile] = {}
    findings: list[Diagnostic] = []
    packages: set[str] = set()
    seen: set[str] = set()
    queue = [(path, "project") for path in targets]
    while queue:
        path, origin = queue.pop(0)
        real = index.real(path)
        if real in seen:
            continue
        seen.add(real)
        file, finding = source(path, origin, overlay, make)
        if finding is not None:
            findings.append(finding)
        if file is None:
            continue
        files[path] = file
        wanted = {file.package} if file.package else set()
        if any(isinstance(item, nodes.Application) for item in file.bare_items()):
            wanted.add(CORE)  # whose resources every application is held against, imported or not
        for item in file.imports:
            wanted.add(item.path)
            if not item.star and not item.names:
                wanted.add(item.path.rpartition(".")[0])
        for package in sorted(wanted - packages - {""}):
            packages.add(package)
            queue.extend(index.files(package))
    return files, findings
