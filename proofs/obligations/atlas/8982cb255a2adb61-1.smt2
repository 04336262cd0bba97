; detection:3 ⊆: (A + A) ; B ~= A ; B
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
(assert (not (forall ((a1 Instance)) (=> (A a1) (forall ((a2 Instance)) (=> (A a2) (forall ((b1 Instance)) (=> (B b1) (or (not (< (end (join a1 a2)) (end b1))) (exists ((a3 Instance)) (and (A a3) (exists ((b2 Instance)) (and (B b2) (and (< (end a3) (end b2)) (and (<= (start (join (join a1 a2) b1)) (start (join a3 b2))) (= (end (join (join a1 a2) b1)) (end (join a3 b2))))))))))))))))))
(check-sat)
