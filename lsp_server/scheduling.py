"""When work is done: after a moment of quiet, and never for a state that is already past."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class Debounced:
    """Runs `work` when nobody has asked for it for `delay` seconds. A newer request ends an older one."""

    def __init__(self, work: Callable[[], Awaitable[None]], delay: float) -> None:
        self._work = work
        self._delay = delay
        self._task: asyncio.Task[None] | None = None

    def ask(self, *, at_once: bool = False) -> None:
        """Ask for the work. What is waiting or under way is given up."""
        self.drop()
        self._task = asyncio.get_running_loop().create_task(self._run(0 if at_once else self._delay))

    def drop(self) -> None:
        """Give up what is waiting or under way."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def done(self) -> None:
        """Wait for the work that is waiting or under way; not for what is asked for meanwhile."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self, delay: float) -> None:
        if delay:
            await asyncio.sleep(delay)
        await self._work()
