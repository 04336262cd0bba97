; relation:intervals S within T: S ≅ T implies S ~= T
; unsatisfiable: the claim holds for all event streams
(set-logic UFLRA)
(declare-sort Instance 0)
(declare-fun start (Instance) Real)
(declare-fun end (Instance) Real)
(declare-fun join (Instance Instance) Instance)
(declare-fun S (Instance) Bool)
(declare-fun T (Instance) Bool)
(assert (forall ((x Instance)) (and (<= 0.0 (start x)) (<= (start x) (end x)))))
(assert (forall ((x Instance) (y Instance)) (= (start (join x y)) (ite (<= (start x) (start y)) (start x) (start y)))))
(assert (forall ((x Instance) (y Instance)) (= (end (join x y)) (ite (<= (end x) (end y)) (end y) (end x)))))
(assert (not (or (not (and (forall ((s1 Instance)) (=> (S s1) (exists ((t1 Instance)) (and (T t1) (and (= (start s1) (start t1)) (= (end s1) (end t1))))))) (forall ((t2 Instance)) (=> (T t2) (exists ((s2 Instance)) (and (S s2) (and (= (start t2) (start s2)) (= (end t2) (end s2))))))))) (forall ((s3 Instance)) (=> (S s3) (exists ((t3 Instance)) (and (T t3) (and (<= (start s3) (start t3)) (= (end s3) (end t3))))))))))
(check-sat)
