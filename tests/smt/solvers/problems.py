"""Problems for solvers: the obligations of laws and of Theorem 4.6 as files, as they are recorded."""

from pathlib import Path
from tempfile import TemporaryDirectory

from laws.carlson_lisper.claims import catalogue
from proofs.proving import provable_of
from proofs.record import recorded

_FOLDER = TemporaryDirectory()
OBLIGATIONS = Path(_FOLDER.name)

for _claim in catalogue():
    if _claim.id.startswith(("law:", "theorem:4.6")):
        for _part in provable_of(_claim).obligations("int"):
            _text = _part.with_axioms(recorded()[_part.name]["axioms"]).text
            (OBLIGATIONS / _part.file_name()).write_text(_text, "utf-8")

PROVABLE = (OBLIGATIONS / "law-14-included.smt2").read_text("utf-8")

SATISFIABLE = (
    "(set-logic QF_LIA)(declare-const x Int)(declare-const |y z| Bool)(assert (and (< 2 x) (< x 4) |y z|))(check-sat)"
)

HARD = "(set-logic QF_NIA)(declare-const a Int)(declare-const b Int)(declare-const c Int)" + (
    "(assert (and (< 1 a) (< 1 b) (< 1 c) (= (* a a a a a) (+ (* b b b b b) (* c c c c c)))))(check-sat)"
)
"""A case of Fermat's last theorem."""
