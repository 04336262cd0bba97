; detection:3 ⊇: (A + A) ; B ~= A ; B
; unsatisfiable: the claim holds for all event streams
(set-logic UFLIA)
(declare-sort Instance 0)
(declare-fun start (Instance) Int)
(declare-fun end (Instance) Int)
(declare-fun join (Instance Instance) Instance)
(declare-fun A (Instance) Bool)
(declare-fun B (Instance) Bool)
(assert (forall ((x Instance)) (and (<= 0 (start x)) (<= (start x) (end x)))))
(assert (forall ((x Instance) (y Instance)) (= (start (join x y)) (ite (<= (start x) (start y)) (start x) (start y)))))
(assert (forall ((x Instance) (y Instance)) (= (end (join x y)) (ite (<= (end x) (end y)) (end y) (end x)))))
(assert (not (forall ((a1 Instance)) (=> (A a1) (forall ((b1 Instance)) (=> (B b1) (or (not (< (end a1) (end b1))) (exists ((a2 Instance)) (and (A a2) (exists ((a3 Instance)) (and (A a3) (exists ((b2 Instance)) (and (B b2) (and (< (end (join a2 a3)) (end b2)) (and (<= (start (join a1 b1)) (start (join (join a2 a3) b2))) (= (end (join a1 b1)) (end (join (join a2 a3) b2))))))))))))))))))
(check-sat)
