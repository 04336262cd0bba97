"""The report's parts about profiles and settings."""

from collections.abc import Mapping
from typing import Any

from reports.page import Section, Table
from reports.systems import ReportsOfSystem, judged_text

_STANDINGS = ("proved", "decided", "refuted", "tested")


class HinzeVoisardReports(ReportsOfSystem):
    """The profiles of the source, how the engine was judged, and what is known of the settings."""

    declarations = "class "

    def sections(self, document: Mapping[str, Any]) -> tuple[Section, ...]:
        """Both sections of a report with `profiles`."""
        found = document.get("profiles")
        if not found:
            return ()
        judged = found["cases"]
        numbers = ("How many", *(name.capitalize() for name in _STANDINGS))
        counts = tuple(
            (row["family"], f"{row['systems']:,}", *(f"{row['cells'].get(name, 0):,}" for name in _STANDINGS))
            for row in found["atlas"]
        )
        return (
            Section(
                title="Profiles: what can be withdrawn, and what is stored",
                sentences=(
                    "The profiles P1 to P8 of Hinze and Voisard, evaluated continuously: what is announced as early as"
                    " possible can turn out wrong where the last event of a list is selected or what is left over is"
                    " paired again, and is withdrawn then.",
                    f"The engine was judged on {judged['cases']:,} random profiles and traces by the definition,"
                    f" which evaluates the interval up to each time again, with {judged['answers']:,} announcements:"
                    f" {judged_text(judged)}",
                ),
                blocks=(Table(("Profile", "In words", "Withdrawn", "State"), tuple(map(_profile, found["profiles"]))),),
            ),
            Section(
                title="The atlas: which law holds in which event algebra",
                sentences=(
                    "Counts of the committed atlas: the laws of the first system in each setting. A tested cell is"
                    " bounded; the atlas has the bound and the reason.",
                ),
                blocks=(Table(("Systems", *numbers), counts, right=numbers),),
                beside="atlas.html",
            ),
        )


def _profile(row: Mapping[str, Any]) -> tuple[str, ...]:
    reasons = dict.fromkeys(part["unbounded"] for part in row["parts"] if part["unbounded"])
    undone = dict.fromkeys(part["withdraws"] for part in row["parts"] if part["withdraws"])
    bound = "; ".join(f"no bound: {reason}" for reason in reasons) or "bounded by the spans"
    return row["name"], row["words"], "; ".join(undone) or "never", bound


REPORTS = HinzeVoisardReports()
