"""What commands print as JSON, read strictly."""

import json
from typing import Any

from reports.schemas import schema, validator
from tests.reports.formats import strict


def of_its_schema(text: str, name: str = "") -> Any:
    """The document, if it has all fields of its schema, and no other ones."""
    document = json.loads(text)
    known = strict(schema(name or document["schema"]))
    errors = [f"{list(e.absolute_path)}: {e.message[:300]}" for e in validator(known).iter_errors(document)]
    assert not errors
    return document
