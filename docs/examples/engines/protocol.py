"""The loop of an adapter: one case a line in, its detections a line out."""

import json
import sys
from collections.abc import Callable, Sequence

from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError

Event = tuple[int, str, object]
"""The time in ticks, the type and the value; events stand in the order of their rows."""

Answer = Callable[[Expression, Sequence[Event]], list[dict]]
"""What an engine finds: `start` and `end`, and `instance`, the events, where it tells them."""


def serve(answer: Answer) -> None:
    """Answer case by case until the input ends; an InputError says what the engine does not take."""
    for line in sys.stdin:
        case = json.loads(line)
        try:
            found = {"detections": answer(parse(case["pattern"]), [tuple(event) for event in case["events"]])}
        except InputError as error:
            found = {"refused": getattr(error, "reason", str(error))}
        except Exception as error:
            found = {"error": f"{type(error).__name__}: {error}"[:2000]}
        print(json.dumps({"case": case["case"], **found}), flush=True)
