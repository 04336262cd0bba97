(* Theorem 4.1, 4.5, 4.6, Corollary 4.4, Lemma 5.1. *)
From Coq Require Import ZArith Lia Morphisms Setoid.
From Remora Require Export Laws.
Local Open Scope Z_scope.

Section Restriction. Context `{Instances} `{Clock}.

Theorem theorem41 S S' T T' t : same S S' -> same T T' ->
  same (dis S T) (dis S' T') /\ same (con S T) (con S' T') /\ same (neg S T) (neg S' T') /\
  same (seq S T) (seq S' T') /\ same (tim S t) (tim S' t).
Proof. unfold same. intros; repeat split; unfold dis, con, neg, seq, tim; firstorder; subst; eauto 8. Qed.

Theorem theorem45 S T T' : rem S T -> rem S T' -> same_intervals T T'.
Proof.
  assert (half : forall T T', rem S T -> rem S T' -> same_intervals1 T T').
  { intros U U' (sub & cover & uniq) (sub' & cover' & _) t Ut.
    destruct (cover' t (sub _ Ut)) as (t' & Ut' & ?).
    destruct (cover t' (sub' _ Ut')) as (t'' & Ut'' & ?).
    assert (t = t'') by (apply uniq; auto; lia). subst t''. exists t'; split; auto; lia. }
  intros. split; [apply half; auto|]. apply (half T' T); auto.
Qed.

Lemma rem_same S S' U : same S S' -> rem S U -> rem S' U.
Proof. unfold same, rem, rem1, rem2, rem3. firstorder. Qed.

Theorem corollary44 A A' T T' : same A A' -> rem A T -> rem A' T' -> same_intervals T T'.
Proof. intros sm r r'. apply (theorem45 A' T T'); auto. apply (rem_same A); auto. Qed.

(* U covers all of S that ends when it does, from no earlier start *)
Lemma rem_through (S S1 U : stream) : (forall e, S1 e -> S e) ->
  (forall e, S e -> exists e', S1 e' /\ start e <= start e' /\ finish e = finish e') -> rem S1 U -> rem S U.
Proof.
  intros sub cover (r1 & r2 & r3). split; [|split]; auto.
  - intros u Uu. auto.
  - intros s Ss. destruct (cover s Ss) as (s' & S1s' & ? & ?). destruct (r2 s' S1s') as (u & ? & ? & ?).
    exists u. split; auto. lia.
Qed.

Ltac covered := match goal with
  | c : rem2 ?S ?S', i : ?S ?x |- _ => let y := fresh "y" in destruct (c x i) as (y & ? & ? & ?); clear i end.
Section T46. Variables (S S' T T' U : stream). Hypotheses (rS : rem S S') (rT : rem T T').

Theorem theorem46_dis : rem (dis S' T') U -> rem (dis S T) U.
Proof. destruct rS as (s1 & s2 & _), rT as (t1 & t2 & _). apply rem_through; intros e; rewrite !in_dis.
  - intuition.
  - intros [i|i]; covered; exists y; rewrite in_dis; intuition. Qed.
Theorem theorem46_con : rem (con S' T') U -> rem (con S T) U.
Proof. destruct rS as (s1 & s2 & _), rT as (t1 & t2 & _). apply rem_through; intros e; rewrite !in_con.
  - intros; break; eauto 8.
  - intros; break; covered; covered.
    match goal with a : S' ?y, b : T' ?z |- _ => exists (join y z); rewrite in_con; split; [exists y, z; auto|times] end. Qed.
Theorem theorem46_seq : rem (seq S' T') U -> rem (seq S T) U.
Proof. destruct rS as (s1 & s2 & _), rT as (t1 & t2 & _). apply rem_through; intros e; rewrite !in_seq.
  - intros; break; eauto 9.
  - intros; break; covered; covered.
    match goal with a : S' ?y, b : T' ?z |- _ => exists (join y z); rewrite in_seq; split; [exists y, z; repeat split; auto; times|times] end. Qed.
Theorem theorem46_tim t : rem (tim S' t) U -> rem (tim S t) U.
Proof. destruct rS as (s1 & s2 & _). apply rem_through; intros e; rewrite !in_tim.
  - intuition.
  - intros; break; covered; exists y; rewrite in_tim; repeat split; auto; times. Qed.
Theorem theorem46_neg : rem (neg S' T') U -> rem (neg S T) U.
Proof. destruct rS as (s1 & s2 & _), rT as (t1 & t2 & _). apply rem_through; intros e; rewrite !in_neg.
  - intros (i & n); split; auto. intros t i' ? ?. covered. apply (n y); auto; lia.
  - intros (i & n). covered. exists y; rewrite in_neg; repeat split; auto.
    intros t i' ? ?. apply (n t); auto; lia. Qed.
End T46.

(* Def. 5.2 and Lemma 5.1; an output is what a detector returns at each time *)
Definition valid (e : option inst) (S : stream) (now : Z) : Prop :=
  match e with Some i => valid_instance i S now | None => valid_absence S now end.
Definition outputs (out : nat -> option inst) : stream := fun e => exists n, out n = Some e.

Definition at_instants (S : stream) : Prop := forall e, S e -> exists n, finish e = clock n.
Theorem lemma51 (out : nat -> option inst) S : at_instants S ->
  (forall n, valid (out n) S (clock n)) -> rem S (outputs out).
Proof.
  intros ends v. split; [|split].
  - intros e (n & o). specialize (v n). rewrite o in v. apply v.
  - intros s i. destruct (ends s i) as (n & f). specialize (v n).
    destruct (out n) as [e|] eqn:o; simpl in v.
    + destruct v as (i' & g & later). exists e. split; [exists n; auto|]. split; [|lia].
      apply Z.nlt_ge. intro l. apply later. exists s. auto.
    + exfalso. apply v. exists s. auto.
  - intros s (n & o) s' (n' & o') f.
    pose proof (v n) as w. pose proof (v n') as w'. rewrite o in w; rewrite o' in w'. destruct w as (_ & a & _), w' as (_ & b & _).
    assert (n = n') by instants. congruence.
Qed.
End Restriction.
