; rules:rewriting/push: σ_C(E1 ⋈ E2) = σ_C(E1) ⋈ E2 where C is about columns of E1
(set-logic UFLIA)
(declare-const left? Bool)
(declare-const right? Bool)
(declare-const agree? Bool)
(declare-const holds? Bool)
(assert (not (= (and (and left? right? agree?) holds?) (and (and left? holds?) right? agree?))))
(check-sat)
