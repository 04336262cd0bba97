"""How commands end, what is shown meanwhile, what pipes and encodings make of them, and what they need installed."""

import io
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from packaging.requirements import Requirement

from campaigns.judging.isolation import isolated
from remora.api.arguments import prepare_folder, require_possible
from remora.cli import main
from remora.commands import COMMANDS, remora as command_line
from remora.terminal.console import Aside, output_aside, print_error, print_table
from remora.terminal.packages import COSTS, OPTIONAL, Item, package
from remora.terminal.progress import Progress, waiting
from semantics.atomic_files import to_json
from semantics.errors import InputError
from tests.remora.conftest import Remora
from tests.tables import table

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "remora" / "examples"
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and file descriptors of POSIX")


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (InputError("wrong", place="t.csv:3", remedy="Do it."), 2, "error: t.csv:3: wrong\n  Do it.\n"),
        (OSError(28, "No space left", "out/x"), 5, "error: out/x: the system refused: No space left"),
        (ModuleNotFoundError(name="z3.z3core"), 5, "error: the package z3-solver is missing: nothing can be proved\n"),
        (MemoryError(), 5, "error: there is not enough memory"),
        (KeyboardInterrupt(), 130, "error: interrupted\n"),
        (click.Abort(), 130, "error: interrupted\n"),
        (ZeroDivisionError(), 5, "a defect of Remora"),
        (ModuleNotFoundError(name="laws.missing"), 5, "a defect of Remora"),
        (None, 5, "a command ended without a standing"),
    ],
)
def test_every_failure_has_its_message_and_status(
    remora: Remora, monkeypatch: pytest.MonkeyPatch, error: BaseException | None, status: int, said: str
) -> None:
    @click.command()
    def broken() -> None:
        if error is not None:
            raise error

    monkeypatch.setattr(type(command_line), "get_command", lambda *_: broken)
    ended, out, err = remora("laws")
    assert (ended, out, said in err, "Traceback" in err) == (status, "", True, "defect" in err), err


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize(
    ("work", "number", "said"),
    [
        ("time.sleep(1000)", signal.SIGTERM, "terminated"),
        (
            "while True:\n        try: time.sleep(0.01)\n        except BaseException: pass",
            signal.SIGINT,
            "interrupted",
        ),
    ],
)
def test_a_signal_ends_whatever_is_being_done_with_one_line(work: str, number: signal.Signals, said: str) -> None:
    program = (
        "import sys, time, click\nfrom remora.cli import main\nfrom remora.commands import LazyGroup\n"
        f"@click.command()\ndef work():\n    print('begun', flush=True)\n    {work}\n"
        "LazyGroup.get_command = lambda *_: work\nsys.argv = ['remora', 'laws']\nmain()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # whoever started the tests
    )
    try:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        time.sleep(0.3)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (128 + number, f"error: {said}\n")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


class Terminal(io.StringIO):
    """A terminal, as far as programs look."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_is_shown_how_far_it_is_and_results_go_where_they_belong(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, results = Terminal(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "stdout", results)
    monkeypatch.setattr("remora.terminal.progress.DELAY", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "160")
    with Progress() as progress:
        assert progress._start is not None and progress._rich is not None
        progress._start.join()
        with progress.stage("proofs", 3) as advance:
            advance("law:[1]")
            advance("law:2")
            print("found")
            progress._rich.refresh()
    assert [part in terminal.getvalue() for part in ("proofs", "1 of 3", "law:2")] == 3 * [True]
    assert results.getvalue() == "found\n"


@pytest.mark.parametrize("coloured", ["", "1"])
def test_without_a_terminal_a_listed_run_has_a_line_for_each_stage_and_others_none(
    coloured: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", coloured)
    with waiting("deciding") as tell:
        tell("what goes on")
    assert capsys.readouterr() == ("", "")
    with Progress(listed=True) as progress, progress.stage("proofs", 2) as advance:
        advance("law:1")
    assert capsys.readouterr() == ("", "proofs: 0.0 s\n")


def test_brackets_and_colons_are_text_and_columns_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    print_error("A[t] [red] :smile: \\[x]")
    print_table(("id", "[n]", "text"), [("[t]", "1", "x" * 200), ("bcdef", "23", "")], right=("[n]",))
    captured = capsys.readouterr()
    assert captured.err == "error: A[t] [red] :smile: \\[x]\n"
    assert captured.out == f"id     [n]  text\n[t]      1  {'x' * 200}\nbcdef   23\n"


def test_numbers_that_json_does_not_have_become_text() -> None:
    assert to_json({"a": [float("inf"), 1.5], "b": {"c": float("nan")}}) == '{"a": ["inf", 1.5], "b": {"c": "nan"}}'
    assert to_json({"a": "é"}, ascii_only=True) == '{"a": "\\u00e9"}'


def test_what_a_detector_prints_is_no_result(capfd: pytest.CaptureFixture[str]) -> None:
    class Talking:
        def __init__(self, name: str) -> None:
            print("made", name)

        def step(self, time: int, occurrences: object) -> int:
            print("stepped")
            return time

        def snapshot(self) -> str:
            print("stored")
            return "state"

    print("before")
    with output_aside() as lifted:
        isolated(lambda: print("in another process", flush=True), seconds=5)
        with lifted():
            print("a result")
    detector = Aside(Talking, "it")
    assert (detector.step(4, {}), detector.snapshot()) == (4, "state")
    assert hasattr(detector, "snapshot") and not hasattr(detector, "restore")
    out, err = capfd.readouterr()
    assert out == "before\na result\n"
    assert sorted(err.split("\n")) == sorted(["in another process", "made it", "stepped", "stored", ""])


def test_output_below_python_is_put_aside_too() -> None:
    program = (
        "import os\nfrom remora.terminal.console import output_aside\n"
        "with output_aside() as lifted:\n    os.write(1, b'below')\n    with lifted(): print('result')\n"
        "os.write(1, b'back')"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, cwd=ROOT)
    assert (run.stdout, run.stderr) == (b"result\nback", b"below")


def test_a_folder_is_tried_before_it_is_needed(tmp_path: Path) -> None:
    prepare_folder(tmp_path / "a")
    require_possible(tmp_path / "c" / "d", "Name another one.")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file is a file"):
        require_possible(tmp_path / "file" / "b", "Name another one.")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "file"]


@pytest.mark.slow
@POSIX
def test_a_detection_is_printed_as_soon_as_a_row_of_a_later_time_is_there() -> None:
    command, pipe = [sys.executable, "-m", "remora", "detect", "a ; b", "-"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0) as running:
        assert running.stdin is not None and running.stdout is not None
        for rows, end in ((b"time,event\n1,a\n2,b\n3,c\n", 2), (b"4,a\n5,b\n6,c\n", 5)):
            running.stdin.write(rows)
            assert json.loads(running.stdout.readline())["end"] == end
        assert running.poll() is None
        running.kill()


def shell(script: str, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a script of bash in which `$1`, `$2`… are the arguments and `remora` is the command."""
    start = f"remora() {{ '{sys.executable}' -m remora \"$@\"; }}\n"
    command = ["bash", "-c", start + script, "bash", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@POSIX
@pytest.mark.parametrize(
    ("command", "noted"),
    [("laws list --format json", ""), ("detect a - --sort", "note: sorted 1 row out of order (--sort)\n")],
)
def test_a_reader_that_has_gone_is_no_error_message_and_no_success(command: str, noted: str) -> None:
    rows = "(echo time,event; echo 2,a; echo 1,a)"
    ended = shell(f"{rows} | (sleep 0.1; remora {command}) | sleep 0; echo ${{PIPESTATUS[1]}}")
    assert (ended.stdout, ended.stderr) == ("141\n", noted)


@pytest.mark.slow
@POSIX
def test_who_reads_a_pipe_gets_no_count(logins: Path) -> None:
    assert shell('remora detect fail "$1" --format text | cat', logins).stderr == ""


@pytest.mark.long
@POSIX
def test_output_that_cannot_be_written_or_is_closed() -> None:
    if Path("/dev/full").exists():
        for command in ("laws", "equiv a a --format json"):
            ended = shell(f"remora {command} > /dev/full")
            assert (ended.returncode, ended.stderr.count("\n")) == (5, 1), command
            assert "No space left on device" in ended.stderr
        assert shell("remora xyzzy 2> /dev/full").returncode == 5
    ended = shell("remora equiv a b >&-")
    assert (ended.returncode, "Traceback" in ended.stderr) == (1, False)
    assert shell("remora detect a - <&-").returncode == 2


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ('detect "fail" "$1" --state "$1.state" >&-', "what is not printed would be lost"),
        ("detect fail $'f\\xffil'", "\\udcff"),
    ],
)
def test_a_closed_output_and_bytes_that_are_no_text_are_refused(logins: Path, command: str, said: str) -> None:
    ended = shell(f"remora {command}", logins)
    assert (ended.returncode, said in ended.stderr, len(list(logins.parent.iterdir()))) == (2, True, 1)


def encoded(monkeypatch: pytest.MonkeyPatch, encoding: str, *arguments: str | Path) -> str:
    """What a command prints to a terminal or a pipe of an encoding."""
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    with pytest.raises(SystemExit):
        main([str(argument) for argument in arguments])
    return written.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
def test_json_means_the_same_in_every_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    trace.write_text('{"time": 1, "event": "a", "value": "Größe ∞ 😀"}\n', encoding="utf-8")
    row = encoded(monkeypatch, encoding, "detect", "a", trace)
    assert json.loads(row)["instance"][0]["value"] == "Größe ∞ 😀"
    claims = json.loads(encoded(monkeypatch, encoding, "laws", "list", "--format", "json"))
    assert "∪" in claims["definitions"][0]["text"]
    assert ("∪" if encoding == "utf-16" else "\\u222a") in encoded(monkeypatch, encoding, "laws", "show", "con")


@pytest.mark.parametrize(("words", "expected"), table(__file__, "offered"))
def test_values_are_offered(
    remora: Remora, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], expected: str
) -> None:
    monkeypatch.setenv("_REMORA_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "\n".join(["remora", *(f"'{word}'" for word in words)]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    status, out, err = remora()
    found = [line.removeprefix("plain,") for line in out.splitlines()]
    assert (status, err, expected in found) == (0, "", True)
    assert all(value.removeprefix("file,").startswith(words[-1]) for value in found)
    assert words != ("",) or found == list(COMMANDS)


def test_every_command_loads(remora: Remora) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert f"_REMORA_COMPLETE={shell}_complete" in remora("completion", shell)[1]
    for name in COMMANDS:
        command = command_line.get_command(click.Context(command_line), name)
        assert command is not None and "Examples:" in (command.epilog or ""), name
    assert "Did you mean" in remora("detct")[2]


FEW = ("click", "lark", "rich", "markdown_it", "mdurl", "pygments")
"""The packages that the first command of the README installs, and what comes with them."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "installed", "status", "said"),
    [
        (("detect", "fail ; fail", str(EXAMPLES / "logins.csv"), "--format", "text"), FEW, 0, "fail(root)@"),
        (("eval", str(EXAMPLES / "logistics.profile"), str(EXAMPLES / "logistics.jsonl")), FEW, 0, '"P1"'),
        (("doctor",), FEW, 5, "Not in order"),
        (("eval", "no.rules", "no.csv", "--engine", "duckdb"), FEW, 2, "no.csv: there is no such file"),
        (("prove", "14"), FEW, 5, "python -m pip install"),
        (("doctor",), (), 5, "python -m pip install click"),
    ],
)
def test_a_first_look_needs_three_packages_and_the_rest_says_what_it_needs(
    tmp_path: Path, arguments: tuple[str, ...], installed: Sequence[str], status: int, said: str
) -> None:
    for name in installed:
        found = find_spec(name)
        assert found is not None and found.origin is not None
        (tmp_path / name).symlink_to(Path(found.origin).parent)
    program = f"import sys; sys.path[:0] = {[str(ROOT), str(tmp_path)]}; from remora.cli import main; main()"
    command = [sys.executable, "-I", "-S", "-c", program, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert (run.returncode, said in run.stdout + run.stderr, "Traceback" in run.stderr) == (status, True, False), run
    assert "z3-solver" in run.stdout or arguments != ("doctor",)


def test_every_dependency_of_the_project_is_known_to_the_doctor() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    stated = {Requirement(text).name for text in project["dependencies"]}
    for extra, texts in project["optional-dependencies"].items():
        stated |= {f"{Requirement(text).name} [{extra}]" for text in texts}
    assert set(COSTS) == stated
    assert set(OPTIONAL) < stated


PLATFORMS = ['lark<2; python_version < "3"', 'lark<3,>=1.2; python_version >= "3"']
CONNECT = ['pyspark>=4; extra == "connect"']


@pytest.mark.parametrize(
    ("texts", "name", "version", "state", "fails", "remedy"),
    [
        (PLATFORMS, "lark", "1.3.1", "ok", False, ""),
        (PLATFORMS, "lark", "1.1", "unsupported", True, "python -m pip install 'lark>=1.2,<3'"),
        (PLATFORMS, "lark", "", "missing", True, "python -m pip install 'lark>=1.2,<3'"),
        (PLATFORMS[:1], "lark", "", "missing", False, "There is no package of it for this Python and platform."),
        (CONNECT, "pyspark [connect]", "", "missing", False, "python -m pip install --editable '.[connect]'"),
        (CONNECT, "pyspark [connect]", "4", "ok", False, ""),
        ([], "lark", "0.1", "ok", False, ""),
    ],
)
def test_a_package_is_judged_by_the_range_of_this_platform(
    monkeypatch: pytest.MonkeyPatch, texts: list[str], name: str, version: str, state: str, fails: bool, remedy: str
) -> None:
    def find(asked: str) -> str:
        if not version:
            raise PackageNotFoundError(asked)
        return version

    monkeypatch.setattr("importlib.metadata.version", find)
    monkeypatch.setattr("remora.terminal.packages.find_spec", lambda _: True)
    item = package(name, texts)
    assert (item.state, item.fails, item.remedy if item.state != "ok" else "") == (state, fails, remedy)
    monkeypatch.setattr("remora.terminal.packages.find_spec", lambda _: None)
    assert package(name, texts).state == "missing", "it cannot be imported"


def test_what_is_missing_is_named_with_its_cost(remora: Remora, monkeypatch: pytest.MonkeyPatch) -> None:
    lark = Item("lark", "missing", True, cost="no expression can be read", remedy="pip install lark")
    optional = Item("ethos", "missing", cost="nothing is certified")
    monkeypatch.setattr("remora.commands.installation.looked_at", lambda: iter([lark, optional]))
    status, out, _ = remora("doctor")
    assert (status, "Not in order: lark\n" in out) == (5, True)
    assert "○ lark: missing\n  No expression can be read\n  pip install lark\n" in out
    status, out, _ = remora("doctor", "--format", "json")
    assert (status, json.loads(out)["exit_status"]) == (5, 5)
