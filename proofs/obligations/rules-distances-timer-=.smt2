; rules:distances/timer: a timer j of i with a duration d has j - i <= d and i - j <= -d
(set-logic UFLIA)
(declare-const i Int)
(declare-const j Int)
(declare-const d Int)
(assert (= j (+ i d)))
(assert (not (and (<= (- j i) d) (<= (- i j) (- d)))))
(check-sat)
