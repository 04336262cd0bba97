; rules:theorem/once: every answer is delivered at its occurrence time, and once
(set-logic UFLRA)
(declare-const m Real)
(declare-const one Real)
(declare-const other Real)
(assert (= m one))
(assert (= m other))
(assert (not (= one other)))
(check-sat)
