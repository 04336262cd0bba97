; rules:distances/union: a bound of either is at most the greater one
(set-logic UFLIA)
(declare-const i Int)
(declare-const j Int)
(declare-const t Int)
(declare-const u Int)
(assert (or (<= (- j i) t) (<= (- j i) u)))
(assert (not (<= (- j i) (ite (>= t u) t u))))
(check-sat)
