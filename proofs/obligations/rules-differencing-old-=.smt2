; rules:differencing/old: ∘(E1 ⋈ E2) = ∘E1 ⋈ ∘E2
(set-logic UFLIA)
(declare-const l.e Int)
(declare-const r.e Int)
(declare-const now Int)
(assert (not (= (< (ite (>= l.e r.e) l.e r.e) now) (and (< l.e now) (< r.e now)))))
(check-sat)
