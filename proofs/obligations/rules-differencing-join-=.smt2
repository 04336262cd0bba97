; rules:differencing/join: Δ(E1 ⋈ E2) = ΔE1 ⋈ ∘E2 ∪ ΔE1 ⋈ ΔE2 ∪ ∘E1 ⋈ ΔE2
(set-logic UFLIA)
(declare-const l.e Int)
(declare-const r.e Int)
(declare-const now Int)
(assert (<= l.e now))
(assert (<= r.e now))
(assert (not (and (= (= (ite (>= l.e r.e) l.e r.e) now) (or (and (= l.e now) (< r.e now)) (and (= l.e now) (= r.e now)) (and (< l.e now) (= r.e now)))) (not (and (= l.e now) (< l.e now))) (not (and (= r.e now) (< r.e now))))))
(check-sat)
