"""`remora atlas`: which law holds in which event algebra, with the proof or the trace."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic

import click
from rich.text import Text

from laws.atlas.cells import LAWS, REASONS, Cell, cell_data, replayed
from laws.atlas.deciding import implications, shown_trace
from laws.standings import Standing
from proofs.atlas.proving import evidence
from proofs.atlas.record import at_revision, computed, differences, document, recorded, replay
from remora import __version__
from remora.api.arguments import prepare_folder
from remora.terminal.console import counted, emit, output_console, print_note, print_table
from remora.terminal.drawing import print_timeline
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import NamedPath, Result, ends, format_option, no_seed_option
from remora.terminal.progress import Progress
from reports.atlas import atlas_page
from reports.drawing.layout import Bar, Side, Timeline
from semantics.atlas.catalogue import DIMENSIONS, SETTINGS
from semantics.atomic_files import draft, write_text
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.errors import InputError
from semantics.hinze_voisard.pairing import Instance, Instances, by_time

MARKS = {"proved": ("●", "green"), "decided": ("◐", "green"), "tested": ("○", "cyan"), "refuted": ("✕", "red")}
"""A standing in one sign, and in a colour where there are some."""

REMAINS = {
    "included": "the left has no instance that the right lacks",
    "includes": "the right has no instance that the left lacks",
    "intervals": "equal starts and ends",
    "instants": "equal times of detection",
    "": "nothing",
}
"""Relation that no case contradicts though the law fails, in words."""


@click.command(
    epilog="\b\nExamples:\n"
    "  remora atlas                          systems by laws\n"
    "  remora atlas 6                        law 6 in all systems\n"
    "  remora atlas snoop-recent-points      all laws in a system\n"
    "  remora atlas 6 snoop-recent-points    one cell, with its trace\n"
    "  remora atlas --holds 6 --holds 9 --fails 5\n"
    "  remora atlas --replay                 does all stand as recorded?\n"
    "  remora atlas --diff HEAD~3            what changed in the record since then?"
)
@click.argument("chosen", metavar="[LAW|SYSTEM]...", nargs=-1)
@click.option("--where", "where", multiple=True, metavar="DIMENSION=VALUE", help="Systems with this value. Repeatable.")
@click.option("--holds", multiple=True, metavar="LAW", help="Systems in which nothing refutes it. Repeatable.")
@click.option("--fails", multiple=True, metavar="LAW", help="Systems in which it is refuted. Repeatable.")
@click.option("--out", type=NamedPath(file=False), help="Write atlas.html, atlas.json and atlas.parquet here.")
@click.option(
    "--replay",
    "replaying",
    is_flag=True,
    help="Replay every trace of the record, have the solvers prove and automata decide again; 1 if something does not"
    " stand.",
)
@click.option("--diff", "revision", metavar="REV", help="Compare the record with that of a git revision.")
@click.option("--compute", is_flag=True, help="Compute the chosen cells again and compare; 1 if one differs.")
@click.option("--master", metavar="URL", help="With --compute: spread the cells over this Spark master.")
@click.option(
    "--keep", type=NamedPath(folder=False), help="With --compute: add what is computed to this file, and go on from it."
)
@no_seed_option
@format_option
@ends
def atlas(
    chosen: tuple[str, ...],
    where: tuple[str, ...],
    holds: tuple[str, ...],
    fails: tuple[str, ...],
    out: Path | None,
    replaying: bool,
    revision: str | None,
    compute: bool,
    master: str | None,
    keep: Path | None,
    form: str,
) -> Result:
    """Show in which event algebras the laws hold: Carlson and Lisper, Snoop's contexts, Hinze and Voisard's settings.

    A cell is proved for all operands, decided for event types as operands, refuted by a trace, or tested to a stated
    bound, which is no proof.
    """
    asked = [name for name, given in (("--replay", replaying), ("--diff", revision), ("--compute", compute)) if given]
    if len(asked) > 1:
        raise click.UsageError(f"{' and '.join(asked)} are different questions. Ask one at a time.")
    if (master or keep) and not compute:
        raise click.UsageError("--master and --keep say where --compute works; nothing is computed without it.")
    cells = recorded()
    laws = [_law(name) for name in chosen if name not in SETTINGS] or [law.id for law in LAWS]
    systems = _systems([name for name in chosen if name in SETTINGS] or list(SETTINGS), where)
    for law, refuted in [*((_law(name), False) for name in holds), *((_law(name), True) for name in fails)]:
        systems = [name for name in systems if (cells[law, name].standing == "refuted") is refuted]
    if revision is not None:
        return _told(differences(at_revision(revision), cells), "nothing changed")
    if replaying:
        with Progress() as progress, progress.stage("cells", len(systems) * len(laws)) as advance:
            found = replay(cells, systems, laws, advance)
        rests = "what the record of proofs proves is proved again by remora prove --replay"
        return _told(found, f"same as recorded: {counted(len(systems) * len(laws), 'cell')}; {rests}")
    if compute:
        goes_on(lambda: again(kept=True) if keep else f"{again()} --keep FILE")
        begun, rows = monotonic(), [law for law in LAWS if law.id in laws]
        with Progress() as progress, progress.stage("cells", len(systems) * len(rows)) as advance:
            anew = computed(systems, rows, master=master, keep=keep, tell=advance)
        new = {(each.law, each.setting): each for each in anew}
        tried, seconds = sum(each.cases for each in anew), monotonic() - begun
        print_note(f"{tried:,} instances of laws evaluated in {seconds:,.0f} s")
        old = {key: cells[key] for key in new}
        return _told(differences(old, new), f"same: {len(new):,} cells come out as recorded")
    shown_cells = [cells[law, name] for name in systems for law in laws]
    if not systems and (out is not None or form != "json"):
        print_note(f"no system is as asked for{'' if out is None else '; nothing was written'}")
    elif out is not None:
        _write(out, shown_cells)
    elif form == "json":
        emit(document(shown_cells, __version__))
    elif len(laws) == 1 and len(systems) == 1:
        _print_cell(shown_cells[0])
    elif len(systems) == 1 or len(laws) == 1:
        _print_cells(shown_cells, by_law=len(systems) == 1)
    else:
        _print_matrix(laws, systems, cells)
    return Result(None)


def _law(name: str) -> str:
    """The id of the law that is called `law:6`, `6` or `detection:1`."""
    known = [law.id for law in LAWS]
    found = next((law for law in (name, f"law:{name}") if law in known), None)
    if found is None:
        raise InputError(
            f"there is no law or system {name!r}",
            remedy=f"Laws are {known[0]} to {known[-1]}, with or without `law:`; `remora atlas` lists"
            " them with the systems.",
        )
    return found


def _systems(names: Sequence[str], where: Iterable[str]) -> list[str]:
    """The systems among some that have all values of dimensions, such as `clock=points`."""
    found = list(names)
    for condition in where:
        dimension, _, value = condition.partition("=")
        if dimension not in DIMENSIONS:
            raise InputError(
                f"{condition!r} names no dimension",
                place="--where",
                remedy=f"Write for example clock=points. The dimensions: {', '.join(DIMENSIONS)}.",
            )
        values = dict.fromkeys(setting.dimensions[dimension] for setting in SETTINGS.values())
        if value not in values:
            raise InputError(
                f"no system has the {dimension} {value!r}",
                place="--where",
                remedy=f"The values of {dimension}: {', '.join(filter(None, values))}.",
            )
        found = [name for name in found if SETTINGS[name].dimensions[dimension] == value]
    return found


def _told(found: Sequence[str], same: str) -> Result:
    """Print what differs; refuted if something does."""
    emit("".join(f"{line}\n" for line in found) or f"{same}\n")
    return Result(Standing.REFUTED if found else Standing.PROVED)


def _write(out: Path, cells: Sequence[Cell]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    prepare_folder(out)
    text = document(cells, __version__)
    write_text(out / "atlas.json", text)
    write_text(out / "atlas.html", atlas_page(text, implications(recorded()), evidence(cells)))
    rows = []
    for cell in cells:
        data = {"why": "", "level": "", "remains": "", "by_ties": False, "cases": 0, **cell_data(cell)}
        case = (
            {"trace": shown_trace(cell.case.trace), "where": cell.case.given}
            if cell.case
            else {"trace": "", "where": ""}
        )
        rows.append({name: data[name] for name in data if name not in ("operands", "bounds")} | case)
    with draft(out / "atlas.parquet") as path:
        pq.write_table(pa.Table.from_pylist(rows), path)
    emit(f"{out / 'atlas.html'}\n")


def _print_matrix(laws: Sequence[str], systems: Sequence[str], cells: Mapping[tuple[str, str], Cell]) -> None:
    numbers = [law.removeprefix("law:") for law in laws]
    width, height = max(map(len, systems), default=0), max(map(len, numbers))
    console = output_console()
    for place in range(height):
        signs = "".join(number.rjust(height)[place] for number in numbers)
        console.print(f"{'law' if place == height - 1 else '':{width}}  {signs}")
    for name in systems:
        console.print(f"{name:{width}}  {''.join(MARKS[cells[law, name].standing][0] for law in laws)}")
    counts = Counter[str](cells[law, name].standing for name in systems for law in laws)
    said = ", ".join(f"{counts[word]:,} {word} {mark}" for word, (mark, _) in MARKS.items())
    print_note(f"{len(systems)} systems, {len(laws)} laws: {said}; `remora atlas LAW SYSTEM` shows one cell")


def _print_cells(cells: Sequence[Cell], *, by_law: bool) -> None:
    statements = {law.id: law.statement for law in LAWS}
    by = ("law", "standing", "fails for", "statement") if by_law else ("system", "standing", "fails for")
    print_table(
        (*by, "not contradicted"),
        [
            (
                each.law if by_law else each.setting,
                Text(f"{MARKS[each.standing][0]} {each.standing}", MARKS[each.standing][1]),
                f"{each.level}, by ties alone" if each.by_ties else each.level,
                *([statements[each.law]] if by_law else []),
                REMAINS[each.remains] if each.standing == "refuted" else "",
            )
            for each in cells
        ],
    )


def _print_cell(cell: Cell) -> None:
    law, setting, case = next(law for law in LAWS if law.id == cell.law), SETTINGS[cell.setting], cell.case
    dimensions = ", ".join(f"{name} {value}" for name, value in setting.dimensions.items() if value)
    emit(f"{law.id}  {law.statement}\n{setting.name}: {dimensions}\n")
    if case is None:
        emit(f"{cell.standing}: {REASONS[cell.why]}\n")
        emit(f"cases tried: {cell.cases:,}\n" if cell.cases else "")
        return
    emit(f"refuted for {cell.level}, with {case.given}; not contradicted: {REMAINS[cell.remains]}\n")
    if cell.by_ties:
        emit("only by the order of ties: in another order of instances with equal start and end it is not\n")
    occurrences = tuple(Occurrence(name, time) for name, time in case.trace)

    def members(one: Instance) -> tuple[Occurrence, ...]:
        return tuple(each for n, each in enumerate(occurrences) if one.members >> n & 1)

    left, right = replayed(law, setting, case)
    emit("\n")
    for name, found in (("left", left), ("right", right)):
        told = ["{" + ", ".join(map(str, members(one))) + "}" for one in sorted(found, key=by_time)]
        emit(f"{name:6}{', '.join(told) or 'no instances'}\n")
    emit("\n")
    sides: tuple[tuple[Side, Instances], ...] = (
        ("both", left & right),
        ("left", left - right),
        ("right", right - left),
    )
    bars = tuple(
        Bar(one.start, one.end, side, side != "both", members(one)) for side, some in sides for one in sorted(some)
    )
    print_timeline(Timeline("", (), ("left", "right"), occurrences, bars))
