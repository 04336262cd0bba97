"""What commands print as JSON, read strictly."""

import json
from typing import Any

from msgspec import to_builtins

from reports.documents import value_of
from tests.reports.formats import undocumented


def of_its_schema(text: str, name: str = "") -> Any:
    """The document, if it has all fields of its schema, and no other ones."""
    document = json.loads(text)
    known = to_builtins(value_of(name or document["schema"], document))
    assert not undocumented(document, known)
    return document
