"""Certificates: proofs by cvc5 in the format CPC, bound to the file of the problem, for an independent checker.

    ethos --include=cvc5/proofs/eo/cpc/Cpc.eo law-14-included.cpc

Ethos reads the problem's file, which the certificate names, to see that every assumption is one of its assertions. It
prints `correct`, or `incomplete` if a step was taken on trust, with exit status 0 in both cases, and does not ask what
was proved, nor whether a certificate brings rules of its own. That is `complaints`' part, which needs no checker:
between the two, an accepted certificate is a refutation of that very problem.
"""

import hashlib
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from detectors.processes import kill_group
from smt.smtlib import SExpression, parse_all
from smt.solvers.portfolio import CERTIFYING, CVC5, ENUMERATE, SATURATE

ENUMERATION_RLIMIT = 200_000  # The budget of enumeration; twice of what the laws and theorems of the source take
ACCEPTED = "correct"  # The whole output of a checker that accepts

_HEADER = "; refutation of the problem with sha256 {digest}\n; by {solver}, {options}\n"
_DIGEST = re.compile(r"; refutation of the problem with sha256 ([0-9a-f]{64})\n")
_TERM = re.compile(r"@t[0-9]+")
_STEP = re.compile(r"@p[0-9]+")
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+|-?[0-9]+/[0-9]+")
_INTEGER = re.compile(r"(?<=[ (])[0-9]+(?=[ )])")
_BINDERS = ("forall", "exists")


class NotCertified(RuntimeError):
    """There is no certificate of a problem; the text says why."""


@dataclass(frozen=True)
class Certificate:
    """A refutation that an independent checker can read."""

    text: str

    @property
    def sha256(self) -> str:
        """The hash of the certificate's text."""
        return sha256(self.text)


@dataclass(frozen=True)
class Checked:
    """Result of checking a certificate; `hung` if the checker did not end, and had to be stopped."""

    accepted: bool
    reason: str = ""
    hung: bool = False


def sha256(text: str) -> str:
    """The hash of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def certificate(problem: str, problem_file: str, solver: CVC5, *, rlimit: int, seed: int = 0) -> Certificate:
    """The certificate of a problem that cvc5 refutes, by a budget of two to three times that of an answer.

    The refutation is looked for by enumeration first: what it finds is the same on every machine. One that only
    instantiation by patterns finds is the same each time on one installation, and nearly always on another.
    `problem_file` holds exactly this text, from the folder that the certificate will be in. `NotCertified` where cvc5
    does not refute it, or a step is no application of a rule; `SolverFailed` where cvc5 rejects the problem or breaks
    down.
    """
    strategy = ENUMERATE
    answer, proof = solver.certify(problem, rlimit=min(rlimit, ENUMERATION_RLIMIT), seed=seed, strategy=strategy)
    if answer.status == "unknown":
        strategy = SATURATE
        answer, proof = solver.certify(problem, rlimit=rlimit, seed=seed, strategy=strategy)
    if answer.status != "unsat":
        raise NotCertified(f"{answer.solver}: {answer.status} {answer.reason}".strip())
    options = (*strategy.options, *CERTIFYING, ("seed", seed))
    listed = " ".join(f"{name}={str(value).lower()}" for name, value in options)
    header = _HEADER.format(digest=sha256(problem), solver=answer.solver, options=listed)
    lines = proof.splitlines()
    if lines[:1] == ["("] and lines[-1:] == [")"]:  # cvc5 prints the commands as one list
        lines = lines[1:-1]
    text = "\n".join([f'{header}(reference "{problem_file}")', *lines, ""])
    found = complaints(text, problem, problem_file)
    if found and "Real" in problem and _INTEGER.search(problem):
        found += ("numbers of sort Real have to be written with a point: a checker takes others for integers",)
    if found:
        raise NotCertified("; ".join(found))
    return Certificate(text)


def complaints(certificate: str, problem: str, problem_file: str) -> tuple[str, ...]:
    """Objections to a certificate as a refutation of a problem, as far as they can be seen without a checker.

    None means: it names that file and has the hash of that text; what it assumes is exactly what the problem asserts;
    it declares nothing and brings no rules; no step is taken on trust, or uses what was shown under a local assumption
    after that has ended; and the last step proves false from nothing else. Whether each step follows is for a checker
    to say.
    """
    try:
        return tuple(_complaints(certificate, problem, problem_file))
    except (ValueError, RecursionError) as error:
        return (f"it cannot be read: {error}",)


def _complaints(certificate: str, problem: str, problem_file: str) -> list[str]:
    found: list[str] = []
    digest = _DIGEST.match(certificate)
    if digest is None or digest[1] != sha256(problem):
        found.append("it is not of this problem: the hash of the text is another one")
    references: list[SExpression] = []
    assumed: set[int] = set()
    terms, proof = _Terms(), _Proof()
    for command in parse_all(certificate):
        match command:
            case ("reference", str(file)):
                references.append(file)
            case ("define", str(name), (), body) if _TERM.fullmatch(name):
                terms.define(name, body)
            case ("assume", str(name), formula) if _STEP.fullmatch(name):
                assumed.add(terms.number(formula, {}))
                proof.scopes[-1].add(name)
            case ("assume-push", str(name), _) if _STEP.fullmatch(name):
                proof.scopes.append({name})
            case ("step" | "step-pop" as kind, str(name), *rest) if _STEP.fullmatch(name):
                proof.step(name, rest, pops=kind == "step-pop")
            case _:
                found.append(f"it has a command that is no part of a refutation: {_shown(command)}")
    if references != [f'"{problem_file}"']:
        found.append(f"it does not name {problem_file} as its problem, and no other")
    asserted = {terms.number(body, {}) for body in assertions(problem)}
    if assumed - asserted:
        found.append("it assumes what the problem does not assert")
    if asserted - assumed:
        found.append("it does not list everything that the problem asserts")
    if proof.trusted:
        found.append(f"{proof.trusted} of its steps are taken on trust")
    if proof.unfounded:
        found.append(f"{proof.unfounded} of its steps use what is not known there")
    if not proof.ends_in_false:
        found.append("its last step does not prove false")
    return found


def assertions(problem: str) -> list[SExpression]:
    """Assertions of a problem, in order; `ValueError` where it does anything but declare, assert and ask once."""
    found: list[SExpression] = []
    for command in parse_all(problem):
        match command:
            case ("assert", body):
                found.append(body)
            case ("set-logic" | "set-info" | "declare-sort" | "declare-fun" | "declare-const", *_) | ("check-sat",):
                pass
            case _:
                raise ValueError(f"the problem has a command that is not looked into: {_shown(command)}")
    return found


class _Proof:
    """Summary of the steps: which are known in the scope of which local assumption, and what the last one proves."""

    def __init__(self) -> None:
        self.trusted = 0
        self.unfounded = 0
        self.ends_in_false = False
        self.scopes: list[set[str]] = [set()]

    def step(self, name: str, rest: Sequence[SExpression], *, pops: bool = False) -> None:
        """A step, whose conclusion may be stated before its rule."""
        stated, rest = (rest[0], rest[1:]) if rest[0] != ":rule" else (None, rest)
        if len(rest) < 2 or rest[0] != ":rule":
            raise ValueError(f"{name} has no rule")
        self.trusted += rest[1] == "trust"
        premises = rest[3] if rest[2:3] == [":premises"] else ()
        self.unfounded += not all(any(part in scope for scope in self.scopes) for part in premises)
        if pops:
            self.scopes.pop()
        if not self.scopes:
            raise ValueError(f"{name} ends an assumption that was not made")
        self.scopes[-1].add(name)
        self.ends_in_false = len(self.scopes) == 1 and stated == "false"


class _Terms:
    """Terms by number, equal terms by the same one: a certificate shares subterms, a problem writes them out."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int | str, ...], int] = {}
        self._defined: dict[str, int] = {}

    def define(self, name: str, body: SExpression) -> None:
        if name in self._defined:
            raise ValueError(f"{name} is defined twice")
        self._defined[name] = self.number(body, {})

    def number(self, term: SExpression, variables: Mapping[str, int]) -> int:
        """The number of a term in which some names are those of variables."""
        if isinstance(term, str):
            if term in variables:
                return variables[term]
            if term in self._defined:
                return self._defined[term]
            if _TERM.fullmatch(term):
                raise ValueError(f"{term} is used before it is defined")
            return self._unique((str(Fraction(term)) + "/",) if _DECIMAL.fullmatch(term) else (term,))
        match term:
            case ("@var", str(name), str(sort)):
                return self._unique(("@var", name.strip('"'), sort))
            case (str(binder), pairs, body) if binder in _BINDERS and (bound := _pairs(pairs)):
                names = {name: self._unique(("@var", name, sort)) for name, sort in bound}
                listed = self._unique(("@list", *names.values()))
                return self._unique((binder, listed, self.number(body, {**variables, **names})))
            case (str(head), first, *rest) if not _TERM.fullmatch(head):
                return self._unique((head, *(self.number(part, variables) for part in (first, *rest))))
        raise ValueError(f"no term: {_shown(term)}")

    def _unique(self, key: tuple[int | str, ...]) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def _pairs(expression: SExpression) -> list[tuple[str, str]]:
    """Variables with their sorts, as a problem writes them; nothing if it is something else."""
    pairs: list[tuple[str, str]] = []
    for part in expression:
        match part:
            case (str(name), str(sort)):
                pairs.append((name, sort))
            case _:
                return []
    return pairs


def _shown(expression: SExpression) -> str:
    shown = expression if isinstance(expression, str) else f"({' '.join(map(_shown, expression[:3]))} ...)"
    return shown[:60]


def check_binding(certificate: Path, problem: Path) -> tuple[str, ...]:
    """As `complaints`, for files: the certificate has to name that very file, and is bound to each byte of it."""
    try:
        text, asked = (path.read_bytes().decode("utf-8") for path in (certificate, problem))
    except UnicodeDecodeError as error:
        return (f"a file is not UTF-8: {error.reason} at byte {error.start}",)
    named = re.search(r'^\(reference "([^"]*)"\)$', text, re.MULTILINE)
    if named is None or (certificate.parent / named[1]).resolve() != problem.resolve():
        return (f"it does not name {problem} as its problem",)
    return complaints(text, asked, named[1])


def run_checker(
    checker: Path, certificate: Path, problem: Path, *, signature: Path | None = None, timeout_seconds: float = 60.0
) -> Checked:
    """Have a certificate checked by a program that is used like Ethos; accepted only if its binding holds as well.

    The signature is `Cpc.eo` of the cvc5 that wrote it, unless the checker knows the calculus. One that takes longer
    than its time is stopped, and has not accepted. `OSError` where a file cannot be read, or the checker cannot be
    started.
    """
    found = check_binding(certificate, problem)
    if found:
        return Checked(False, "; ".join(found))
    include = [] if signature is None else [f"--include={signature.resolve()}"]
    process = subprocess.Popen(
        [checker.resolve(), *include, certificate.resolve()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,  # a script is stopped with all that it started
    )
    try:
        output = process.communicate(timeout=timeout_seconds)[0].strip()
    except subprocess.TimeoutExpired:
        return Checked(False, f"the checker was not done after {timeout_seconds:g} seconds", hung=True)
    finally:
        kill_group(process.pid)
        process.communicate()
    if process.returncode != 0:
        return Checked(False, f"the checker ended with {process.returncode}{_quoted(output)}")
    if output != ACCEPTED:
        return Checked(False, f"the checker did not print {ACCEPTED!r}{_quoted(output)}")
    return Checked(True)


def _quoted(output: str) -> str:
    """The end of what a checker said, to be put after what it did: a word behind it, more below it."""
    lines = [line[:200] for line in output.splitlines()]
    if len(lines) < 2:
        return f"; it said {''.join(lines)!r}"
    return "\n    ".join(["; it said", *lines[-12:]])
