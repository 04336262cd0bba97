; rules:preservation/join: max{l.e, r.e} <= now iff l.e <= now and r.e <= now
(set-logic UFLRA)
(declare-const l.e Real)
(declare-const r.e Real)
(declare-const now Real)
(assert (not (= (<= (ite (>= l.e r.e) l.e r.e) now) (and (<= l.e now) (<= r.e now)))))
(check-sat)
