"""Documents about claims: the catalogue, proofs, tests, the record of proofs, the atlas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from reports.documents.values import Count, Counterexample, Document, M, Value, Word


class Answer(Value):
    """What one solver said to an obligation."""

    solver: Annotated[str, M("The solver and its version.")]
    strategy: str
    status: Annotated[str, M("`unsat` is a proof, `sat` a model, `unknown` no answer.")]
    seconds: float
    rlimit: Annotated[Count, M("Units of work by the solver's own count.")]
    reason: str


class Certificate(Value):
    """The certificate of its proof, if one was asked for."""

    sha256: Annotated[str | None, M("The SHA-256 of the certificate; null if there is none.")]
    checked: Annotated[bool | None, M("Whether an independent checker accepted it; null if none was asked.")]
    detail: str


class Obligation(Value):
    """A question whose proof is a part of the proof of a claim."""

    id: str
    standing: Word
    claim: str = ""
    direction: Annotated[str, M("Which part of the claim it is, such as `⊆`.")] = ""
    solver: str = ""
    seconds: float = 0.0
    rlimit: Annotated[Count, M("Units of work of the solver that decided it, by its own count.")] = 0
    reason: str = ""
    hypotheses: Annotated[str, M("Whether what is assumed can be satisfied.")] = ""
    axioms: Annotated[tuple[str, ...], M("What is assumed of instances.")] = ()
    time: Literal["int", "real", ""] = ""
    sha256: Annotated[str, M("The SHA-256 of its SMT-LIB 2 text.")] = ""
    size: Annotated[Count, M("The length of that text, in characters.")] = 0
    answers: tuple[Answer, ...] = ()
    accepted_before: Annotated[tuple[str, ...], M("Who accepted the certificate that is on record.")] = ()
    certificate: Annotated[Certificate | None, M("The certificate of its proof.")] = None


class Test(Value):
    """The outcome of testing a claim on finitely many cases."""

    method: Annotated[str, M("How the cases are made: `exhaustive`, `streams` or `expressions`.")]
    standing: Word
    cases: Count
    bound: str
    seconds: float
    counterexample: Counterexample | None = None


class Claim(Value):
    """A claim, and what became of it where it was looked at."""

    id: str
    statement: str
    kind: Annotated[str, M("What it is: `law`, `theorem`, `lemma`, `corollary`, `canary` and so on.")] = ""
    condition: Annotated[str, M("Its side condition in words.")] = ""
    source: str = ""
    reading: Annotated[str, M("What it means, in words.")] = ""
    note: str = ""
    expected: Annotated[Word, M("The standing that a right project reaches.")] = "unknown"
    scheme: Annotated[str, M("Of a theorem with a script: what holds its obligations together.")] = ""
    rests_on: Annotated[tuple[str, ...], M("The claims that its proof uses.")] = ()
    trusts: Annotated[tuple[str, ...], M("What its proof rests on that no solver has seen.")] = ()
    not_in_dense_time: Annotated[str, M("Why it does not carry over to dense time.")] = ""
    standing: Word = "unknown"
    reason: str = ""
    seconds: float = 0.0
    searched_occurrences: Count = 0
    obligations: tuple[Obligation, ...] = ()
    counterexample: Counterexample | None = None
    tests: tuple[Test, ...] = ()
    dense_time: Word | Literal["does not carry over", ""] = ""
    ok: Annotated[bool, M("Of a false claim: whether it was refuted, as it must be.")] = False
    smtlib: Annotated[tuple[str, ...], M("Its obligations as SMT-LIB 2 texts.")] = ()


class Definition(Value):
    """The definition of an operator."""

    name: str
    symbol: str
    title: str
    text: str
    source: str


class Laws(Document, tag="remora/laws/1"):
    """The catalogue of claims."""

    written: ClassVar[str] = "remora laws list --format json, remora laws show --format json"

    definitions: Annotated[tuple[Definition, ...], M("The operators that were asked for.")]
    claims: tuple[Claim, ...]


class Tests(Document, tag="remora/test/1"):
    """Claims tested on finitely many cases."""

    written: ClassVar[str] = "remora test --format json"

    remora: str
    seed: Count
    examples: Annotated[Count, M("Random cases of each kind per claim.")]
    exit_status: Count
    claims: tuple[Claim, ...]


class NotInDenseTime(Value):
    id: str
    reason: str


class Proofs(Document, tag="remora/prove/1"):
    """What was proved and refuted."""

    written: ClassVar[str] = "remora prove --format json, results.json"

    remora: str
    solver: Annotated[str, M("The solvers that were asked.")]
    time: Annotated[Literal["int", "real", "both"], M("With both, a claim that carries over is there twice.")]
    seed: Count
    exit_status: Count
    claims: tuple[Claim, ...]
    obligations: tuple[Obligation, ...]
    canaries: Annotated[tuple[Claim, ...], M("False claims, which must be refuted.")]
    not_in_dense_time: Annotated[tuple[NotInDenseTime, ...], M("What does not carry over to dense time.")]
    rejected: Annotated[tuple[str, ...], M("Certificates that a checker did not accept.")]
    without_certificate: tuple[str, ...]


class ProofReplay(Document, tag="remora/proof-replay/1"):
    """Whether all proofs stand as recorded."""

    written: ClassVar[str] = "remora prove --replay --format json"

    same: bool
    differences: tuple[str, ...]


class RecordDiff(Document, tag="remora/record-diff/1"):
    """What changed in the committed record of proofs."""

    written: ClassVar[str] = "remora prove --diff --format json"

    since: Annotated[str, M("The revision with which it is compared.")]
    broke: Annotated[tuple[str, ...], M("Obligations whose standing became worse.")]
    slower: Annotated[tuple[str, ...], M("Obligations that take the solvers more work, by their own count.")]
    obsolete: Annotated[tuple[str, ...], M("Obligations whose text changed.")]
    added: tuple[str, ...]
    removed: Annotated[tuple[str, ...], M("Obligations that are gone.")]


class Law(Value):
    """A law."""

    id: str
    statement: str
    reading: str


class Setting(Value):
    """A system, by its place in each dimension."""

    name: str
    family: str
    clock: Annotated[str, M("Whether one instance follows another if it ends later (points).")]
    context: Annotated[str, M("The context of Snoop; empty for duplicate lists.")]
    anterior: Annotated[str, M("What is selected in the earlier duplicate list; empty without lists.")]
    posterior: Annotated[str, M("What is selected in the later one.")]
    consumption: str
    spans: Annotated[str, M("What a bound beside a sequence or conjunction means.")]


class Cell(Value):
    """A law in a system."""

    law: str
    system: str
    standing: Annotated[
        Literal["proved", "decided", "refuted", "tested"],
        M("Proved for all operands; decided for event types."),
    ]
    why: Annotated[str, M("What the proof or the decision is, or why no more than a test was possible.")] = ""
    level: Literal["types", "shared", "composites", ""] = ""
    remains: Literal["included", "includes", "intervals", "instants", ""] = ""
    by_ties: Annotated[bool, M("Whether no case was found that refutes it in every order of ties.")] = False
    cases: Count = 0
    obligations: str = ""
    solvers: Annotated[tuple[str, ...], M("The solvers that proved them.")] = ()
    trace: tuple[tuple[Any, ...], ...] = ()
    operands: Annotated[Mapping[str, str], M("By variable of the law an expression.")] = {}
    bounds: Annotated[Mapping[str, int], M("The values of symbolic bounds, in ticks.")] = {}


class Atlas(Document, tag="remora/atlas/1"):
    """Which law holds in which event algebra."""

    written: ClassVar[str] = "remora atlas --format json, remora atlas --out, proofs/atlas.json"

    remora: str
    bounds: Annotated[
        Mapping[str, tuple[int, ...]],
        M("By the number of event types, the most events and ticks that were tried."),
    ]
    reasons: Annotated[Mapping[str, str], M("Why a law is proved, decided, or only tested.")]
    laws: tuple[Law, ...]
    systems: tuple[Setting, ...]
    cells: tuple[Cell, ...]
