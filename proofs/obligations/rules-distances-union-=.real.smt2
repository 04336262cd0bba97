; rules:distances/union: a bound of either is at most the greater one
(set-logic UFLRA)
(declare-const i Real)
(declare-const j Real)
(declare-const t Real)
(declare-const u Real)
(assert (or (<= (- j i) t) (<= (- j i) u)))
(assert (not (<= (- j i) (ite (>= t u) t u))))
(check-sat)
