"""Shows on a terminal how far a session is. Rich draws the bar and copes with all the terminals there are."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lpcl.tune.events import BaselineMeasured, CandidateLeft, Event, RunFinished, RunStarted, SessionStarted
from lpcl.tune.records import RunRecord


class ProgressBar:
    """Listens to a session and draws a bar on a terminal, and nothing where there is none.

    It is redrawn when something happens only: a bar that moves would take CPU time from what is measured.
    """

    def __init__(self, console: Console) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            auto_refresh=False,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("starting", total=None)

    def __enter__(self) -> ProgressBar:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def __call__(self, event: Event) -> None:
        """Draws what the event says."""
        if isinstance(event, SessionStarted):
            self._show("measuring the machine's noise", event.resumed, event.expected)
            for note in event.notes:
                self._print(f"note: {note}")
            if 0 < event.resumed < event.expected:
                self._print(f"going on after {event.resumed} runs of an earlier session")
        elif isinstance(event, BaselineMeasured):
            self._bar.refresh()
        elif isinstance(event, RunStarted):
            self._show(
                f"{event.step.phase} {event.step.round + 1}: {event.step.config}",
                event.number - 1,
                event.expected,
            )
        elif isinstance(event, RunFinished):
            self._show(f"{event.record.config}: {_ended(event.record)}", event.number, event.expected)
        elif isinstance(event, CandidateLeft):
            self._print(f"{event.departure.config} is not run further: {event.departure.reason}")

    def _show(self, text: str, done: int, expected: int) -> None:
        self._bar.update(
            self._task, description=text, completed=done, total=max(expected, done), refresh=True
        )

    def _print(self, line: str) -> None:
        if not self._bar.disable:
            self._bar.console.print(line, markup=False, highlight=False)


def _ended(record: RunRecord) -> str:
    return f"{record.value:.3g}" if record.value is not None else record.how_it_ended()
