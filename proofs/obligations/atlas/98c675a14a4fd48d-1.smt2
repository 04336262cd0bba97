; detection:2 ⊆: B | (A ; B) ~= B
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
(assert (not (and (forall ((b1 Instance)) (=> (B b1) (exists ((b2 Instance)) (and (B b2) (and (<= (start b1) (start b2)) (= (end b1) (end b2))))))) (forall ((a1 Instance)) (=> (A a1) (forall ((b3 Instance)) (=> (B b3) (or (not (< (end a1) (end b3))) (exists ((b4 Instance)) (and (B b4) (and (<= (start (join a1 b3)) (start b4)) (= (end (join a1 b3)) (end b4)))))))))))))
(check-sat)
