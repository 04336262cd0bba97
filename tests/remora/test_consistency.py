"""What holds for all commands alike: their options, and what they do with input that is wrong."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from remora.terminal.options import NamedPath, Number
from remora.terminal.subcommands import remora as command_line
from tests.remora.conftest import Process, Remora, refused


def paths(
    command: click.Command = command_line, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from paths(inner, (*path, name))


PATHS = dict(paths())

COMMANDS = {path: command for path, command in PATHS.items() if not isinstance(command, click.Group)}

OPTIONS = [
    (path, parameter)
    for path, command in COMMANDS.items()
    for parameter in command.params
    if isinstance(parameter, click.Option) and parameter.nargs == 1
    if isinstance(parameter.type, click.IntRange | click.FloatRange | click.Path)
]
"""The options that take a number or a path, each with its command."""


# -------------------------------------------------------------------------------------------------------- options


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_help_is_short_fits_80_columns_and_an_ascii_terminal_and_has_examples(
    remora: Remora, monkeypatch: pytest.MonkeyPatch, path: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    status, out, err = remora(*path, "--help")
    assert (status, err, out.isascii()) == (0, "", True)
    assert [line for line in out.splitlines() if len(line) > 80] == []
    assert f"Examples:\n    remora {' '.join(path)}" in out or path in ((), ("laws", "list"))
    assert remora(*path, "-h") == (0, out, "")


def test_no_command_at_all_gets_the_help(remora: Remora) -> None:
    status, _, err = remora()
    assert (status, "Usage: remora" in err) == (2, True)


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_refuses_what_it_does_not_know(remora: Remora, path: tuple[str, ...]) -> None:
    assert "--no-such-option" in refused(remora(*path, "--no-such-option"))
    assert "'nonsense' is not one of" in refused(remora(*path, "--format", "nonsense"))


@pytest.mark.parametrize("seed", ["-1", str(2**32), "1.5", "x", ""])
def test_every_command_has_the_same_seeds(remora: Remora, seed: str) -> None:
    for path in COMMANDS:
        assert "Invalid value for '--seed'" in refused(remora(*path, "--seed", seed))


@pytest.mark.parametrize(("path", "option"), OPTIONS, ids=str)
def test_every_number_has_limits_that_are_kept_and_every_path_is_named(
    remora: Remora, tmp_path: Path, path: tuple[str, ...], option: click.Option
) -> None:
    name = option.opts[0]
    if isinstance(option.type, click.IntRange | click.FloatRange):
        assert isinstance(option.type, Number | click.IntRange)
        assert option.type.min is not None
        for text in ("x", "", "nan", "inf", repr(option.type.min - 1)):
            assert f"Invalid value for '{name}'" in refused(remora(*path, name, text)), text
    else:
        assert isinstance(option.type, NamedPath)
        assert "names no file or folder" in refused(remora(*path, name, ""))
        if name == "--out":
            (tmp_path / "file").write_text("")
            assert "is a file" in refused(remora(*path, name, tmp_path / "file"))


# ---------------------------------------------------------------------------------------------------------- input


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with files of the wrong kinds."""
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").write_text("x")
    Path("ok.csv").write_text("time,event\n1,a\n")
    Path("empty.csv").write_text("")
    Path("binary.csv").write_bytes(bytes(range(128, 256)) * 20)
    Path("zeros.csv").write_bytes(bytes(5000))
    Path("broken.parquet").write_bytes(b"PAR1nonsense")
    Path("broken.json").write_text('{"schema": ')
    return tmp_path


TRACES = {
    "missing.csv": "there is no such file",
    "folder": "this is a directory",
    "empty.csv": "there is nothing to read",
    "binary.csv": "is not UTF-8 text",
    "zeros.csv": "zeros.csv:1",
    "broken.parquet": "this Parquet file cannot be read",
}

TAKING_A_TRACE = (
    ("detect", "a", "{}"),
    ("detect", "a", "{}", "--intervals"),
    ("eval", "a", "{}"),
    ("campaign", "run", "c", "--corpus", "{}"),
    ("verify", "--out", "o", "--log", "{}", "a"),
)


@pytest.mark.parametrize("command", TAKING_A_TRACE, ids=" ".join)
def test_a_trace_that_is_none_is_told_by_its_name_wherever_one_is_taken(
    remora: Remora, places: Path, command: tuple[str, ...]
) -> None:
    for trace, said in TRACES.items():
        err = refused(remora(*(word.format(trace) for word in command)))
        assert said in err, trace
        assert trace in err
    assert not Path("c").exists()


TAKING_AN_EXPRESSION = (
    ("detect", "{}", "ok.csv"),
    ("eval", "{}", "ok.csv"),
    ("explain", "{}"),
    ("equiv", "{}", "a"),
    ("equiv", "a", "{}"),
    ("equiv", "{}", "--empty"),
    ("stream", "{}", "folder", "--key", "k", "--once"),
    ("verify", "--out", "o", "--log", "ok.csv", "{}"),
)

NO_EXPRESSIONS = {
    "": "there is nothing to read",
    " ": "there is nothing to read",
    "a -": "the text ends too early",
    "a + b - c": "stand side by side without parentheses",
    "(a": "",
    "a[-1]": "A bound is an integer >= 0",
    "a ; \x00": "",
    "(" * 5000: "",
    "(" * 1000 + "a" + " | b)" * 1000: "more than 200 operators deep",
    "a" * 100_001: "more than the limit of 100,000",
    "fail ; " * 500: "column",
    "a ; " * 50_000: "",
}


@pytest.mark.parametrize("command", TAKING_AN_EXPRESSION, ids=" ".join)
def test_an_expression_that_is_none_is_bad_input_wherever_one_is_taken(
    remora: Remora, places: Path, command: tuple[str, ...]
) -> None:
    for text, said in NO_EXPRESSIONS.items():
        err = refused(remora(*(word.format(text) if word == "{}" else word for word in command)))
        assert said in err
        assert len(err) < 2000, "what is said must not drown in what was given"


NO_CLAIMS = {
    "A == B == C": "unexpected '=='",
    "A == a - b + c": "Write  (a - b) + c",
    "A <= ": "the text ends too early",
    "A ; (B": "the text ends too early",
    "A == ": "the text ends too early",
    "99": "there is no claim '99'",
    "law:99": "there is no claim 'law:99'",
    "theorem:4.6.foo": "there is no claim",
    "LAW:3": "there is no claim",
    "": "this names no claim, as it is empty",
    " ": "this names no claim, as it is empty",
    "A < B": "== <= ~=",
    "A ; B < C": "== <= ~=",
    "A ; B": "Write == for the same meaning, <= for inclusion, ~= for the same detections",
    "A": "'A' is an expression; a claim is an equation between two",
    "A = B": "= alone is no relation",
}

GIVEN_THE_OTHER_WAY_ROUND = (
    "error: ok.csv: this is a file, and stands where the pattern is expected\n"
    "  The pattern comes first: 'a ; b' ok.csv\n"
)

WRONG = {
    **{shlex.join((name, text)): NO_CLAIMS[text] for name in ("prove", "test") for text in NO_CLAIMS},
    "lwas": "Did you mean 'laws'?",
    "xyzzy": "No such command 'xyzzy'.",
    "atlas 99": "there is no law or system '99'",
    "atlas --where colour=red": "names no dimension",
    "atlas --holds snoop-recent-points": "there is no law",
    "atlas --replay --compute": "--replay",
    "atlas --master local[1]": "--master",
    "detect a": "Missing argument 'TRACE'.",
    "detect a b --srot": "--sort",
    "detect a ''": "the path is empty",
    "detect 'a | b + c' ok.csv": "or     a | (b + c)",
    "detect a[9999999999999999999999] ok.csv": "No trace is that long",
    "detect größe ok.csv": "A name that is no identifier is written in quotes",
    "detect a[t] ok.csv": "the bound t is not a number",
    "detect ok.csv 'a ; b'": GIVEN_THE_OTHER_WAY_ROUND,
    "eval ok.csv 'a ; b'": GIVEN_THE_OTHER_WAY_ROUND,
    "detect ok.csv ok.csv": "column",
    "detect a ok.csv --detector mutant:none": "no mutant is called 'none'",
    "detect a ok.csv --detector nosuch": "no detector is called 'nosuch'",
    "detect a ok.csv --detector ''": "no detector is called ''",
    "detect a ok.csv --detector no.such:Thing": "cannot be imported",
    "detect a ok.csv --partition-by ''": "there is no column ''",
    "detect a ok.csv --state folder": "is a directory",
    "detect a ok.csv --state file": "this is not the state of a detection",
    "detect a ok.csv --state file/x": "the state cannot be read",
    "detect pay.ok ok.csv": 'written in quotes: "pay.ok"',
    "detect a[30s] ok.csv": "State it: --tick 1s",
    "detect a ok.csv --tick 1": "a tick of '1' has no length",
    "detect a ok.csv --tick 1s --zone Nowhere": "there is no time zone 'Nowhere'",
    "detect a ok.csv --zone UTC": "State it: --tick 1s.",
    "detect a ok.csv --epoch s": "State it: --tick 1s.",
    "detect a ok.csv --delimiter ab": "cannot be between cells",
    "detect a ok.csv --time when": "there is no column 'when'",
    "eval a ok.csv --event when": "Name one of these with --event.",
    "eval a ok.csv --value when": "Name one of these with --value.",
    "equiv a[1s] a": "State it: --tick 1s",
    "explain a[1s] --tick 2s": "no whole number of ticks",
    "explain 'a - b + c'": "Write  (a - b) + c",
    "explain a[": "column 3: the text ends too early",
    "explain 'a == b'": "unexpected '=='",
    "explain a --bound t=3": "--bound: a has no symbolic bound t",
    "explain a[t] --bound u=3": "Its symbolic bounds: t.",
    "explain a[t][u] --bound t=3": "--bound: u has no value\n  Add --bound u=TICKS",
    "explain a[t] --bound t=3 --bound t=4": "the bound t is given two values",
    "explain a[t] --bound t": "is no value of a bound\n  Write t=60 for 60 ticks",
    "explain a[t] --bound t=-1": "is no value of a bound\n  Write t=60 for 60 ticks",
    f"explain a[t] --bound t={'9' * 30}": "at most 1000000000000000000 ticks",
    "explain a --svg folder": "is a directory",
    "explain a --svg file/x.svg": "file/x.svg: the picture cannot be written",
    "equiv a b --svg file/x.svg": "Name another file with --svg.",
    "equiv a": "Give two patterns",
    "equiv a b --empty": "Give two patterns to compare, or one with --empty.",
    "equiv a --empty --inclusion": "Give two patterns to compare, or one with --empty.",
    "equiv 'a == b' a": "'a == b' is an equation; here two expressions are compared",
    "equiv a[t] a": "`remora prove` takes equations with symbolic bounds",
    "equiv a b --up-to sense": "'sense' is not one of 'meaning', 'intervals', 'detection'",
    "prove 14 --out file/x": "Name another one with --out",
    "prove 14 --checker missing": "there is no such program",
    "prove 14 --signature missing --checker file": "does not exist",
    "prove 14 --primitive b": "--primitive names b, which no conjecture mentions",
    "prove 'a[t] == a' --primitive b": "--primitive names b, which no conjecture mentions",
    "prove --time complex": "'complex' is not one of 'int', 'real', 'both'.",
    "prove --replay --time real": "--replay has no use for --time",
    "prove --replay --seed 7": "--replay has no use for --seed",
    "prove --replay --no-canaries 2": "--replay has no use for --canaries/--no-canaries",
    "prove --replay 'A == A'": "the record has nothing of conjecture:1",
    "prove --replay 2 canary:1": "the record has nothing of canary:1",
    "prove --diff HEAD --time real": "--diff has no use for --time",
    "prove --diff HEAD --seed 0": "--diff has no use for --seed",
    "prove --diff HEAD 2": "--diff has no use for [ID|EQUATION]...",
    "prove --diff HEAD --replay": "--diff has no use for --replay",
    "prove --diff nosuch": "git has no record",
    "prove --diff=": "--diff names no revision",
    "prove 2 --signature file": "name one with --checker",
    "test theorem:6.1": "has no check on finitely many cases",
    "laws show": "Missing argument",
    "laws show nosuch": "there is no claim",
    "laws nosuch": "No such command",
    "report": "Give the folder of a report",
    "report folder --compare folder folder": "Give the folder of a report",
    "report folder --format text": "a report is one of html, markdown, json, junit",
    "report --compare folder folder --format html": "a comparison is one of text, markdown, json",
    "report --compare folder missing": "there is no report here",
    "report missing": "there is no report here",
    "report folder": "there is no report here",
    "campaign show missing": "there is no campaign here",
    "campaign show file": "is a file",
    "campaign show ''": "names no file or folder",
    "campaign resume folder": "there is no campaign here",
    "campaign replay folder 3": "there is no campaign here",
    "campaign replay folder x": "is not a valid number",
    "campaign run file": "is a file",
    "campaign run file/x": "no folder can be here",
    "campaign run ''": "names no file or folder",
    "campaign run c --detector nosuch": "no detector is called 'nosuch'",
    "campaign run c --detector mutant:foo": "no mutant is called 'foo'",
    "campaign run c --detector nix:nix": "cannot be imported",
    "campaign run c --profile nosuch=1": "no profile is called 'nosuch'",
    "campaign run c --profile ties": "the weight is not an integer",
    "campaign run c --profile ties=0": "one of them is greater",
    "campaign run c --master nonsense": "not a Spark master",
    "campaign run c --master ''": "not a Spark master",
    "campaign power --derived nosuch": "no mutants are derived from 'nosuch'\n  There are some of figure",
    "gate --detector nosuch": "no detector is called 'nosuch'",
    "gate --detector nix:nix": "cannot be imported",
    "gate --budget soon": "the budget 'soon' is not a time",
    "gate --budget ''": "is not a time",
    "gate --budget -1m": "is not a time",
    "gate --budget 0s": "is not a time",
    "gate --cases 1 --budget 2m": "exclude each other",
    "gate --master local": "--master needs --cases",
    "gate --out file/x --budget 1s": "nothing can be written",
    "stream a missing --key k": "there is no such folder",
    "stream a folder": "Missing option '--key'",
    "stream a folder --key ''": "--key is empty",
    "stream a folder --key k --master nonsense": "not a Spark master",
    "stream a folder --key k --detector nosuch": "there is no detector 'nosuch'",
    "stream a folder --key k --format parquet": "Parquet is not printed",
    "stream a folder --key k --out file/x": "nothing can be written",
    "verify --out file/x": "nothing can be written",
    "verify --out o --master nonsense": "not a Spark master",
    "verify --log ok.csv": "requires 2 arguments",
    "bench nosuch==": "",
    "bench --density nan": "finite",
    "bench --density 0": "is not in the range",
    "bench --density 1.5": "is not in the range",
    "bench 'A ; B + C'": "two readings differ",
    "bench A[t]": "the bound t is not a number",
    "bench --only nosuch": "no subject and no tool is called 'nosuch'",
    "doctor now": "unexpected extra argument",
    "completion": "Missing argument",
    "completion tcsh": "'tcsh' is not one of",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_input_gets_a_message_and_status_2(remora: Remora, places: Path, line: str) -> None:
    assert WRONG[line] in refused(remora(*shlex.split(line)))
    assert not Path("c").exists()


def test_every_command_is_given_something_wrong() -> None:
    tried = {tuple(shlex.split(line)[:2]) for line in WRONG} | {line[:2] for line in TAKING_A_TRACE}
    for path in COMMANDS:
        assert any(words[: len(path)] == path for words in tried) or path == ("laws", "list"), path


# -------------------------------------------------------------------------------------------------------- colours


@pytest.mark.long
def test_colours_are_for_terminals_and_for_those_who_ask_for_them(process: Process) -> None:
    green = b"\x1b[32m"
    for wishes, coloured in (
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"CLICOLOR_FORCE": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
    ):
        ended = process("doctor", env={"TERM": "xterm", **wishes})
        assert (green in ended.stdout, ended.returncode) == (coloured, 0), wishes
