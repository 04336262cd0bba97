(* Written by `make kernel ARGS=--write` from semantics/, laws/ and detectors/; not to be edited. *)
From Coq Require Import ZArith List Bool.
From Remora Require Import Instances.
Import ListNotations.
Local Open Scope Z_scope.
Section Generated.
Context `{Instances}.
Definition dis (S T : stream) : stream := fun e =>
  (exists s, S s /\ True /\ e = s) \/
  (exists t, T t /\ True /\ e = t).
Definition con (S T : stream) : stream := fun e =>
  (exists s t, S s /\ T t /\ True /\ e = (join s t)).
Definition neg (S T : stream) : stream := fun e =>
  (exists s, S s /\ (~ (exists t, T t /\ (((start s) <= (start t)) /\ ((finish t) <= (finish s))))) /\ e = s).
Definition seq (S T : stream) : stream := fun e =>
  (exists s t, S s /\ T t /\ ((finish s) < (start t)) /\ e = (join s t)).
Definition tim (S : stream) (tau : Z) : stream := fun e =>
  (exists s, S s /\ (((finish s) - (start s)) <= tau) /\ e = s).
Definition rem1 (S S' : stream) : Prop := (forall s, S' s -> (S s)).
Definition rem2 (S S' : stream) : Prop := (forall s, S s -> (exists s', S' s' /\ (((start s) <= (start s')) /\ ((finish s) = (finish s'))))).
Definition rem3 (S S' : stream) : Prop := (forall s, S' s -> (forall s', S' s' -> (((finish s) = (finish s')) -> (s = s')))).
Definition rem (S S' : stream) : Prop := rem1 S S' /\ rem2 S S' /\ rem3 S S'.
Definition same_intervals1 (S T : stream) : Prop := (forall s, S s -> (exists s', T s' /\ (((start s) = (start s')) /\ ((finish s) = (finish s'))))).
Definition same_intervals2 (S T : stream) : Prop := (forall t, T t -> (exists t', S t' /\ (((start t) = (start t')) /\ ((finish t) = (finish t'))))).
Definition same_intervals (S T : stream) : Prop := same_intervals1 S T /\ same_intervals2 S T.
Definition primitive (P : stream) : Prop := (forall p, P p -> ((start p) = (finish p))) /\ (forall p, P p -> (forall q, P q -> (((start p) = (start q)) -> (p = q)))).
Definition valid_instance (e : inst) (S : stream) (tau : Z) : Prop := ((S e) /\ ((finish e) = tau) /\ (~ (exists s, S s /\ (((start e) < (start s)) /\ ((finish s) = tau))))).
Definition valid_absence (S : stream) (tau : Z) : Prop := (~ (exists s, S s /\ ((finish s) = tau))).
Definition law_1 : Prop := forall (A : stream), same (dis A A) A.
Definition law_2 : Prop := forall (A B : stream), same (dis A B) (dis B A).
Definition law_3 : Prop := forall (A B : stream), same (con A B) (con B A).
Definition law_4 : Prop := forall (A B C : stream), same (dis A (dis B C)) (dis (dis A B) C).
Definition law_5 : Prop := forall (A B C : stream), same (con A (con B C)) (con (con A B) C).
Definition law_6 : Prop := forall (A B C : stream), same (seq A (seq B C)) (seq (seq A B) C).
Definition law_7 : Prop := forall (A B C : stream), same (con (dis A B) C) (dis (con A C) (con B C)).
Definition law_8 : Prop := forall (A B C : stream), same (seq (dis A B) C) (dis (seq A C) (seq B C)).
Definition law_9 : Prop := forall (A B C : stream), same (seq A (dis B C)) (dis (seq A B) (seq A C)).
Definition law_10 : Prop := forall (A B C : stream), same (con A (dis B C)) (dis (con A B) (con A C)).
Definition law_11 : Prop := forall (A B C : stream), same (neg (neg A B) C) (neg A (dis B C)).
Definition law_12 : Prop := forall (A B : stream), same (neg A (neg B B)) A.
Definition law_13 : Prop := forall (A B C : stream), same (neg (dis A B) C) (dis (neg A C) (neg B C)).
Definition law_14 : Prop := forall (A B C : stream), same (neg (con A B) C) (neg (con (neg A C) B) C).
Definition law_15 : Prop := forall (A B C : stream), same (neg (seq A B) C) (neg (seq (neg A C) B) C).
Definition law_16 : Prop := forall (A B C : stream), same (neg (seq A B) C) (neg (seq A (neg B C)) C).
Definition law_17 : Prop := forall (A B : stream), same (neg (neg A B) B) (neg A B).
Definition law_18 : Prop := forall (A B C : stream), same (neg (neg A B) C) (neg (neg A C) B).
Definition law_19 : Prop := forall (A B C : stream), same (neg (dis A B) C) (neg (dis (neg A C) B) C).
Definition law_20 : Prop := forall (A B C : stream), same (neg (dis A B) C) (neg (dis A (neg B C)) C).
Definition law_21 : Prop := forall (A B C : stream), same (neg (con A B) C) (neg (con A (neg B C)) C).
Definition law_22 : Prop := forall (A B C : stream), same (neg (neg A B) C) (neg (neg (neg A C) B) C).
Definition law_23 : Prop := forall (A : stream) (t : Z), 0 <= t -> primitive A -> same A (tim A t).
Definition law_24 : Prop := forall (A : stream) (t u : Z), 0 <= t -> 0 <= u -> same (tim (tim A t) u) (tim A (Z.min t u)).
Definition law_25 : Prop := forall (A B : stream) (t : Z), 0 <= t -> same (tim (dis A B) t) (dis (tim A t) (tim B t)).
Definition law_26 : Prop := forall (A B : stream) (t : Z), 0 <= t -> same (tim (con A B) t) (tim (con (tim A t) B) t).
Definition law_27 : Prop := forall (A B : stream) (t : Z), 0 <= t -> same (tim (neg A B) t) (neg (tim A t) B).
Definition law_28 : Prop := forall (A B : stream) (t : Z), 0 <= t -> same (tim (neg A B) t) (tim (neg A (tim B t)) t).
Definition law_29 : Prop := forall (A B : stream) (t : Z), 0 <= t -> same (tim (seq A B) t) (tim (seq (tim A t) B) t).
Definition law_30 : Prop := forall (A B : stream) (t : Z), 0 <= t -> same (tim (seq A B) t) (tim (seq A (tim B t)) t).
Definition law_31 : Prop := forall (A : stream) (t u : Z), 0 <= t -> 0 <= u -> same (tim (tim A t) u) (tim (tim A u) t).
Definition law_32 : Prop := forall (A B : stream) (t : Z), 0 <= t -> same (tim (dis A B) t) (tim (dis (tim A t) B) t).
Definition law_33 : Prop := forall (A B : stream) (t : Z), 0 <= t -> same (tim (dis A B) t) (tim (dis A (tim B t)) t).
Definition law_34 : Prop := forall (A B : stream) (t u : Z), 0 <= t -> 0 <= u -> same (dis (tim A t) (tim B u)) (tim (dis (tim A t) (tim B u)) (Z.max t u)).
Definition law_35 : Prop := forall (A B : stream) (t : Z), 0 <= t -> same (tim (con A B) t) (tim (con A (tim B t)) t).
Definition law_36 : Prop := forall (A B : stream) (t : Z), 0 <= t -> same (tim (neg A B) t) (neg (tim A t) (tim B t)).
Definition queue_push (q : list inst) (ends : list Z) (i : inst) : option (list inst * list Z * unit) :=
  (Some ((q ++ [i]), (ends ++ [(oend (Some i))]), tt)).
Definition queue_latest_before (q : list inst) (ends : list Z) (t : Z) : option (list inst * list Z * option inst) :=
  if (negb ((bisect_left ends t) =? 0)) then if (within q ((bisect_left ends t) - 1)) then (Some (q, ends, (item q ((bisect_left ends t) - 1))))
  else None
  else (Some (q, ends, None)).
Definition queue_evict_before (q : list inst) (ends : list Z) (t : Z) : option (list inst * list Z * option inst) :=
  if (negb ((bisect_left ends t) =? 0)) then if (within q ((bisect_left ends t) - 1)) then (Some ((without_first q (bisect_left ends t)), (without_first ends (bisect_left ends t)), (item q ((bisect_left ends t) - 1))))
  else None
  else (Some (q, ends, None)).
Definition queue_len (q : list inst) (ends : list Z)  : option (list inst * list Z * Z) :=
  (Some (q, ends, (Z.of_nat (length q)))).
Definition dis_initial : unit := tt.
Definition dis_code (state : unit) (left right : option inst) : (unit) * option inst :=
  let '_ := state in
  if (negb ((ostart right) <? (ostart left))) then (tt, right)
  else (tt, left).
Definition dis_stored (state : unit) : Z := let '_ := state in 0.
Definition dis_bound : label := (Fin 0).
Definition con_initial : option inst * option inst := (None, None).
Definition con_code (state : option inst * option inst) (left right : option inst) : (option inst * option inst) * option inst :=
  let '(l, r) := state in
  if ((ostart l) <? (ostart left)) then if ((ostart r) <? (ostart right)) then if ((ostart left) <? 0) then ((left, right), None)
  else if ((ostart right) <? 0) then ((left, right), None)
  else ((left, right), (ojoin left right))
  else if ((ostart left) <? 0) then ((left, r), None)
  else if ((ostart r) <? 0) then ((left, r), None)
  else if (negb ((ostart left) <? (ostart right))) then ((left, r), (ojoin left r))
  else ((left, r), (ojoin left right))
  else if ((ostart r) <? (ostart right)) then if ((ostart l) <? 0) then ((l, right), None)
  else if ((ostart right) <? 0) then ((l, right), None)
  else if ((ostart left) <? 0) then if (negb ((ostart left) <? (ostart right))) then ((l, right), (ojoin left right))
  else ((l, right), (ojoin l right))
  else if (negb ((ostart left) <? (ostart right))) then ((l, right), (ojoin left right))
  else ((l, right), (ojoin l right))
  else if ((ostart l) <? 0) then ((l, r), None)
  else if ((ostart r) <? 0) then ((l, r), None)
  else if ((ostart left) <? 0) then if ((ostart right) <? 0) then ((l, r), None)
  else if (negb ((ostart left) <? (ostart right))) then ((l, r), (ojoin left r))
  else ((l, r), (ojoin l right))
  else if (negb ((ostart left) <? (ostart right))) then ((l, r), (ojoin left r))
  else ((l, r), (ojoin l right)).
Definition con_stored (state : option inst * option inst) : Z := let '(l, r) := state in if (negb ((ostart l) <? 0)) then if (negb ((ostart r) <? 0)) then 2
  else 1
  else if (negb ((ostart r) <? 0)) then 1
  else 0.
Definition con_bound : label := (Fin 2).
Definition neg_initial : Z := (- 1).
Definition neg_code (state : Z) (left right : option inst) : (Z) * option inst :=
  let 't := state in
  if (t <? (ostart right)) then if ((ostart right) <? (ostart left)) then ((ostart right), left)
  else ((ostart right), None)
  else if (t <? (ostart left)) then (t, left)
  else (t, None).
Definition neg_stored (state : Z) : Z := let 't := state in 0.
Definition neg_bound : label := (Fin 0).
Definition seq_initial : Z * list inst := ((- 1), nil).
Definition seq_code (state : Z * list inst) (left right : option inst) : (Z * list inst) * option inst :=
  let '(t, q) := state in
  if (negb ((ostart right) <? 0)) then if (negb ((ostart (latest_before q (ostart right))) <? 0)) then if (t <? (ostart left)) then (((ostart left), (push q left)), (ojoin (latest_before q (ostart right)) right))
  else ((t, q), (ojoin (latest_before q (ostart right)) right))
  else if (t <? (ostart left)) then (((ostart left), (push q left)), None)
  else ((t, q), None)
  else if (t <? (ostart left)) then (((ostart left), (push q left)), None)
  else ((t, q), None).
Definition seq_stored (state : Z * list inst) : Z := let '(t, q) := state in (Z.of_nat (length q)).
Definition seq_bound : label := Inf.
Definition bounded_seq_initial : Z * list inst * option inst := ((- 1), nil, None).
Definition bounded_seq_code (ticks : Z) (state : Z * list inst * option inst) (left right : option inst) : (Z * list inst * option inst) * option inst :=
  let '(t, q, l) := state in
  if ((oend left) <? (oend right)) then if (negb ((ostart (snd (evict_before q ((oend right) - ticks)))) <? 0)) then if (negb ((ostart right) <? 0)) then if ((ostart (latest_before (fst (evict_before q ((oend right) - ticks))) (ostart right))) <? 0) then if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend right) - ticks))) left), (snd (evict_before q ((oend right) - ticks)))), (ojoin (snd (evict_before q ((oend right) - ticks))) right))
  else ((t, (fst (evict_before q ((oend right) - ticks))), (snd (evict_before q ((oend right) - ticks)))), (ojoin (snd (evict_before q ((oend right) - ticks))) right))
  else if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend right) - ticks))) left), (snd (evict_before q ((oend right) - ticks)))), (ojoin (latest_before (fst (evict_before q ((oend right) - ticks))) (ostart right)) right))
  else ((t, (fst (evict_before q ((oend right) - ticks))), (snd (evict_before q ((oend right) - ticks)))), (ojoin (latest_before (fst (evict_before q ((oend right) - ticks))) (ostart right)) right))
  else if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend right) - ticks))) left), (snd (evict_before q ((oend right) - ticks)))), None)
  else ((t, (fst (evict_before q ((oend right) - ticks))), (snd (evict_before q ((oend right) - ticks)))), None)
  else if (negb ((ostart right) <? 0)) then if ((ostart (latest_before (fst (evict_before q ((oend right) - ticks))) (ostart right))) <? 0) then if (negb ((ostart l) <? 0)) then if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend right) - ticks))) left), l), (ojoin l right))
  else ((t, (fst (evict_before q ((oend right) - ticks))), l), (ojoin l right))
  else if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend right) - ticks))) left), l), None)
  else ((t, (fst (evict_before q ((oend right) - ticks))), l), None)
  else if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend right) - ticks))) left), l), (ojoin (latest_before (fst (evict_before q ((oend right) - ticks))) (ostart right)) right))
  else ((t, (fst (evict_before q ((oend right) - ticks))), l), (ojoin (latest_before (fst (evict_before q ((oend right) - ticks))) (ostart right)) right))
  else if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend right) - ticks))) left), l), None)
  else ((t, (fst (evict_before q ((oend right) - ticks))), l), None)
  else if (negb ((ostart (snd (evict_before q ((oend left) - ticks)))) <? 0)) then if (negb ((ostart right) <? 0)) then if ((ostart (latest_before (fst (evict_before q ((oend left) - ticks))) (ostart right))) <? 0) then if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend left) - ticks))) left), (snd (evict_before q ((oend left) - ticks)))), (ojoin (snd (evict_before q ((oend left) - ticks))) right))
  else ((t, (fst (evict_before q ((oend left) - ticks))), (snd (evict_before q ((oend left) - ticks)))), (ojoin (snd (evict_before q ((oend left) - ticks))) right))
  else if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend left) - ticks))) left), (snd (evict_before q ((oend left) - ticks)))), (ojoin (latest_before (fst (evict_before q ((oend left) - ticks))) (ostart right)) right))
  else ((t, (fst (evict_before q ((oend left) - ticks))), (snd (evict_before q ((oend left) - ticks)))), (ojoin (latest_before (fst (evict_before q ((oend left) - ticks))) (ostart right)) right))
  else if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend left) - ticks))) left), (snd (evict_before q ((oend left) - ticks)))), None)
  else ((t, (fst (evict_before q ((oend left) - ticks))), (snd (evict_before q ((oend left) - ticks)))), None)
  else if (negb ((ostart right) <? 0)) then if ((ostart (latest_before (fst (evict_before q ((oend left) - ticks))) (ostart right))) <? 0) then if (negb ((ostart l) <? 0)) then if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend left) - ticks))) left), l), (ojoin l right))
  else ((t, (fst (evict_before q ((oend left) - ticks))), l), (ojoin l right))
  else if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend left) - ticks))) left), l), None)
  else ((t, (fst (evict_before q ((oend left) - ticks))), l), None)
  else if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend left) - ticks))) left), l), (ojoin (latest_before (fst (evict_before q ((oend left) - ticks))) (ostart right)) right))
  else ((t, (fst (evict_before q ((oend left) - ticks))), l), (ojoin (latest_before (fst (evict_before q ((oend left) - ticks))) (ostart right)) right))
  else if (t <? (ostart left)) then (((ostart left), (push (fst (evict_before q ((oend left) - ticks))) left), l), None)
  else ((t, (fst (evict_before q ((oend left) - ticks))), l), None).
Definition bounded_seq_stored (ticks : Z) (state : Z * list inst * option inst) : Z := let '(t, q, l) := state in if (negb ((ostart l) <? 0)) then ((Z.of_nat (length q)) + 1)
  else ((Z.of_nat (length q)) + 0).
Definition bounded_seq_bound (ticks : Z) : label := (Fin (ticks + 2)).
Definition tim_initial : unit := tt.
Definition tim_code (ticks : Z) (state : unit) (left right : option inst) : (unit) * option inst :=
  let '_ := state in
  if (negb (ticks <? ((oend left) - (ostart left)))) then (tt, left)
  else (tt, None).
Definition tim_stored (ticks : Z) (state : unit) : Z := let '_ := state in 0.
Definition tim_bound (ticks : Z) : label := (Fin 0).
End Generated.
Fixpoint transformed (e : expr) (limit : label) : expr * label :=
  match e with
  | Ev p => (Ev p, Fin 0)
  | Dis a b => if ((negb (infinite (snd (transformed a (label_of (infinite limit) (value limit)))))) && ((infinite (snd (transformed b (label_of (infinite limit) (value limit))))) || ((value (snd (transformed a (label_of (infinite limit) (value limit))))) <? (value (snd (transformed b (label_of (infinite limit) (value limit)))))))) then ((Dis (fst (transformed a (label_of (infinite limit) (value limit)))) (fst (transformed b (label_of (infinite limit) (value limit))))), (label_of (infinite (snd (transformed b (label_of (infinite limit) (value limit))))) (value (snd (transformed b (label_of (infinite limit) (value limit)))))))
  else ((Dis (fst (transformed a (label_of (infinite limit) (value limit)))) (fst (transformed b (label_of (infinite limit) (value limit))))), (label_of (infinite (snd (transformed a (label_of (infinite limit) (value limit))))) (value (snd (transformed a (label_of (infinite limit) (value limit)))))))
  | Con a b => ((Con (fst (transformed a (label_of (infinite limit) (value limit)))) (fst (transformed b (label_of (infinite limit) (value limit))))), Inf)
  | Neg a b => if ((negb (infinite limit)) && ((infinite (snd (transformed a (label_of (infinite limit) (value limit))))) || ((value limit) <? (value (snd (transformed a (label_of (infinite limit) (value limit)))))))) then ((Neg (fst (transformed a (label_of (infinite limit) (value limit)))) (fst (transformed b (label_of (infinite limit) (value limit))))), (label_of (infinite (snd (transformed a (label_of (infinite limit) (value limit))))) (value (snd (transformed a (label_of (infinite limit) (value limit)))))))
  else ((Neg (fst (transformed a (label_of (infinite limit) (value limit)))) (fst (transformed b (label_of (infinite (snd (transformed a (label_of (infinite limit) (value limit))))) (value (snd (transformed a (label_of (infinite limit) (value limit))))))))), (label_of (infinite (snd (transformed a (label_of (infinite limit) (value limit))))) (value (snd (transformed a (label_of (infinite limit) (value limit)))))))
  | Seq _ a b => if (negb ((negb (infinite limit)) && ((infinite (snd (transformed b (label_of (infinite limit) (value limit))))) || ((value limit) <? (value (snd (transformed b (label_of (infinite limit) (value limit))))))))) then ((Seq (Some (label_of (infinite (snd (transformed b (label_of (infinite limit) (value limit))))) (value (snd (transformed b (label_of (infinite limit) (value limit))))))) (fst (transformed a (label_of (infinite limit) (value limit)))) (fst (transformed b (label_of (infinite limit) (value limit))))), Inf)
  else if (infinite limit) then ((Seq (Some (label_of (infinite limit) (value limit))) (fst (transformed a (label_of (infinite limit) (value limit)))) (fst (transformed b (label_of (infinite limit) (value limit))))), Inf)
  else ((Seq (Some (label_of (infinite limit) (value limit))) (fst (transformed a (label_of (infinite limit) (value limit)))) (Tim (fst (transformed b (label_of (infinite limit) (value limit)))) (value limit))), Inf)
  | Tim a own => if ((infinite limit) || (own <? (value limit))) then if (negb ((infinite (snd (transformed a (Fin own)))) || (own <? (value (snd (transformed a (Fin own))))))) then ((fst (transformed a (Fin own))), (label_of (infinite (snd (transformed a (Fin own)))) (value (snd (transformed a (Fin own))))))
  else ((Tim (fst (transformed a (Fin own))) own), (Fin own))
  else if (negb ((negb (infinite limit)) && ((infinite (snd (transformed a (label_of (infinite limit) (value limit))))) || ((value limit) <? (value (snd (transformed a (label_of (infinite limit) (value limit))))))))) then ((fst (transformed a (label_of (infinite limit) (value limit)))), (label_of (infinite (snd (transformed a (label_of (infinite limit) (value limit))))) (value (snd (transformed a (label_of (infinite limit) (value limit)))))))
  else if (infinite limit) then ((fst (transformed a (label_of (infinite limit) (value limit)))), (label_of (infinite limit) (value limit)))
  else ((Tim (fst (transformed a (label_of (infinite limit) (value limit)))) (value limit)), (label_of (infinite limit) (value limit)))
  end.
