"""Notebook displays of plain values: registered when `remora` is first used in IPython, or by `%load_ext remora`."""

import sys
from typing import Any

from remora.api.cards import Card, card_html
from remora.api.detecting.traces import trace
from remora.api.patterns.patterns import branches, node_text
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation
from semantics.carlson_lisper.occurrences import Interpretation


def load_ipython_extension(shell: Any) -> None:
    """Register with IPython how expressions and interpretations are shown."""
    text, html = (shell.display_formatter.formatters[form] for form in ("text/plain", "text/html"))
    for kind in (Identifier, Operation):
        text.for_type(kind, lambda value, printer, _: printer.text(str(value)))
        html.for_type(kind, expression_html)
    text.for_type(Interpretation, lambda value, printer, _: printer.text(str(trace(value))))
    html.for_type(Interpretation, lambda value: trace(value)._repr_html_())


def unload_ipython_extension(shell: Any) -> None:
    """Undo that."""
    for form in ("text/plain", "text/html"):
        for kind in (Identifier, Operation, Interpretation):
            shell.display_formatter.formatters[form].pop(kind, None)


def load_if_in_ipython() -> None:
    """Do the same where this process is IPython's."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is not None:
        load_ipython_extension(shell)


def expression_html(expression: Expression) -> str:
    """An expression as text and as a tree, for a notebook."""
    tree = (branch.lines + node_text(branch.node, str) for branch in branches(expression))
    return card_html(Card(str(expression), code="\n".join(tree)))
