"""Amounts of what a verification puts to the test, which a committed file has: what is left out is missed.

python -m remora.verification.amounts --write    write the file anew, when there is more to be put to the test, or other
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TypedDict

from campaigns.engine.rows import maker_of, relation_of
from campaigns.engine.settings import Settings
from campaigns.judging.regressions import own_regressions
from campaigns.systems import cases_of
from laws.carlson_lisper.altered.definitions import altered_definitions
from laws.carlson_lisper.altered.neighbours import all_neighbours
from laws.carlson_lisper.claims import catalogue
from laws.errata import errata_of
from laws.systems import every_claim, every_false_claim
from remora.api.claiming.claims import checked
from remora.atlas.cells import LAWS
from remora.atlas.findings import absences, withdrawals
from remora.atlas.proving import asked_in
from remora.bry_eckert import verifying as of_rules
from remora.hinze_voisard import verifying as of_profiles
from remora.judging.generator_mutants import generator_mutants
from remora.verification.sabotage.edits import catalogue as sabotages
from semantics.atomic_files import write_text
from semantics.settings.catalogue import SETTINGS
from semantics.systems import systems_in

FILE = Path(__file__).with_name("amounts.json")

CASES = 200
"""So many cases of each system are listed with what is expected in them."""

EVERY = 12
"""What solvers are asked in the atlas is listed for one in so many settings of profiles, and for all other systems."""


class Amount(TypedDict):
    """How many there are, and the SHA-256 of their names, one a line, in alphabetical order."""

    number: int
    sha256: str


def amount(names: Iterable[str]) -> Amount:
    """That of things by their names."""
    listed = sorted(names)
    return {"number": len(listed), "sha256": sha256("\n".join(listed).encode()).hexdigest()}


@cache
def recorded() -> Mapping[str, Amount]:
    """What the file says, by what there is so much of."""
    found: dict[str, Amount] = json.loads(FILE.read_text("utf-8"))
    return found


def other(what: str, names: Iterable[str]) -> str:
    """How things differ from those of which the file tells; "" if they do not."""
    found, known = amount(names), recorded().get(what)
    if found == known:
        return ""
    due = "none" if known is None else f"{known['number']:,}"
    which = ", others than these" if known and known["number"] == found["number"] else ""
    return f"{what}: {found['number']:,}{which}, where {FILE.name} has {due}"


def tested() -> list[str]:
    """Each claim with the ways in which it is checked on finitely many cases."""
    return [f"{each.claim.id} {one.method}" for each in checked(every_claim(), 1, 0) for one in each.outcomes]


def cases(system: str) -> Iterator[str]:
    """The first cases of a campaign of a system, each with the relation that is tried on it and what is expected."""
    known = cases_of(system)
    settings = Settings(system=system, seed=0, cases=CASES, detectors=(known.DEFAULT_DETECTOR,))
    made = maker_of(settings)
    for number in range(CASES):
        case = made(number)
        expected = " ".join(f"{start}-{end}" for start, end in known.meaning(case).expected)
        relation = relation_of(settings, number)
        yield f"{number} {case.profile}: {case.text} on {case.trace_text}, by {relation}: {expected}"


def texts() -> Iterator[str]:
    """What solvers are asked of laws in systems of the atlas."""
    chosen = (
        setting
        for number, setting in enumerate(SETTINGS.values())
        if setting.family != "hinze_voisard" or number % EVERY == 0
    )
    return asked_in(chosen, LAWS)


LISTED: Mapping[str, Callable[[], Iterable[str]]] = {
    "claims": lambda: (claim.id for claim in every_claim()),
    "canaries": lambda: (claim.id for claim in every_false_claim()),
    "supports": lambda: (
        f"{one.id} on {name}" for one in every_claim() for name in getattr(one, "rests_on", ())
    ),
    "errata": lambda: (each.id for name in systems_in("errata") for each in errata_of(name)),
    "evidence": lambda: (
        f"{erratum.id} {each.check} {dict(each.details)}"
        for name in systems_in("errata")
        for erratum in errata_of(name)
        for each in erratum.evidence
    ),
    "neighbours": lambda: (each.id for each in all_neighbours(catalogue())),
    "alterations": lambda: (f"{each.id}: {each.what}" for each in altered_definitions()),
    **{f"mutants of {name}": cases_of(name).telling for name in systems_in("campaigns")},
    **{f"cases of {name}": partial(cases, name) for name in systems_in("campaigns")},
    "engines of rules": lambda: of_rules.ENGINES,
    "engines of profiles": lambda: of_profiles.ENGINES,
    "changes of the generator": generator_mutants,
    "texts of the atlas": texts,
    "findings of the atlas": lambda: map(str, (*withdrawals(), *absences())),
    "regressions": lambda: (each.name for each in own_regressions()),
    "sabotages": lambda: (each.id for each in sabotages()),
}
"""What there is of each, by the name of what it is."""


def write() -> None:
    """Write the file."""
    # These compare what is there with the file.
    from remora.verification.known.answers import Known, numbers
    from remora.verification.selfchecks import self_checks
    from smt.solvers.portfolio import installed

    with installed() as portfolio:
        groups = self_checks(portfolio)
        asked = {
            each.amount: numbers(sum(1 for _ in each.rows()))
            for each in chain.from_iterable(groups.values())
            if isinstance(each, Known) and not each.varies
        }
    listed = {what: names() for what, names in LISTED.items()}
    names = {**listed, "tests": tested(), "checks": numbered(groups), **asked}
    lines = ",\n".join(f"{json.dumps(what)}: {json.dumps(amount(each))}" for what, each in names.items())
    write_text(FILE, f"{{\n{lines}\n}}\n")


def numbered(groups: Mapping[str, Iterable[object]]) -> list[str]:
    """The groups of self-checks, each with how many there are."""
    return [f"{name} {len(list(several))}" for name, several in groups.items()]


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    counted = Counter[str]()
    for what, each in recorded().items():
        counted["questions" if what.startswith("questions of ") else what] += each["number"]
    print("\n".join(f"{number:>5} {what}" for what, number in counted.items()))
