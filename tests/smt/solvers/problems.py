"""Problems for solvers: the obligations of laws, as they are recorded, and small ones."""

from functools import cache

from laws.claims import find
from proofs.proving import provable_of
from proofs.record import recorded


@cache
def text_of(claim: str, part: str) -> str:
    """The text of an obligation of a claim, such as `law:14`, `included`."""
    (provable,) = map(provable_of, find([claim]))
    parts = {each.file_name(): each for each in provable.obligations("int")}
    found = parts[f"{claim.replace(':', '-')}-{part}.smt2"]
    return found.with_axioms(recorded()[found.name]["axioms"]).text


PROVABLE = text_of("law:14", "included")

SATISFIABLE = (
    "(set-logic QF_LIA)(declare-const x Int)(declare-const |y z| Bool)(assert (and (< 2 x) (< x 4) |y z|))(check-sat)"
)

HARD = "(set-logic QF_NIA)(declare-const a Int)(declare-const b Int)(declare-const c Int)" + (
    "(assert (and (< 1 a) (< 1 b) (< 1 c) (= (* a a a a a) (+ (* b b b b b) (* c c c c c)))))(check-sat)"
)
"""A case of Fermat's last theorem."""
