; rules:theorem/preservation: σ[M_E <= now](E) = E', where E' reads what has happened by now
(set-logic UFLRA)
(declare-const t.e Real)
(declare-const now Real)
(declare-const in? Bool)
(declare-const holds? Bool)
(assert (not (= (and (and in? holds?) (<= t.e now)) (and (and in? (<= t.e now)) holds?))))
(check-sat)
