; figure:5 primitive: an event type is returned as it is, with 0
; unsatisfiable: the claim holds for all event streams
(set-logic UFLRA)
(declare-sort Instance 0)
(declare-fun start (Instance) Real)
(declare-fun end (Instance) Real)
(declare-fun join (Instance Instance) Instance)
(assert (forall ((x Instance)) (and (<= 0.0 (start x)) (<= (start x) (end x)))))
(assert (forall ((x Instance) (y Instance)) (= (start (join x y)) (ite (<= (start x) (start y)) (start x) (start y)))))
(assert (forall ((x Instance) (y Instance)) (= (end (join x y)) (ite (<= (end x) (end y)) (end y) (end x)))))
(assert false)
(check-sat)
