; rules:preservation/join: max{l.e, r.e} <= now iff l.e <= now and r.e <= now
(set-logic UFLIA)
(declare-const l.e Int)
(declare-const r.e Int)
(declare-const now Int)
(assert (not (= (<= (ite (>= l.e r.e) l.e r.e) now) (and (<= l.e now) (<= r.e now)))))
(check-sat)
