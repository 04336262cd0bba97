; detection:1 ⊇: A + A ~= A
; unsatisfiable: the claim holds for all event streams
(set-logic UFLIA)
(declare-sort Instance 0)
(declare-fun start (Instance) Int)
(declare-fun end (Instance) Int)
(declare-fun join (Instance Instance) Instance)
(declare-fun A (Instance) Bool)
(assert (forall ((x Instance)) (and (<= 0 (start x)) (<= (start x) (end x)))))
(assert (forall ((x Instance) (y Instance)) (= (start (join x y)) (ite (<= (start x) (start y)) (start x) (start y)))))
(assert (forall ((x Instance) (y Instance)) (= (end (join x y)) (ite (<= (end x) (end y)) (end y) (end x)))))
(assert (not (forall ((a1 Instance)) (=> (A a1) (exists ((a2 Instance)) (and (A a2) (exists ((a3 Instance)) (and (A a3) (and (<= (start a1) (start (join a2 a3))) (= (end a1) (end (join a2 a3))))))))))))
(check-sat)
