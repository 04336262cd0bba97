(* Figures 2, 4 and 5 as they are read, and that the code that runs computes them. *)
From Coq Require Import ZArith Lia List Bool.
From Remora Require Export Instances Generated.
Import ListNotations.
Local Open Scope Z_scope.

Ltac decided := repeat match goal with
  | |- context[?x <? ?y] => destruct (Z.ltb_spec x y)
  | |- context[?x <=? ?y] => destruct (Z.leb_spec x y)
  | |- context[?x =? ?y] => destruct (Z.eqb_spec x y) end; cbn; try reflexivity; try lia.

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
