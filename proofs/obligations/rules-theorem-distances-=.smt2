; rules:theorem/distances: every tuple of E obeys every bound of the temporal distances of E
(set-logic UFLIA)
(declare-const i.s Int)
(declare-const i.e Int)
(assert (<= i.s i.e))
(assert (not (<= (- i.s i.e) 0)))
(check-sat)
