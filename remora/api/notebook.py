"""Notebook displays of the plain values of the algebra, and errors without a traceback.

What the functions of `remora` return shows itself. Expressions, instances and interpretations are values of the room
`semantics`, which draws nothing, so IPython is told here what they look like. This happens by itself when `remora` is
first used in IPython; `%load_ext remora` does it beforehand.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from semantics.carlson_lisper.expressions import Expression, Identifier, Operation
from semantics.carlson_lisper.occurrences import Interpretation

if TYPE_CHECKING:
    from remora.api.detecting.traces import Trace

__all__ = ["load_ipython_extension", "unload_ipython_extension"]


def load_ipython_extension(shell: Any) -> None:
    """Register with IPython how expressions and interpretations are shown."""
    formatters = shell.display_formatter.formatters
    for kind in (Identifier, Operation):
        formatters["text/plain"].for_type(kind, _expression_text)
        formatters["text/html"].for_type(kind, expression_html)
    formatters["text/plain"].for_type(Interpretation, lambda value, printer, _: printer.text(str(_trace(value))))
    formatters["text/html"].for_type(Interpretation, lambda value: _trace(value)._repr_html_())


def unload_ipython_extension(shell: Any) -> None:
    """Undo that."""
    formatters = shell.display_formatter.formatters
    for kind in (Identifier, Operation, Interpretation):
        for form in ("text/plain", "text/html"):
            formatters[form].pop(kind, None)


def load_if_in_ipython() -> None:
    """Do the same where this process is IPython's; otherwise nothing, not even an import."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is not None:
        load_ipython_extension(shell)


def expression_html(expression: Expression) -> str:
    """An expression as text and as a tree, for a notebook."""
    from remora.api.cards import Card, card_html
    from remora.api.patterns.patterns import branches, node_text

    tree = (branch.lines + node_text(branch.node, str) for branch in branches(expression))
    return card_html(Card(str(expression), code="\n".join(tree)))


def _expression_text(expression: Expression, printer: Any, _: bool) -> None:
    printer.text(str(expression))


def _trace(value: Interpretation) -> Trace:
    from remora.api.detecting.traces import trace

    return trace(value)
