; rules:theorem/preservation: σ[M_E <= now](E) = E', where E' reads what has happened by now
(set-logic UFLIA)
(declare-const t.e Int)
(declare-const now Int)
(declare-const in? Bool)
(declare-const holds? Bool)
(assert (not (= (and (and in? holds?) (<= t.e now)) (and (and in? (<= t.e now)) holds?))))
(check-sat)
