; rules:theorem/distances: every tuple of E obeys every bound of the temporal distances of E
(set-logic UFLRA)
(declare-const i.s Real)
(declare-const i.e Real)
(assert (<= i.s i.e))
(assert (not (<= (- i.s i.e) 0.0)))
(check-sat)
