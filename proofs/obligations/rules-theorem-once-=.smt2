; rules:theorem/once: every answer is delivered at its occurrence time, and once
(set-logic UFLIA)
(declare-const m Int)
(declare-const one Int)
(declare-const other Int)
(assert (= m one))
(assert (= m other))
(assert (not (= one other)))
(check-sat)
