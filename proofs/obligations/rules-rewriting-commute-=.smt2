; rules:rewriting/commute: E1 ⋈ E2 = E2 ⋈ E1
(set-logic UFLIA)
(declare-const left? Bool)
(declare-const right? Bool)
(declare-const agree? Bool)
(assert (not (= (and left? right? agree?) (and right? left? agree?))))
(check-sat)
