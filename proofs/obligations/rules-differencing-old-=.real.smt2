; rules:differencing/old: ∘(E1 ⋈ E2) = ∘E1 ⋈ ∘E2
(set-logic UFLRA)
(declare-const l.e Real)
(declare-const r.e Real)
(declare-const now Real)
(assert (not (= (< (ite (>= l.e r.e) l.e r.e) now) (and (< l.e now) (< r.e now)))))
(check-sat)
