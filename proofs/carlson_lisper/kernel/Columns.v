(* Tables of starts and ends: the five equations by which patterns are evaluated over files and tables (Theorem 4.6). *)
From Coq Require Import ZArith Lia List Bool.
From Remora Require Export Theorems.
Import ListNotations.
Local Open Scope Z_scope.

(* A row is a start and an end. *)
Definition table := list (Z * Z).
(* The greatest start of the rows whose ends satisfy p. *)
Fixpoint best (T : table) (p : Z -> bool) : option Z :=
  match T with
  | [] => None
  | (s, e) :: rest => match best rest p with
      | None => if p e then Some s else None
      | Some m => Some (if p e then Z.max s m else m) end
  end.

Definition merge (T U : table) : table :=
  filter (fun r => match best (T ++ U) (fun e => e =? snd r) with Some m => m <=? fst r | None => true end) (T ++ U).
(* Each row of T with the greatest start of U so far: one half of a conjunction. *)
Definition half (T U : table) : table :=
  flat_map (fun r => match best U (fun e => e <=? snd r) with Some m => [(Z.min (fst r) m, snd r)] | None => [] end) T.
Definition conjoined (T U : table) : table := merge (half T U) (half U T).
Definition without (T U : table) : table :=
  filter (fun r => match best U (fun e => e <=? snd r) with Some m => m <? fst r | None => true end) T.
Definition as_of (T U : table) : table :=
  flat_map (fun r => match best T (fun e => e <? fst r) with Some m => [(m, snd r)] | None => [] end) U.
Definition within_bound (bound : Z) (T : table) : table := filter (fun r => snd r - fst r <=? bound) T.

Lemma best_spec T p : match best T p with
  | Some m => (exists e, In (m, e) T /\ p e = true) /\ forall s e, In (s, e) T -> p e = true -> s <= m
  | None => forall s e, In (s, e) T -> p e = false end.
Proof.
  induction T as [|(s & e) T IH]; simpl; [contradiction|]. destruct (best T p) as [m|].
  - destruct IH as ((f & i & pf) & max). destruct (p e) eqn:pe.
    + split.
      * destruct (Z.max_spec s m) as [(_ & ->)|(_ & ->)]; eauto.
      * intros t g [[= <- <-]|j] pg; [lia|]. specialize (max t g j pg). lia.
    + split; [eauto|]. intros t g [[= <- <-]|j] pg; [congruence|eauto].
  - destruct (p e) eqn:pe.
    + split; [eauto|]. intros t g [[= <- <-]|j] pg; [lia|]. rewrite (IH t g j) in pg. discriminate.
    + intros t g [[= <- <-]|j]; eauto.
Qed.
Lemma best_exists T p s e : In (s, e) T -> p e = true -> exists m, best T p = Some m /\ s <= m.
Proof.
  intros i pe. pose proof (best_spec T p) as spec. destruct (best T p) as [m|].
  - exists m. split; auto. apply (proj2 spec s e); auto.
  - rewrite (spec s e i) in pe. discriminate.
Qed.
Lemma best_from T p m : best T p = Some m -> exists e, In (m, e) T /\ p e = true.
Proof. intros b. pose proof (best_spec T p) as spec. rewrite b in spec. apply spec. Qed.
Lemma best_max T p m s e : best T p = Some m -> In (s, e) T -> p e = true -> s <= m.
Proof. intros b. pose proof (best_spec T p) as spec. rewrite b in spec. apply spec. Qed.

Section Columns. Context `{Instances}.
(* T detects S: its rows are starts and ends of instances, one for each end, and no instance starts later (Def. 3.12). *)
Definition sound (S : stream) (T : table) := forall s e, In (s, e) T -> exists i, S i /\ start i = s /\ finish i = e.
Definition complete (S : stream) (T : table) := forall i, S i -> exists s, In (s, finish i) T /\ start i <= s.
Definition functional (T : table) := forall s s' e, In (s, e) T -> In (s', e) T -> s = s'.
Definition detects (S : stream) (T : table) := sound S T /\ complete S T /\ functional T.

Lemma in_merge T U s e : In (s, e) (merge T U) <->
  (In (s, e) T \/ In (s, e) U) /\ forall s', In (s', e) T \/ In (s', e) U -> s' <= s.
Proof.
  unfold merge. rewrite filter_In, in_app_iff. cbn [fst snd]. split.
  - intros (i & c). split; auto. intros s' i'. destruct (best_exists (T ++ U) (fun f => f =? e) s' e) as (m & b & ?).
    + apply in_app_iff; auto. + apply Z.eqb_refl. + rewrite b in c. apply Z.leb_le in c. lia.
  - intros (i & max). split; auto. destruct (best _ _) as [m|] eqn:b; auto. apply Z.leb_le.
    apply best_from in b as (f & j & c). apply Z.eqb_eq in c. subst f. apply max, in_app_iff; auto.
Qed.
Lemma merge_covers T U s e : In (s, e) T \/ In (s, e) U -> exists m, In (m, e) (merge T U) /\ s <= m.
Proof.
  intros i. destruct (best_exists (T ++ U) (fun f => f =? e) s e) as (m & b & le); [apply in_app_iff; auto|apply Z.eqb_refl|].
  exists m. split; auto. apply in_merge. split.
  - apply best_from in b as (f & j & c). apply Z.eqb_eq in c. subst f. apply in_app_iff; auto.
  - intros s' i'. apply (best_max _ _ _ s' e b); [apply in_app_iff; auto|apply Z.eqb_refl].
Qed.
(* What two sound tables find together is detected by their merge. *)
Lemma merge_detects S T U : sound S T -> sound S U ->
  (forall i, S i -> exists s, (In (s, finish i) T \/ In (s, finish i) U) /\ start i <= s) -> detects S (merge T U).
Proof.
  intros st su cover. split; [|split].
  - intros s e i. apply in_merge in i as ([i|i] & _); auto.
  - intros i j. destruct (cover i j) as (s & k & le). destruct (merge_covers T U s (finish i) k) as (m & ? & ?).
    exists m. split; auto. lia.
  - intros s s' e i i'. apply in_merge in i as (i & max), i' as (i' & max'). specialize (max s' i'). specialize (max' s i). lia.
Qed.

Lemma in_half T U s e : In (s, e) (half T U) <-> exists t m, In (t, e) T /\ best U (fun f => f <=? e) = Some m /\ s = Z.min t m.
Proof.
  unfold half. rewrite in_flat_map. split.
  - intros ((t & f) & i & j). cbn [fst snd] in j. destruct (best U _) as [m|] eqn:b; [|contradiction].
    destruct j as [[= <- <-]|[]]. eauto.
  - intros (t & m & i & b & ->). exists (t, e). split; auto. cbn [fst snd]. rewrite b. left. reflexivity.
Qed.
Lemma in_without T U s e : In (s, e) (without T U) <-> In (s, e) T /\ forall m, best U (fun f => f <=? e) = Some m -> m < s.
Proof.
  unfold without. rewrite filter_In. cbn [fst snd]. destruct (best U _) as [m|]; split; intros (i & c); split; auto.
  - intros m' [= <-]. apply Z.ltb_lt; auto.
  - apply Z.ltb_lt, c. reflexivity.
  - discriminate.
Qed.
Lemma in_as_of T U s e : In (s, e) (as_of T U) <-> exists t, In (t, e) U /\ best T (fun f => f <? t) = Some s.
Proof.
  unfold as_of. rewrite in_flat_map. split.
  - intros ((t & f) & i & j). cbn [fst snd] in j. destruct (best T _) as [m|] eqn:b; [|contradiction].
    destruct j as [[= <- <-]|[]]. eauto.
  - intros (t & i & b). exists (t, e). split; auto. cbn [fst snd]. rewrite b. left. reflexivity.
Qed.
Lemma in_bound b T s e : In (s, e) (within_bound b T) <-> In (s, e) T /\ e - s <= b.
Proof. unfold within_bound. rewrite filter_In. cbn [fst snd]. rewrite Z.leb_le. tauto. Qed.

Section Equations. Variables (A B : stream) (T U : table). Hypotheses (dA : detects A T) (dB : detects B U).

Theorem equation_dis : detects (dis A B) (merge T U).
Proof.
  destruct dA as (sa & ca & _), dB as (sb & cb & _). apply merge_detects.
  - intros s e i. destruct (sa s e i) as (x & ? & ?). exists x. rewrite in_dis. auto.
  - intros s e i. destruct (sb s e i) as (x & ? & ?). exists x. rewrite in_dis. auto.
  - intros i j. apply in_dis in j as [j|j]; [destruct (ca i j) as (s & ? & ?)|destruct (cb i j) as (s & ? & ?)]; eauto.
Qed.

Lemma half_sound (C D : stream) V W : sound C V -> sound D W -> sound (con C D) (half V W).
Proof.
  intros sc sd s e i. apply in_half in i as (t & m & i & b & ->). apply best_from in b as (f & j & le). apply Z.leb_le in le.
  destruct (sc t e i) as (x & ? & ? & ?), (sd m f j) as (y & ? & ? & ?). exists (join x y).
  rewrite in_con, start_join, finish_join. split; [eauto|split; lia].
Qed.
Lemma half_covers (C D : stream) V W x y : complete C V -> complete D W -> C x -> D y -> finish y <= finish x ->
  exists s, In (s, finish x) (half V W) /\ start (join x y) <= s.
Proof.
  intros cc cd ix iy le. destruct (cc x ix) as (s & i & ?), (cd y iy) as (t & j & ?).
  destruct (best_exists W (fun f => f <=? finish x) t (finish y) j) as (m & b & ?); [apply Z.leb_le; auto|].
  exists (Z.min s m). split; [apply in_half; eauto|]. rewrite start_join. lia.
Qed.
Lemma con_swap (C D : stream) V : sound (con D C) V -> sound (con C D) V.
Proof.
  intros s a e i. destruct (s a e i) as (x & j & ?). exists x. split; auto.
  apply in_con in j as (y & z & ? & ? & ->). apply in_con. exists z, y. rewrite join_comm. auto.
Qed.
Lemma con_covers i : con A B i -> exists s, (In (s, finish i) (half T U) \/ In (s, finish i) (half U T)) /\ start i <= s.
Proof.
  destruct dA as (_ & ca & _), dB as (_ & cb & _). intros j. apply in_con in j as (x & y & ix & iy & ->).
  destruct (Z_le_gt_dec (finish y) (finish x)) as [le|gt].
  - destruct (half_covers A B T U x y ca cb ix iy le) as (s & ? & ?). exists s.
    rewrite finish_join, Z.max_l by lia. auto.
  - destruct (half_covers B A U T y x cb ca iy ix) as (s & ? & ?); [lia|]. exists s.
    rewrite (join_comm x y), finish_join, Z.max_l by lia. auto.
Qed.
Theorem equation_con : detects (con A B) (conjoined T U).
Proof.
  pose proof con_covers. destruct dA as (sa & _ & _), dB as (sb & _ & _).
  apply merge_detects; auto using half_sound, con_swap.
Qed.
(* A restriction of a conjunction is applied to its halves. *)
Theorem equation_con_within t : detects (tim (con A B) t) (merge (within_bound t (half T U)) (within_bound t (half U T))).
Proof.
  pose proof con_covers as covers. destruct dA as (sa & _ & _), dB as (sb & _ & _).
  assert (short : forall V, sound (con A B) V -> sound (tim (con A B) t) (within_bound t V)).
  { intros V sv s e i. apply in_bound in i as (i & le). destruct (sv s e i) as (x & ? & ? & ?).
    exists x. rewrite in_tim. repeat split; auto; lia. }
  apply merge_detects; [apply short, half_sound; auto|apply short, con_swap, half_sound; auto|].
  intros i j. apply in_tim in j as (j & le). destruct (covers i j) as (s & k & ?). exists s. split; auto.
  rewrite !in_bound. destruct k; [left|right]; split; auto; lia.
Qed.

Theorem equation_neg : detects (neg A B) (without T U).
Proof.
  destruct dA as (sa & ca & fa), dB as (sb & cb & _). split; [|split].
  - intros s e i. apply in_without in i as (i & no). destruct (sa s e i) as (x & ix & <- & <-). exists x.
    split; auto. apply in_neg. split; auto. intros y iy ? ?. destruct (cb y iy) as (t & j & ?).
    destruct (best_exists U (fun f => f <=? finish x) t (finish y) j) as (m & b & ?); [apply Z.leb_le; auto|].
    specialize (no m b). lia.
  - intros i j. apply in_neg in j as (j & no). destruct (ca i j) as (s & k & le). exists s. split; auto.
    apply in_without. split; auto. intros m b. apply best_from in b as (f & l & c). apply Z.leb_le in c.
    destruct (sb m f l) as (y & iy & <- & <-). destruct (Z_lt_le_dec (start y) s); auto.
    exfalso. apply (no y); auto. lia.
  - intros s s' e i i'. apply in_without in i as (i & _), i' as (i' & _). eauto.
Qed.

Theorem equation_seq : detects (seq A B) (as_of T U).
Proof.
  destruct dA as (sa & ca & _), dB as (sb & cb & fb). split; [|split].
  - intros s e i. apply in_as_of in i as (t & i & b). apply best_from in b as (f & j & c). apply Z.ltb_lt in c.
    destruct (sa s f j) as (x & ? & ? & ?), (sb t e i) as (y & ? & ? & ?). exists (join x y).
    pose proof (start_finish x). pose proof (start_finish y).
    rewrite in_seq, start_join, finish_join. split; [|split; lia]. exists x, y. repeat split; auto. lia.
  - intros i j. apply in_seq in j as (x & y & ix & iy & lt & ->). destruct (ca x ix) as (s & k & ?), (cb y iy) as (t & l & ?).
    destruct (best_exists T (fun f => f <? t) s (finish x) k) as (m & b & ?); [apply Z.ltb_lt; lia|].
    pose proof (start_finish x). pose proof (start_finish y). exists m. rewrite start_join, finish_join. split; [|lia].
    rewrite Z.max_r by lia. apply in_as_of. eauto.
  - intros s s' e i i'. apply in_as_of in i as (t & i & b), i' as (t' & i' & b'). rewrite (fb t t' e) in b by auto. congruence.
Qed.

Theorem equation_tim t : detects (tim A t) (within_bound t T).
Proof.
  destruct dA as (sa & ca & fa). split; [|split].
  - intros s e i. apply in_bound in i as (i & le). destruct (sa s e i) as (x & ix & <- & <-). exists x. rewrite in_tim. auto.
  - intros i j. apply in_tim in j as (j & le). destruct (ca i j) as (s & k & ?). exists s. rewrite in_bound. repeat split; auto. lia.
  - intros s s' e i i'. apply in_bound in i as (i & _), i' as (i' & _). eauto.
Qed.
End Equations.

(* The whole: from tables of event types to the table of a pattern. *)
Fixpoint evaluated (leaves : ident -> table) (e : expr) : table :=
  match e with
  | Ev p => leaves p
  | Dis a b => merge (evaluated leaves a) (evaluated leaves b)
  | Con a b => conjoined (evaluated leaves a) (evaluated leaves b)
  | Neg a b => without (evaluated leaves a) (evaluated leaves b)
  | Seq _ a b => as_of (evaluated leaves a) (evaluated leaves b)
  | Tim a t => within_bound t (evaluated leaves a)
  end.
Theorem columns (I : interpretation) (leaves : ident -> table) e :
  (forall p, detects (outputs (I p)) (leaves p)) -> detects (meaning I e) (evaluated leaves e).
Proof.
  intros given. induction e; simpl; auto using equation_dis, equation_con, equation_neg, equation_seq, equation_tim.
Qed.
End Columns.
