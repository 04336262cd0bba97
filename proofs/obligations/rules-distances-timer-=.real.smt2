; rules:distances/timer: a timer j of i with a duration d has j - i <= d and i - j <= -d
(set-logic UFLRA)
(declare-const i Real)
(declare-const j Real)
(declare-const d Real)
(assert (= j (+ i d)))
(assert (not (and (<= (- j i) d) (<= (- i j) (- d)))))
(check-sat)
