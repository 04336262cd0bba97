; law:2 ⊇: A | B == B | A
; unsatisfiable: the claim holds for all event streams
(set-logic UFLRA)
(declare-sort Instance 0)
(declare-fun start (Instance) Real)
(declare-fun end (Instance) Real)
(declare-fun join (Instance Instance) Instance)
(declare-fun A (Instance) Bool)
(declare-fun B (Instance) Bool)
(assert (forall ((x Instance)) (and (<= 0.0 (start x)) (<= (start x) (end x)))))
(assert (forall ((x Instance) (y Instance)) (= (start (join x y)) (ite (<= (start x) (start y)) (start x) (start y)))))
(assert (forall ((x Instance) (y Instance)) (= (end (join x y)) (ite (<= (end x) (end y)) (end y) (end x)))))
(assert (not (and (forall ((b1 Instance)) (=> (B b1) (or (A b1) (B b1)))) (forall ((a1 Instance)) (=> (A a1) (or (A a1) (B a1)))))))
(check-sat)
