; rules:distances/within: {a, b} within t holds iff each end is at most t after each start
(set-logic UFLRA)
(declare-const a.s Real)
(declare-const a.e Real)
(declare-const b.s Real)
(declare-const b.e Real)
(declare-const t Real)
(assert (not (= (<= (- (ite (>= a.e b.e) a.e b.e) (ite (<= a.s b.s) a.s b.s)) t) (and (<= (- a.e a.s) t) (<= (- b.e a.s) t) (<= (- a.e b.s) t) (<= (- b.e b.s) t)))))
(check-sat)
