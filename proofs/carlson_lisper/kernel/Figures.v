(* Figures 2, 4 and 5 as they are read, and that the code that runs computes them. *)
From Coq Require Import ZArith Lia List Bool.
From Remora Require Export Instances Generated.
Import ListNotations.
Local Open Scope Z_scope.

Ltac decided := repeat (match goal with
  | |- context[?x <? ?y] => destruct (Z.ltb_spec x y)
  | |- context[?x <=? ?y] => destruct (Z.leb_spec x y)
  | |- context[?x =? ?y] => destruct (Z.eqb_spec x y) end; cbn [andb orb negb]; try reflexivity; try (exfalso; lia)); cbn; try reflexivity; try lia.

Section Figures. Context `{Instances}.
Definition dis_step (state : unit) (left right : option inst) : unit * option inst :=
  (tt, if ostart left <=? ostart right then right else left).
Definition con_step (state : option inst * option inst) (left right : option inst) :=
  let '(l, r) := state in
  let l := if ostart l <? ostart left then left else l in
  let r := if ostart r <? ostart right then right else r in
  if (ostart l <? 0) || (ostart r <? 0) || ((ostart left <? 0) && (ostart right <? 0)) then ((l, r), None) else
  if ostart right <=? ostart left then ((l, r), ojoin left r) else ((l, r), ojoin l right).
Definition neg_step (t : Z) (left right : option inst) :=
  let t := if t <? ostart right then ostart right else t in
  (t, if t <? ostart left then left else None).
Definition matched (found right : option inst) : option inst := if 0 <=? ostart found then ojoin found right else None.
Definition seq_step (state : Z * list inst) (left right : option inst) :=
  let '(t, q) := state in
  let result := if 0 <=? ostart right then matched (latest_before q (ostart right)) right else None in
  let '(q, t) := if t <? ostart left then (push q left, ostart left) else (q, t) in
  ((t, q), result).
Definition bseq_step (ticks : Z) (state : Z * list inst * option inst) (left right : option inst) :=
  let '(t, q, l) := state in
  let '(q, evicted) := evict_before q (Z.max (oend left) (oend right) - ticks) in
  let l := if 0 <=? ostart evicted then evicted else l in
  let result := if 0 <=? ostart right
    then let found := latest_before q (ostart right) in matched (if ostart found <? 0 then l else found) right else None in
  let '(q, t) := if t <? ostart left then (push q left, ostart left) else (q, t) in
  ((t, q, l), result).
Definition tim_step (ticks : Z) (state : unit) (left right : option inst) : unit * option inst :=
  (tt, if oend left - ostart left <=? ticks then left else None).

(* lemma:5.5.queue: the methods of CandidateQueue, on the instances and their ends, do not fail and do what steps assume. *)
Lemma bisect_position q t : bisect_left (map finish q) t = Z.of_nat (position q t).
Proof. induction q as [|x q IH]; cbn [map bisect_left position]; [|destruct (_ <? _)]; lia. Qed.
Lemma position_at_most q t : (position q t <= length q)%nat.
Proof. induction q; simpl; try destruct (_ <? _); lia. Qed.
Lemma skipn_ends n q : skipn n (map finish q) = map finish (skipn n q).
Proof. revert q. induction n; destruct q; simpl; auto. Qed.
Theorem queue_runs q t i :
  queue_push q (map finish q) i = Some (push q (Some i), map finish (push q (Some i)), tt) /\
  queue_latest_before q (map finish q) t = Some (q, map finish q, latest_before q t) /\
  queue_evict_before q (map finish q) t =
    Some (fst (evict_before q t), map finish (fst (evict_before q t)), snd (evict_before q t)) /\
  queue_len q (map finish q) = Some (q, map finish q, Z.of_nat (length q)).
Proof.
  unfold queue_push, queue_latest_before, queue_evict_before, queue_len, evict_before, latest_before, push.
  rewrite !bisect_position, map_app. pose proof (position_at_most q t) as most.
  unfold within, item, without_first, place. rewrite map_length.
  destruct (position q t) as [|n] eqn:at_; [repeat split; reflexivity|]. cbn [fst snd].
  replace (Z.of_nat (S n) =? 0) with false by (symmetry; apply Z.eqb_neq; lia). cbn [negb].
  replace (Z.of_nat (S n) - 1) with (Z.of_nat n) by lia.
  repeat match goal with |- context[Z.ltb ?x ?y] => (rewrite (proj2 (Z.ltb_ge x y)) by lia) || (rewrite (proj2 (Z.ltb_lt x y)) by lia) end.
  rewrite (proj2 (Z.leb_le 0 (Z.of_nat n))) by lia. cbn [andb]. rewrite !Nat2Z.id, skipn_ends. repeat split; reflexivity.
Qed.

(* memory:5.2: what a step says of its storage is what it holds, within the bound that it says. *)
Definition held (x : option inst) : Z := match x with Some _ => 1 | None => 0 end.
Theorem stored_says : (forall s, dis_stored s = 0 /\ dis_bound = Fin 0) /\
  (forall l r, con_stored (l, r) = held l + held r /\ 0 <= held l + held r <= 2 /\ con_bound = Fin 2) /\
  (forall t, neg_stored t = 0 /\ neg_bound = Fin 0) /\ (forall ticks s, tim_stored ticks s = 0 /\ tim_bound ticks = Fin 0) /\
  (forall t q, seq_stored (t, q) = Z.of_nat (length q) /\ seq_bound = Inf) /\
  (forall ticks t q l, bounded_seq_stored ticks (t, q, l) = Z.of_nat (length q) + held l /\ 0 <= held l <= 1 /\
    bounded_seq_bound ticks = Fin (ticks + 2)).
Proof.
  assert (known : forall i, (start i <? 0) = false) by (intros i; apply Z.ltb_ge, start_natural).
  repeat split; try destruct s; unfold con_stored, bounded_seq_stored; try destruct l; try destruct r; cbn [ostart held];
    rewrite ?known; cbn; lia.
Qed.

Theorem dis_runs s a b : dis_code s a b = dis_step s a b.
Proof. destruct s. unfold dis_code, dis_step. decided. Qed.
Theorem con_runs s a b : con_code s a b = con_step s a b.
Proof. destruct s as (l & r). unfold con_code, con_step. decided. Qed.
Theorem neg_runs s a b : neg_code s a b = neg_step s a b.
Proof. unfold neg_code, neg_step. decided. Qed.
Theorem seq_runs s a b : seq_code s a b = seq_step s a b.
Proof. destruct s as (t & q). unfold seq_code, seq_step, matched. decided. Qed.
Theorem bseq_runs ticks s a b : bounded_seq_code ticks s a b = bseq_step ticks s a b.
Proof.
  destruct s as ((t & q) & l). unfold bounded_seq_code, bseq_step, matched.
  destruct (Z.ltb_spec (oend a) (oend b)); [rewrite Z.max_r by lia | rewrite Z.max_l by lia];
    destruct (evict_before _ _) as (q' & evicted); cbn [fst snd]; decided.
Qed.
Theorem tim_runs ticks s a b : tim_code ticks s a b = tim_step ticks s a b.
Proof. destruct s. unfold tim_code, tim_step. decided. Qed.
Theorem initially : dis_initial = tt /\ con_initial = (None, None) /\ neg_initial = -1 /\ seq_initial = (-1, []) /\
  bounded_seq_initial = (-1, [], None) /\ tim_initial = tt.
Proof. repeat split. Qed.
End Figures.

(* Figure 5. *)
Fixpoint transform (e : expr) (limit : label) : expr * label :=
  match e with
  | Ev p => (Ev p, Fin 0)
  | Dis a b => let '(a', la) := transform a limit in let '(b', lb) := transform b limit in (Dis a' b', lmax la lb)
  | Con a b => let '(a', la) := transform a limit in let '(b', lb) := transform b limit in (Con a' b', Inf)
  | Neg a b => let '(a', la) := transform a limit in let '(b', lb) := transform b (lmin la limit) in (Neg a' b', la)
  | Seq _ a b => let '(a', la) := transform a limit in let '(b', lb) := transform b limit in
      if lleb lb limit then (Seq (Some lb) a' b', Inf) else (Seq (Some limit) a' (restricted b' limit), Inf)
  | Tim a own => let tighter := lmin limit (Fin own) in let '(a', la) := transform a tighter in
      if lleb la tighter then (a', la) else (restricted a' tighter, tighter)
  end.
Theorem transform_runs e : forall limit, transformed e limit = transform e limit.
Proof.
  assert (id : forall l, label_of (infinite l) (value l) = l) by (destruct l; reflexivity).
  induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa own]; intros limit;
    cbn [transformed transform]; rewrite ?id; rewrite ?IHa, ?IHb; auto.
  - destruct (transform a limit) as (a' & [x|]), (transform b limit) as (b' & [y|]); cbn; unfold lmax, lleb; decided; repeat f_equal; lia.
  - destruct (transform a limit) as (a' & la), (transform b limit) as (b' & lb); reflexivity.
  - destruct (transform a limit) as (a' & la); cbn [fst snd]. rewrite ?id. unfold lmin, lleb.
    destruct la as [x|], limit as [y|]; cbn [infinite value label_of negb orb andb]; rewrite ?IHb; decided;
      destruct (transform b _); try reflexivity.
  - destruct (transform a limit) as (a' & la), (transform b limit) as (b' & [y|]), limit as [x|]; cbn; decided.
  - unfold lmin, lleb. destruct limit as [x|]; cbn [infinite value label_of negb orb andb]; rewrite ?IHa.
    + destruct (Z.ltb_spec own x), (Z.leb_spec x own); try lia; cbn [infinite value label_of negb orb andb];
        destruct (transform a _) as (a' & [y|]); cbn; decided.
    + destruct (transform a _) as (a' & [y|]); cbn; decided.
Qed.
