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
from remora.terminal import options
from remora.terminal.console import counted, emit, output_console, print_note, print_table, print_timeline
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import Asked, Result, ends, flag, option, several
from remora.terminal.progress import Progress
from reports.drawing.layout import Bar, Side, Timeline
from reports.html import atlas_page
from semantics.atlas.catalogue import DIMENSIONS, SETTINGS
from semantics.atlas.phrases import phrase
from semantics.atomic_files import draft, write_text
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.errors import InputError, nearest
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


@click.command()
@click.argument("chosen", metavar="[LAW|SYSTEM]...", nargs=-1)
@several(
    "--where PHRASE", "Systems such as 'clock=points, holds 6 but not 7': values, laws that hold, fail. Repeatable."
)
@several("--holds LAW", "Systems in which nothing refutes it. Repeatable.")
@several("--fails LAW", "Systems in which it is refuted. Repeatable.")
@option("--out", "Write atlas.html, atlas.json and atlas.parquet here.", options.FOLDER)
@flag("--replay", "Replay every trace of the record, have it proved and decided again; 1 if something does not stand.")
@option("--diff revision REV", "Compare the record with that of a git revision.")
@flag("--compute", "Compute the chosen cells again and compare; 1 if one differs.")
@option("--master URL", "With --compute: spread the cells over this Spark master.")
@option("--keep", "With --compute: add what is computed to this file, and go on from it.", options.FILE)
@ends(options.NO_SEED, options.FORMAT)
def atlas(asked: Asked) -> Result:
    """Show in which algebras the laws hold: Carlson and Lisper, Snoop's contexts, Hinze and Voisard's settings."""
    if (asked.revision is not None) + asked.replay + asked.compute > 1:
        raise click.UsageError("--replay, --diff and --compute are different questions. Ask one at a time.")
    if (asked.master or asked.keep) and not asked.compute:
        raise click.UsageError("--master and --keep say where --compute works; nothing is computed without it.")
    cells, out = recorded(), asked.out
    laws = [_law(name) for name in asked.chosen if name not in SETTINGS] or [law.id for law in LAWS]
    systems, refuted = _asked(asked.where)
    refuted += [(_law(name), fails) for fails, names in ((False, asked.holds), (True, asked.fails)) for name in names]
    chosen = [name for name in asked.chosen if name in SETTINGS] or systems
    systems = [name for name in chosen if name in systems]
    for law, fails in refuted:
        systems = [name for name in systems if (cells[law, name].standing == "refuted") is fails]
    number = len(systems) * len(laws)
    if asked.revision is not None:
        return _told(differences(at_revision(asked.revision), cells), "nothing changed")
    if asked.replay:
        with Progress() as progress, progress.stage("cells", number) as advance:
            found = replay(cells, systems, laws, advance)
        rests = "what the record of proofs proves is proved again by remora prove --replay"
        return _told(found, f"same as recorded: {counted(number, 'cell')}; {rests}")
    if asked.compute:
        keep, begun = asked.keep, monotonic()
        goes_on(lambda: again(kept=True) if keep else f"{again()} --keep FILE")
        with Progress() as progress, progress.stage("cells", number) as advance:
            rows = [law for law in LAWS if law.id in laws]
            anew = computed(systems, rows, master=asked.master, keep=keep, tell=advance)
        new = {(each.law, each.setting): each for each in anew}
        print_note(f"{counted(len(new), 'cell')} computed in {monotonic() - begun:,.0f} s")
        old = {key: cells[key] for key in new}
        return _told(differences(old, new), f"same: {len(new):,} cells come out as recorded")
    shown = [cells[law, name] for name in systems for law in laws]
    if not systems and (out is not None or asked.form != "json"):
        print_note(f"no system is as asked for{'' if out is None else '; nothing was written'}")
    elif out is not None:
        _write(out, shown)
    elif asked.form == "json":
        emit(document(shown, __version__))
    elif number == 1:
        _print_cell(shown[0])
    elif len(systems) == 1 or len(laws) == 1:
        _print_cells(shown, by_law=len(systems) == 1)
    else:
        _print_matrix(laws, systems, cells)
    return Result(None)


def _law(name: str) -> str:
    known = [law.id for law in LAWS]
    found = next((law for law in (name, f"law:{name}") if law in known), None)
    if found is None:
        remedy = f"Laws are {known[0]} to {known[-1]}, with or without `law:`; `remora atlas` lists them and systems."
        remedy = nearest(name, (*known, *SETTINGS), remedy)
        raise InputError(f"there is no law or system {name!r}", remedy=remedy)
    return found


def _asked(phrases: Iterable[str]) -> tuple[list[str], list[tuple[str, bool]]]:
    """The systems that have all values that phrases ask for, and the laws of which they ask whether they fail."""
    systems, laws = list(SETTINGS), list[tuple[str, bool]]()
    for text in phrases:
        found = phrase(text, [law.id for law in LAWS])
        for dimension, value in found.values:
            values = dict.fromkeys(setting.dimensions.get(dimension) for setting in SETTINGS.values())
            if dimension not in DIMENSIONS:
                remedy = f"Write for example clock=points. The dimensions: {', '.join(DIMENSIONS)}."
                raise InputError(f"{text!r} names no dimension", place="--where", remedy=remedy)
            if value not in values:
                remedy = f"The values of {dimension}: {', '.join(filter(None, values))}."
                raise InputError(f"no system has the {dimension} {value!r}", place="--where", remedy=remedy)
            systems = [name for name in systems if SETTINGS[name].dimensions[dimension] == value]
        if found.unread or not (found.laws or found.values):
            remedy = "Write for example 'clock=points, holds 6 but not 7'."
            said = f"{', '.join(found.unread)!r} in {text!r}" if found.unread else repr(text)
            raise InputError(f"{said} is not understood", place="--where", remedy=remedy)
        laws += found.laws
    return systems, laws


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
    usual, rows = {"why": "", "level": "", "remains": "", "by_ties": False, "cases": 0}, []
    for cell in cells:
        data = {name: value for name, value in cell_data(cell).items() if name not in ("operands", "bounds")}
        trace, where = (shown_trace(cell.case.trace), cell.case.given) if cell.case else ("", "")
        rows.append({**usual, **data, "trace": trace, "where": where})
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
    rows: list[tuple[str | Text, ...]] = [
        (
            each.law if by_law else each.setting,
            Text(f"{MARKS[each.standing][0]} {each.standing}", MARKS[each.standing][1]),
            f"{each.level}, by ties alone" if each.by_ties else each.level,
            *([statements[each.law]] if by_law else []),
            REMAINS[each.remains] if each.standing == "refuted" else "",
        )
        for each in cells
    ]
    by = ("law", "standing", "fails for", "statement") if by_law else ("system", "standing", "fails for")
    print_table((*by, "not contradicted"), rows)


def _print_cell(cell: Cell) -> None:
    law, setting, case = next(law for law in LAWS if law.id == cell.law), SETTINGS[cell.setting], cell.case
    dimensions = ", ".join(f"{name} {value}" for name, value in setting.dimensions.items() if value)
    emit(f"{law.id}  {law.statement}\n{law.reading}\n{setting.name}: {dimensions}\n")
    if case is None:
        emit(f"{cell.standing}: {REASONS[cell.why]}\n")
        emit(f"cases tried: {cell.cases:,}\n" if cell.cases else "")
        return
    emit(f"refuted for {cell.level}, with {case.given}; for these not contradicted: {REMAINS[cell.remains]}\n")
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
    sides: dict[Side, Instances] = {"both": left & right, "left": left - right, "right": right - left}
    bars = tuple(
        Bar(one.start, one.end, side, side != "both", members(one))
        for side, some in sides.items()
        for one in sorted(some)
    )
    print_timeline(Timeline("", (), ("left", "right"), occurrences, bars))
