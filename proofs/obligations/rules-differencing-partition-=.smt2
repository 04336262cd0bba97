; rules:differencing/partition: σ[M <= now](E) = ∘E ∪ ΔE, and no tuple is in both
(set-logic UFLIA)
(declare-sort Tuple 0)
(declare-fun m (Tuple) Int)
(declare-fun E (Tuple) Bool)
(declare-const t Tuple)
(declare-const now Int)
(assert (not (and (= (and (E t) (<= (m t) now)) (or (and (E t) (< (m t) now)) (and (E t) (= (m t) now)))) (not (and (and (E t) (< (m t) now)) (and (E t) (= (m t) now)))))))
(check-sat)
