"""Phrases for systems, in which laws hold or fail and dimensions have values: `clock=points, holds 6 but not 7`.

The page of the atlas reads them by the same rule, with the same words (`reports/templates/atlas.html.jinja`).
"""

import re
from collections.abc import Collection
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

WORDS = MappingProxyType(
    {
        "holds": ["hold", "holds", "holding", "stand", "stands", "standing", "true", "with"],
        "fails": ["fail", "fails", "failing", "false", "refuted", "refutes", "breaks"],
        "helps": ["do", "does", "is", "are"],
        "refuses": ["not", "no", "without", "neither"],
        "parts": ["and", "nor", "but", ",", ";", ":", ".", "&"],
        "nothing": ["law", "laws", "system", "systems", "a", "the", "an", "in", "which", "where", "that", "both"],
    }
)
"""The words of phrases, by what they do."""

TOKEN = r"([a-z]+=[^\s,;]*)|(\d+(?:\s*[-–]\s*\d+)+)|([!-]?)(?:law[: ]?)?((?:[a-z]+:)?\d+)\b|([^\s,;:.&!]+|[,;:.&])"
"""Part of a phrase: a value of a dimension, a range, a law with what refuses it before it, a word or a sign."""


class Phrase(NamedTuple):
    """A phrase as it was read: laws and whether they fail, values of dimensions, and what was not understood."""

    laws: list[tuple[str, bool]]
    values: list[tuple[str, str]]
    unread: list[str]


def phrase(text: str, laws: Collection[str]) -> Phrase:
    """A phrase about laws; a verb right before a law is about those that follow, another about those before it."""
    found, waiting, sign, bare, last = Phrase([], [], []), list[tuple[str, bool]](), None, False, False
    kinds = {word: kind if kind in ("parts", "nothing") else "verb" for kind, words in WORDS.items() for word in words}
    tokens = re.findall(TOKEN, re.sub(r"n['’]t\b", " not", text.lower()))
    read = [("law" if each[3] else kinds.get(each[4], "other"), each) for each in tokens]
    runs = [(kind, [each for _, each in run]) for kind, run in groupby(read, itemgetter(0)) if kind != "nothing"]
    runs = [(kind, [one for _, run in same for one in run]) for kind, same in groupby(runs, itemgetter(0))]
    for place, (kind, run) in enumerate(runs):
        if kind == "law":
            for *_, refusal, number, _ in run:
                law = number if ":" in number else f"law:{number}"
                if law not in laws:
                    found.unread.append(f"law {number}")
                else:
                    (waiting if sign is None else found.laws).append((law, bool(refusal) is not bool(sign)))
        elif kind == "verb":
            words = [each[4] for each in run]
            said = {word in WORDS["fails"] for word in words if word in (*WORDS["holds"], *WORDS["fails"])}
            last = any(said) if said else last
            fails = last is not (sum(word in WORDS["refuses"] for word in words) % 2 == 1)
            ahead = place + 1 < len(runs) and runs[place + 1][0] == "law"
            if not (ahead or waiting or (bare and not fails)):
                found.unread.append(" ".join(words))
            found.laws.extend((law, (fails and not ahead) is not refused) for law, refused in waiting)
            waiting, sign, bare = [], fails if ahead else None, ahead and not said
        elif kind == "other":
            found.values.extend((value.partition("=")[0], value.partition("=")[2]) for value, *_ in run if value)
            found.unread.extend(each or word for value, each, *_, word in run if not value)
    found.laws.extend(waiting)
    return found
