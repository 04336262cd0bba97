; rules:differencing/union: Δ(E1 ∪ E2) = ΔE1 ∪ ΔE2, and likewise for ∘
(set-logic UFLIA)
(declare-const t.e Int)
(declare-const now Int)
(declare-const first? Bool)
(declare-const second? Bool)
(assert (not (= (and (or first? second?) (= t.e now)) (or (and first? (= t.e now)) (and second? (= t.e now))))))
(check-sat)
