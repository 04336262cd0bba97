; rules:algebra/total: of two durations with a mark < or ≤ one is less, or they are the same
(set-logic UFLIA)
(declare-const x Int)
(declare-const xi? Bool)
(declare-const y Int)
(declare-const yi? Bool)
(assert (not (and (or (or (< x y) (and (= x y) (not xi?) yi?)) (or (< y x) (and (= y x) (not yi?) xi?)) (and (= x y) (= xi? yi?))) (not (and (or (< x y) (and (= x y) (not xi?) yi?)) (or (< y x) (and (= y x) (not yi?) xi?)))))))
(check-sat)
