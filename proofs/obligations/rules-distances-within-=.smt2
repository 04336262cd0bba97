; rules:distances/within: {a, b} within t holds iff each end is at most t after each start
(set-logic UFLIA)
(declare-const a.s Int)
(declare-const a.e Int)
(declare-const b.s Int)
(declare-const b.e Int)
(declare-const t Int)
(assert (not (= (<= (- (ite (>= a.e b.e) a.e b.e) (ite (<= a.s b.s) a.s b.s)) t) (and (<= (- a.e a.s) t) (<= (- b.e a.s) t) (<= (- a.e b.s) t) (<= (- b.e b.s) t)))))
(check-sat)
