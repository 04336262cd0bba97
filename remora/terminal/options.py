"""Options that several commands share, with one meaning everywhere, and the end of every command."""

import math
import os
import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, NoReturn, TypeAlias

import click
from click.shell_completion import CompletionItem

from laws.standings import ExitStatus, Standing, exit_status
from remora.terminal.console import JsonObject, emit_json, print_error, print_note
from semantics.errors import EnginesDisagree, InputError
from semantics.systems import DEFAULT_SYSTEM, system_of_text, systems_in
from semantics.traces.reading import NO_TIES, OPTIONS, USUAL, Reading, choices_of, option_name
from semantics.traces.rows import Undecided

Decorator: TypeAlias = Callable[[Any], Any]

PATTERNS, RULES, PROFILES = (("patterns",), ("rules",), ("profiles",))  # Languages, as `semantics.systems` has them
MAX_SEED = 2**32 - 1  # The greatest seed that every solver takes
COMPLETING = "_REMORA_COMPLETE"  # The variable by which a shell asks for completions


def option(words: str, about: str, kind: Any = None, **settings: Any) -> Decorator:
    """An option as it is written, such as `--sample N`; a word in small letters names the parameter, if it differs."""
    names = [word for word in words.split() if word == word.lower()]
    metavar = words.removeprefix(" ".join(names)).strip() or None
    return click.option(*names, type=kind, metavar=metavar, help=about, show_envvar=True, **settings)


flag = partial(option, is_flag=True)
several = partial(option, multiple=True)


def claims(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Completion by the ids of claims; laws by their bare numbers too, once a digit is there."""
    from laws.claims import every_claim, every_false_claim

    known = {claim.id: claim.statement for claim in (*every_claim(), *every_false_claim())}
    if incomplete[:1].isdigit():
        known = {name.removeprefix("law:"): text for name, text in known.items() if name.startswith("law:")}
    return [CompletionItem(name, help=text) for name, text in known.items() if name.startswith(incomplete)]


def detectors(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Completion by the names of detectors."""
    from detectors.carlson_lisper.catalogue import CATALOGUE

    return [name for name in ("auto", "all", *CATALOGUE) if name.startswith(incomplete)]


def files(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Completion by whatever files there are; the shell knows."""
    return [CompletionItem(incomplete, type="file")]


def of(languages: tuple[str, ...], *options: Decorator, why: str = "") -> Decorator:
    """Options that apply to texts of some languages alone, as their help says, and why where that is not plain."""

    def decorated(command: Any) -> Any:
        for each in reversed(options):
            command = each(command)
            parameter = command.__click_params__[-1]
            parameter.languages, parameter.why = languages, why
            parameter.help = f"[{', '.join(languages)}] {parameter.help}"
        return command

    return decorated


class WholeNumber(click.IntRange):
    """A whole number within limits, which help and errors call by that name."""

    name = "number"


class Number(click.FloatRange):
    """A finite number within limits."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what lies within no limits, such as `nan`."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return number


class NamedPath(click.Path):
    """A file or folder that is named; the empty text would silently be the working directory."""

    def __init__(self, *, file: bool = True, folder: bool = True, exists: bool = False) -> None:
        super().__init__(exists=exists, file_okay=file, dir_okay=folder, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse the empty text."""
        if not str(value):
            self.fail("it names no file or folder. Give a path; that of the working directory is '.'.", param, ctx)
        return super().convert(value, param, ctx)


FOLDER, FILE, GIVEN_FILE = NamedPath(file=False), NamedPath(folder=False), NamedPath(folder=False, exists=True)

FORMAT = option("--format form", "Text for people, JSON for programs.", click.Choice(["text", "json"]), default="text")
SEED = option("--seed", "Seed of every random choice.", WholeNumber(0, MAX_SEED), default=0)
NO_SEED = option("--seed", "Accepted everywhere; nothing is random here.", WholeNumber(0, MAX_SEED), expose_value=False)
CHECKER = option("--checker", "Have an Ethos binary check every certificate.", NamedPath(), envvar="REMORA_CHECKER")
SIGNATURE = option(
    "--signature",
    "The rules that the checker is to use: Cpc.eo in the folder proofs/eo/cpc of cvc5's sources; it needs all.",
    GIVEN_FILE,
    envvar="REMORA_SIGNATURE",
)
SYSTEM = option("--system", "The event algebra.", click.Choice(systems_in("campaigns")), default=DEFAULT_SYSTEM)
SVG = option("--svg", "Also draw the trace, or the graphs of rules, to it.", FILE)
ONLY = of(RULES + PROFILES, several("--only TYPE", "Print this type of answers, or this profile, alone. Repeatable."))

UNTIL = of(
    RULES + PROFILES,
    option("--until TIME", "Up to when the log is complete: all is final until then, and nothing is said of later."),
    why="What a pattern detects ends at a row, and later rows do not change it.",
)


def _option_of(name: str) -> Decorator:
    declared, choices, usual = OPTIONS[name], choices_of(name), getattr(USUAL, name)
    kind = click.Choice(choices) if choices else WholeNumber(1970, 2199) if name == "year" else None
    words = f"--{option_name(name)} {name} {declared.metavar or ''}"
    return option(words, declared.about, kind, default=usual, is_flag=isinstance(usual, bool))


_READING: Mapping[str, Decorator] = {name: _option_of(name) for name in OPTIONS}
"""The options that say how a log is read, by the fields of `semantics.traces.reading.Reading`."""

TIES = dict.fromkeys(("ties", "tiebreak"), PATTERNS)
OF_ALL = MappingProxyType({"same_time": PATTERNS, **TIES, "value": PATTERNS + RULES, "start": PATTERNS + RULES})
OF_LOGS_BUT_PATTERNS = MappingProxyType(
    {name: RULES if name in ("value", "start") else RULES + PROFILES for name in _READING if name != "tick"}
)
"""Languages to which options apply where a command takes texts of all, or no log with a pattern."""


def log_options(*without: str, of_languages: Mapping[str, tuple[str, ...]] = MappingProxyType({})) -> Decorator:
    """The options that say how a log is read, but for some; the command receives them as one `Reading`."""
    hidden = [*without, *(name for name in TIES if of_languages.get(name) != PATTERNS)]
    names = [name for name in _READING if name not in hidden]

    def decorated(command: Callable[..., Any]) -> Any:
        @wraps(command)
        def gathered(**given: Any) -> Any:
            chosen = {name: given.pop(name) for name in names}
            if not chosen.get("sql"):
                log, pattern = given.get("log"), given.get("pattern") or ""
                if log is None and given.get("patterns_path"):  # then the one argument is the log
                    log, pattern = pattern or None, ""
                require_log(log)
                language = system_of_text(pattern).language
                apply = [name for name in names if language in of_languages.get(name, (language,))]
                chosen |= _stated_beside({**given, "log": log}, apply)
            reading = Reading(**chosen)
            try:
                return command(reading=reading, **given)
            except Undecided as error:
                from semantics.traces.guessing import guessed

                guess = guessed(error.log, reading)
                if guess is not None:
                    error.options = reading_words(guess, reading, names)
                raise

        found: Any = gathered
        for name in reversed(names):
            why, declared = NO_TIES if name in TIES else "", _READING[name]
            found = of(of_languages[name], declared, why=why)(found) if name in of_languages else declared(found)
        return found

    return decorated


def require_log(log: str | None) -> None:
    """Refuse a log that is missing, before anything that takes long or needs a package."""
    from semantics.traces.files import sources_of, unreadable

    for path in sources_of(log, USUAL) if isinstance(log, str) else ():
        if path != "-" and not (path and os.path.lexists(path)):
            raise unreadable(path)


def _stated_beside(given: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """What files beside the logs of a command state with these names and the command line does not; noted."""
    from semantics.traces.beside import beside
    from semantics.traces.files import sources_of

    logs = [given.get("log"), given.get("source"), *given.get("corpus", ()), *(log for log, _ in given.get("logs", ()))]
    paths = [path for log in logs if log not in (None, "-") for path in sources_of(str(log), USUAL)]
    found: dict[str, Any] = {}
    instead = {"same_time": "ties", "ties": "same_time", "tiebreak": "same_time"}
    names = [name for name in names if not (was_given(name) or was_given(instead.get(name, name)))]
    for number, path in enumerate(paths):
        file, stated = beside(path)
        stated = {name: value for name, value in stated.items() if name in names}
        if number and stated != found:
            reason = f"{paths[0]} and {path} are read in different ways, as {file.name} beside them says"
            raise InputError(reason, remedy="Give the options on the command line, or one log at a time.")
        if stated and not number:
            print_note(f"read as {file} says: {shlex.join(reading_words(Reading(**stated)))}")
        found = stated
    return found


def reading_words(reading: Reading, usual: Reading = USUAL, names: Collection[str] = _READING.keys()) -> list[str]:
    """The options with these names that say how a log is read, as they are written; the usual is left out."""
    words = []
    for name, value in vars(reading).items():
        if name in names and value != getattr(usual, name):
            given = f"--{option_name(name)}"
            words += [given] if value is True else [given, "tab" if value == "\t" else str(value)]
    return words


@dataclass(frozen=True)
class Result:
    """Result of a command."""

    standing: Standing | None  # how what was asked stands; None for a command that shows something and judges nothing
    document: JsonObject | None = None  # what `--format json` prints; None where rows were printed as they came
    show: Callable[[], object] | None = None  # prints the same for people


class Ends(Exception):
    """The end of a command before it has a result, with a standing such as `error` where Spark is not there."""

    def __init__(self, standing: Standing, reason: str) -> None:
        super().__init__(reason)
        self.standing = standing


def status_of(standing: Standing | None) -> ExitStatus:
    """The exit status of a command whose result has a standing."""
    return ExitStatus.AS_CLAIMED if standing is None else exit_status([standing])


Asked: TypeAlias = SimpleNamespace
"""The values of the options and arguments of a command, by the names of its parameters."""


def ends(*options: Decorator) -> Decorator:
    """A command with these last options, which prints its result in the form of `--format` and exits as that stands."""

    def decorated(command: Callable[[Asked], Result]) -> Any:
        @wraps(command)
        def ended(**given: Any) -> NoReturn:
            try:
                result = command(Asked(**given))
            except (Ends, EnginesDisagree) as error:
                print_error(str(error))
                standing = error.standing if isinstance(error, Ends) else Standing.DISAGREEMENT
                raise SystemExit(int(status_of(standing))) from error
            if given.get("form") == "json" and result.document is not None:
                emit_json(result.document)
            elif result.show is not None:
                result.show()
            raise SystemExit(int(status_of(result.standing)))

        found: Any = ended
        for each in reversed(options):
            found = each(found)
        return found

    return decorated


def was_given(parameter: str) -> bool:
    """Whether a parameter of the command that runs was given on the command line."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source is click.core.ParameterSource.COMMANDLINE
