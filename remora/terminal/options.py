"""Arguments and options that several commands share, with one meaning everywhere, and the end of every command."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn, TypeAlias, TypeVar, cast

import click

from laws.standings import ExitStatus, Standing, exit_status
from remora.terminal.console import JsonObject, emit_json, print_error
from semantics.systems import DEFAULT_SYSTEM, systems_in
from semantics.traces.reading import OPTIONS, USUAL, Option, Reading, choices_of
from semantics.traces.rows import Undecided

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

Languages: TypeAlias = tuple[str, ...]
"""The languages to which an option applies, by the names in `semantics.systems`; none where it applies to all."""

PATTERNS, RULES, PROFILES = (("patterns",), ("rules",), ("profiles",))

MAX_SEED = 2**32 - 1  # The greatest seed that every solver takes


def of(languages: Languages, *options: Callable[[Any], Any]) -> Callable[[CommandT], CommandT]:
    """Options that apply to texts of some languages alone, as their help says."""

    def decorated(command: CommandT) -> CommandT:
        found: Any = command
        for option in reversed(options):
            found = option(found)
            parameter = found.__click_params__[-1]
            parameter.languages = languages
            parameter.help = f"[{', '.join(languages)}] {parameter.help or ''}".rstrip()
        return cast(CommandT, found)

    return decorated


def languages_of(parameter: click.Parameter) -> Languages:
    """The languages to which a parameter applies; none where that is all of them."""
    found: Languages = getattr(parameter, "languages", ())
    return found


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
            self.fail(
                "it is empty and names no file or folder. Give a path; that of the working directory is '.'.",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)


format_option = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="Text for people, JSON for programs."
)
"""`--format text|json` for commands with one result."""


seed_option = click.option("--seed", type=WholeNumber(0, MAX_SEED), default=0, help="Seed of every random choice.")

no_seed_option = click.option(
    "--seed", type=WholeNumber(0, MAX_SEED), expose_value=False, help="Accepted everywhere; nothing is random here."
)
"""`--seed` for commands without random choices, so that scripts can give it to every command."""

CHECKER = click.option(
    "--checker",
    type=NamedPath(),
    envvar="REMORA_CHECKER",
    show_envvar=True,
    help="Have every certificate checked by this Ethos binary; what it accepts is certified.",
)
SIGNATURE = click.option(
    "--signature",
    type=NamedPath(folder=False, exists=True),
    envvar="REMORA_SIGNATURE",
    show_envvar=True,
    help="The rules that the checker is to use: Cpc.eo in the folder proofs/eo/cpc of cvc5's sources, all of which it"
    " needs.",
)


TRUST = click.option(
    "--trust", is_flag=True, help="Import a detector of one's own that the campaign names: its code is run."
)
"""Whether code that a folder names may be imported."""


def _option_of(name: str, declared: Option) -> Callable[[Any], Any]:
    """The option of a field of `Reading`."""
    choices, usual = choices_of(name), getattr(USUAL, name)
    kind = click.Choice(choices) if choices else WholeNumber(1970, 2199) if name == "year" else None
    return click.option(
        f"--{declared.name or name.replace('_', '-')}",
        name,
        default=usual,
        type=kind,
        is_flag=isinstance(usual, bool),
        metavar=declared.metavar,
        help=declared.about,
    )


_READING: Mapping[str, Callable[[Any], Any]] = {name: _option_of(name, each) for name, each in OPTIONS.items()}
"""The options that say how a log is read, by the fields of `semantics.traces.reading.Reading`."""

system_option = click.option(
    "--system", type=click.Choice(systems_in("campaigns")), default=DEFAULT_SYSTEM, help="The system that is judged."
)

svg_option = click.option(
    "--svg", type=NamedPath(folder=False), metavar="FILE", help="Also draw the trace, or the graphs of rules, to it."
)

ONLY = of(
    RULES + PROFILES,
    click.option(
        "--only", metavar="TYPE", multiple=True, help="Print this type of answers, or this profile, alone. Repeatable."
    ),
)

_BUT_PATTERNS = dict.fromkeys((name for name in _READING if name != "tick"), RULES + PROFILES)

OF_LOGS_BUT_PATTERNS = MappingProxyType({**_BUT_PATTERNS, "value": RULES, "start": RULES})
"""Options of patterns without a log, of which `--tick` is one."""

OF_ALL = MappingProxyType({"same_time": PATTERNS, "value": PATTERNS + RULES, "start": PATTERNS + RULES})
"""To which languages these options apply, where a command takes texts of all."""


def log_options(
    *without: str, of_languages: Mapping[str, Languages] = MappingProxyType({})
) -> Callable[[CommandT], CommandT]:
    """The options that say how a log is read, but for some; the command receives them as one `Reading`."""
    names = [name for name in _READING if name not in without]

    def decorated(command: CommandT) -> CommandT:
        @wraps(command)
        def gathered(**given: Any) -> Any:
            reading = Reading(**{name: given.pop(name) for name in names})
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
            option = _READING[name]
            found = of(of_languages[name], option)(found) if name in of_languages else option(found)
        return cast(CommandT, found)

    return decorated


def own_logs(about: str) -> Callable[[CommandT], CommandT]:
    """`--log FILE EXPRESSION`, as often as wanted."""
    return click.option("--log", "logs", nargs=2, multiple=True, metavar="FILE EXPRESSION", help=about)


def reading_words(reading: Reading, usual: Reading = USUAL, names: Collection[str] = _READING.keys()) -> list[str]:
    """The options with these names that say how a log is read, as they are written; the usual is left out."""
    words = []
    for name, value in vars(reading).items():
        if name in names and value != getattr(usual, name):
            option = "--input-format" if name == "format" else f"--{name.replace('_', '-')}"
            words += [option] if value is True else [option, "tab" if value == "\t" else str(value)]
    return words


@dataclass(frozen=True)
class Result:
    """Result of a command.

    Attributes:
        standing: how what was asked stands; None for a command that shows something and judges nothing.
        document: what `--format json` prints; None where rows were printed as they came.
        show: prints the same for people.
    """

    standing: Standing | None
    document: JsonObject | None = None
    show: Callable[[], object] | None = None


class Ends(Exception):
    """The end of a command before it has a result, with a standing such as `error` where Spark is not there."""

    def __init__(self, standing: Standing, reason: str) -> None:
        super().__init__(reason)
        self.standing = standing


def status_of(standing: Standing | None) -> ExitStatus:
    """The exit status of a command whose result has a standing."""
    return ExitStatus.AS_CLAIMED if standing is None else exit_status([standing])


def ends(command: Callable[..., Result]) -> Callable[..., NoReturn]:
    """A command that prints its result in the form of `--format` and exits with the status of its standing."""
    takes_form = "form" in signature(command).parameters

    @wraps(command)
    def ended(**given: Any) -> NoReturn:
        form = given.get("form") if takes_form else given.pop("form", None)
        try:
            result = command(**given)
        except Ends as error:
            print_error(str(error))
            raise SystemExit(int(status_of(error.standing))) from error
        if form == "json" and result.document is not None:
            emit_json(result.document)
        elif result.show is not None:
            result.show()
        raise SystemExit(int(status_of(result.standing)))

    return ended


def was_given(parameter: str) -> bool:
    """Whether a parameter of the command that runs was given on the command line."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source is click.core.ParameterSource.COMMANDLINE
