(* Generated from semantics/, laws/ and detectors/ by gen.py; do not edit. *)
From Coq Require Import ZArith.
From R Require Import Instances.
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
Definition dominated (S T : stream) : Prop := (forall s, S s -> (exists t, T t /\ (((start s) <= (start t)) /\ ((finish s) = (finish t))))).
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
Definition dis_step (state : unit) (left right : option inst) : (unit) * option inst :=
  
  (tt, (if ((ostart left) <=? (ostart right)) then right else left)).
Definition con_step (state : option inst * option inst) (left right : option inst) : (option inst * option inst) * option inst :=
  let '(l, r) := state in
  let l := if ((ostart l) <? (ostart left)) then let l := left in
  l else l in
  let r := if ((ostart r) <? (ostart right)) then let r := right in
  r else r in
  if (((ostart l) <? 0) || ((ostart r) <? 0) || (((ostart left) <? 0) && ((ostart right) <? 0))%bool)%bool then ((l, r), None) else
  if ((ostart right) <=? (ostart left)) then ((l, r), (ojoin left r)) else
  ((l, r), (ojoin l right)).
Definition neg_step (state : Z) (left right : option inst) : (Z) * option inst :=
  let t := state in
  let t := if (t <? (ostart right)) then let t := (ostart right) in
  t else t in
  ((t), (if (t <? (ostart left)) then left else None)).
Definition seq_step (state : Z * list inst) (left right : option inst) : (Z * list inst) * option inst :=
  let '(t, q) := state in
  let result := None in
  let result := if (0 <=? (ostart right)) then let found := (latest_before q (ostart right)) in
  let result := if (0 <=? (ostart found)) then let result := (ojoin found right) in
  result else result in
  result else result in
  let '(q, t) := if (t <? (ostart left)) then let q := push q left in
  let t := (ostart left) in
  (q, t) else (q, t) in
  ((t, q), result).
Definition bseq_step (ticks : Z) (state : Z * list inst * option inst) (left right : option inst) : (Z * list inst * option inst) * option inst :=
  let '(t, q, l) := state in
  let now := (Z.max (oend left) (oend right)) in
  let '(q, evicted) := evict_before q (now - ticks) in
  let l := if (0 <=? (ostart evicted)) then let l := evicted in
  l else l in
  let result := None in
  let result := if (0 <=? (ostart right)) then let found := (latest_before q (ostart right)) in
  let found := if ((ostart found) <? 0) then let found := l in
  found else found in
  let result := if (0 <=? (ostart found)) then let result := (ojoin found right) in
  result else result in
  result else result in
  let '(q, t) := if (t <? (ostart left)) then let q := push q left in
  let t := (ostart left) in
  (q, t) else (q, t) in
  ((t, q, l), result).
Definition tim_step (ticks : Z) (state : unit) (left right : option inst) : (unit) * option inst :=
  
  (tt, (if (((oend left) - (ostart left)) <=? ticks) then left else None)).
End Generated.
Fixpoint transform (e : expr) (limit : label) : expr * label :=
  match e with
  | Ev p => (Ev p, Fin 0)
  | Dis a b => let '(left_expression, left_bound) := transform a limit in let '(right_expression, right_bound) := transform b limit in ((Dis left_expression right_expression), (lmax left_bound right_bound))
  | Con a b => let '(left_expression, left_bound) := transform a limit in let '(right_expression, right_bound) := transform b limit in ((Con left_expression right_expression), Inf)
  | Neg a b => let '(left_expression, left_bound) := transform a limit in let '(right_expression, right_bound) := transform b (lmin left_bound limit) in ((Neg left_expression right_expression), left_bound)
  | Seq _ a b => let '(left_expression, left_bound) := transform a limit in let '(right_expression, right_bound) := transform b limit in if (lleb right_bound limit) then (Seq (Some right_bound) left_expression right_expression, Inf) else (Seq (Some limit) left_expression (restricted right_expression limit), Inf)
  | Tim a own => let tighter := (lmin limit (Fin own)) in let '(operand_expression, operand_bound) := transform a tighter in if (lleb operand_bound tighter) then (operand_expression, operand_bound) else ((restricted operand_expression tighter), tighter)
  end.
