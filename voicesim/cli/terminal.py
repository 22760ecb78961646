"""The terminal, where what an agent tells is text and no order: no colour, title, cursor or emoji of its choosing."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from voicesim.report.wording import visible


class Terminal(Console):
    """A console on which control characters in a text are spelled out; styles and tables work as they do in any."""

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, emoji=False, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))
