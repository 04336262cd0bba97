(* The instances that end at an instant, listed: all of them (theorem:ends-now), and each once where a pattern is not ambiguous. *)
From Coq Require Import ZArith Lia List Bool.
From Remora Require Export Theorems.
Import ListNotations.
Local Open Scope Z_scope.

Lemma once_app {X} (l k : list X) : NoDup l -> NoDup k -> (forall x, In x l -> ~ In x k) -> NoDup (l ++ k).
Proof.
  induction l as [|x l IH]; simpl; auto. intros nl nk apart. inversion nl; subst. constructor.
  - rewrite in_app_iff. intros [i|i]; auto. apply (apart x); auto.
  - apply IH; auto.
Qed.
Lemma once_map {X Y} (f : X -> Y) l : NoDup l -> (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup (map f l).
Proof.
  induction l as [|x l IH]; simpl; intros n inj; [constructor|]. inversion n; subst. constructor; auto.
  rewrite in_map_iff. intros (y & e & i). rewrite (inj y x) in i; auto.
Qed.
Lemma once_flat_map {X Y} (f : X -> list Y) l : NoDup l -> (forall x, In x l -> NoDup (f x)) ->
  (forall x y z, In x l -> In y l -> In z (f x) -> In z (f y) -> x = y) -> NoDup (flat_map f l).
Proof.
  induction l as [|x l IH]; simpl; intros n each apart; [constructor|]. inversion n; subst. apply once_app; auto.
  - apply IH; auto. intros; eapply apart; eauto.
  - intros z i j. apply in_flat_map in j as (y & j & k). assert (x = y) by (eapply apart; eauto). congruence.
Qed.

Section Enumeration. Context `{Instances} `{Clock}.
Definition all_before (f : nat -> list inst) (n : nat) : list inst := flat_map f (List.seq 0 n).
Definition greatest (l : list inst) : Z := fold_right Z.max (-1) (map start l).
Definition since (l : list inst) (t : Z) : list inst := filter (fun x => t <=? start x) l.
Definition together (l k : list inst) : list inst := flat_map (fun x => map (join x) k) l.
Definition sequel (l k : list inst) : list inst :=
  flat_map (fun y => map (fun x => join x y) (filter (fun x => finish x <? start y) l)) k.
(* What ends at an instant, as detectors/carlson_lisper/enumeration/steps.py has it. *)
Fixpoint ending (I : interpretation) (e : expr) (n : nat) : list inst :=
  match e with
  | Ev p => match I p n with Some x => [x] | None => [] end
  | Dis a b => ending I a n ++ ending I b n
  | Con a b => together (ending I a n) (all_before (ending I b) (S n)) ++ together (all_before (ending I a) n) (ending I b n)
  | Neg a b => since (ending I a n) (greatest (all_before (ending I b) (S n)) + 1)
  | Seq _ a b => sequel (all_before (ending I a) n) (ending I b n)
  | Tim a t => since (ending I a n) (clock n - t)
  end.
(* The same, where instances that start no later than u says are not asked for, then and later: they are dropped. The left
   side of a sequence is what is kept at the instant at which an instance of the right side starts. *)
Definition later (l : list inst) (t : Z) : list inst := filter (fun x => t <? start x) l.
Definition behind (kept : nat -> list inst) (n : nat) (y : inst) : list inst :=
  flat_map (fun m => if clock m =? start y then map (fun x => join x y) (kept m) else []) (List.seq 0 (S n)).
Fixpoint asked (I : interpretation) (e : expr) (u : nat -> Z) (n : nat) : list inst :=
  match e with
  | Ev p => match I p n with Some x => [x] | None => [] end
  | Dis a b => asked I a u n ++ asked I b u n
  | Con a b => together (asked I a u n) (later (all_before (asked I b u) (S n)) (u n)) ++
      together (later (all_before (asked I a u) n) (u n)) (asked I b u n)
  | Neg a b => let m := fun n => greatest (all_before (ending I b) (S n)) in since (asked I a (fun n => Z.max (u n) (m n)) n) (m n + 1)
  | Seq _ a b => flat_map (behind (fun m => later (all_before (asked I a u) m) (u m)) n) (asked I b u n)
  | Tim a t => since (asked I a (fun n => Z.max (u n) (clock n - t - 1)) n) (clock n - t)
  end.
(* No instance comes of the operands in two ways. *)
Definition one_way (S T : stream) (apart : inst -> inst -> Prop) : Prop := forall x x' y y',
  S x -> S x' -> T y -> T y' -> apart x y -> apart x' y' -> join x y = join x' y' -> x = x' /\ y = y'.
Fixpoint unambiguous (I : interpretation) (e : expr) : Prop :=
  match e with
  | Ev _ => True
  | Dis a b => unambiguous I a /\ unambiguous I b /\ forall x, meaning I a x -> ~ meaning I b x
  | Con a b => unambiguous I a /\ unambiguous I b /\ one_way (meaning I a) (meaning I b) (fun _ _ => True)
  | Seq _ a b => unambiguous I a /\ unambiguous I b /\ one_way (meaning I a) (meaning I b) (fun x y => finish x < start y)
  | Neg a _ | Tim a _ => unambiguous I a
  end.

Lemma greatest_spec l t : greatest l + 1 <= t <-> -1 < t /\ forall x, In x l -> start x < t.
Proof.
  unfold greatest. induction l as [|x l IH]; simpl; [split; [split; [lia|tauto]|lia]|]. split.
  - intros le. destruct IH as ((? & f) & _); [lia|]. split; auto. intros y [<-|i]; [lia|auto].
  - intros (? & f). pose proof (f x (or_introl eq_refl)). assert (fold_right Z.max (-1) (map start l) + 1 <= t) by (apply IH; auto). lia.
Qed.
Lemma in_since l t x : In x (since l t) <-> In x l /\ t <= start x.
Proof. unfold since. rewrite filter_In, Z.leb_le. tauto. Qed.
Lemma in_together l k z : In z (together l k) <-> exists x y, In x l /\ In y k /\ z = join x y.
Proof.
  unfold together. rewrite in_flat_map. setoid_rewrite in_map_iff. firstorder; subst; eauto 6.
Qed.
Lemma in_sequel l k z : In z (sequel l k) <-> exists x y, In x l /\ In y k /\ finish x < start y /\ z = join x y.
Proof.
  unfold sequel. rewrite in_flat_map. setoid_rewrite in_map_iff. setoid_rewrite filter_In. setoid_rewrite Z.ltb_lt.
  firstorder; subst; eauto 8.
Qed.

Definition lists (f : nat -> list inst) (S : stream) : Prop := forall n x, In x (f n) <-> S x /\ finish x = clock n.
Lemma in_before f S n x : at_instants S -> lists f S -> In x (all_before f n) <-> S x /\ finish x < clock n.
Proof.
  intros at_ li. unfold all_before. rewrite in_flat_map. split.
  - intros (m & i & j). apply List.in_seq in i. apply li in j as (? & ->). split; auto. apply clock_later. lia.
  - intros (i & l). destruct (at_ x i) as (m & f'). exists m. split; [|apply li; auto]. apply List.in_seq. split; [lia|]. instants.
Qed.
Lemma in_so_far f S n x : at_instants S -> lists f S -> In x (all_before f (Datatypes.S n)) <-> S x /\ finish x <= clock n.
Proof.
  intros at_ li. rewrite (in_before f S); auto. pose proof (clock_increases n). split; intros (i & l); split; auto; [|lia].
  destruct (at_ x i) as (m & f'). rewrite f' in *.
  destruct (clock_order m n) as [(? & ?)|[(? & ?)|(? & ?)]], (clock_order m (Datatypes.S n)) as [(? & ?)|[(? & ?)|(? & ?)]]; lia.
Qed.
(* Of an instant there is one list, so what is listed once at each is listed once in all. *)
Lemma once_before f n : (forall m x, In x (f m) -> finish x = clock m) -> (forall m, NoDup (f m)) -> NoDup (all_before f n).
Proof.
  intros at_ once. apply once_flat_map; auto using seq_NoDup. intros m k x _ _ i j. apply at_ in i, j.
  destruct (clock_order m k) as [(? & ?)|[(? & ?)|(? & ?)]]; auto; lia.
Qed.
Lemma once_together l k : NoDup l -> NoDup k ->
  (forall x x' y y', In x l -> In x' l -> In y k -> In y' k -> join x y = join x' y' -> x = x' /\ y = y') -> NoDup (together l k).
Proof.
  intros nl nk one. apply once_flat_map; auto.
  - intros x i. apply once_map; auto. intros y y' ? ? e. eapply one in e as (_ & ?); eauto.
  - intros x x' z i i' j j'. apply in_map_iff in j as (y & <- & ?), j' as (y' & e & ?). eapply one in e as (? & _); eauto.
Qed.
Lemma once_sequel l k : NoDup l -> NoDup k ->
  (forall x x' y y', In x l -> In x' l -> In y k -> In y' k -> finish x < start y -> finish x' < start y' ->
    join x y = join x' y' -> x = x' /\ y = y') -> NoDup (sequel l k).
Proof.
  intros nl nk one. apply once_flat_map; auto.
  - intros y i. apply once_map; [apply NoDup_filter; auto|]. intros x x' j j' e. apply filter_In in j as (? & j), j' as (? & j').
    apply Z.ltb_lt in j, j'. eapply one in e as (? & _); eauto.
  - intros y y' z i i' j j'. apply in_map_iff in j as (x & <- & j), j' as (x' & e & j'). apply filter_In in j as (? & j), j' as (? & j').
    apply Z.ltb_lt in j, j'. eapply one in e as (_ & ?); eauto.
Qed.

Section Right. Variables (I : interpretation) (right : admissible I).
Lemma meaning_at e : at_instants (meaning I e).
Proof.
  induction e; simpl; auto using at_dis, at_con, at_seq, at_neg, at_tim. intros x (n & o). exists n. apply (right p n x o).
Qed.
(* What is listed at an instant is what ends then. *)
Theorem ending_right e : lists (ending I e) (meaning I e).
Proof.
  induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa t]; intros n x; simpl; pose proof meaning_at as at_.
  - destruct (I p n) as [y|] eqn:o; simpl.
    + split; [intros [<-|[]]; split; [exists n; auto|apply (right p n y o)]|]. intros ((m & o') & f). left.
      destruct (right p m x o') as (_ & f'). assert (m = n) by (destruct (clock_order m n) as [(? & ?)|[(? & ?)|(? & ?)]]; auto; lia).
      congruence.
    + split; [tauto|]. intros ((m & o') & f). destruct (right p m x o') as (_ & f').
      assert (m = n) by (destruct (clock_order m n) as [(? & ?)|[(? & ?)|(? & ?)]]; auto; lia). congruence.
  - rewrite in_app_iff, (IHa n x), (IHb n x), in_dis. tauto.
  - rewrite in_app_iff, !in_together, in_con. setoid_rewrite (IHa n). setoid_rewrite (IHb n).
    setoid_rewrite (fun y => in_so_far _ _ n y (at_ b) IHb). setoid_rewrite (fun y => in_before _ _ n y (at_ a) IHa). split.
    + intros [(y & z & (? & ?) & (? & ?) & ->)|(y & z & (? & ?) & (? & ?) & ->)]; rewrite finish_join; (split; [eauto|lia]).
    + intros ((y & z & ? & ? & ->) & f). rewrite finish_join in f. destruct (Z.eq_dec (finish y) (clock n)); [left|right];
        exists y, z; repeat split; auto; lia.
  - rewrite in_since, (IHa n x), greatest_spec, in_neg. setoid_rewrite (fun y => in_so_far _ _ n y (at_ b) IHb). split.
    + intros ((i & f) & _ & no). repeat split; auto. intros y iy ? ?. specialize (no y). assert (start y < start x) by (apply no; split; auto; lia). lia.
    + intros ((i & no) & f). pose proof (start_natural x). repeat split; auto; [lia|]. intros y (iy & ?).
      destruct (Z_lt_le_dec (start y) (start x)); auto. exfalso. apply (no y); auto. lia.
  - rewrite in_sequel, in_seq. setoid_rewrite (IHb n). setoid_rewrite (fun y => in_before _ _ n y (at_ a) IHa). split.
    + intros (y & z & (? & ?) & (? & ?) & ? & ->). pose proof (start_finish z). rewrite finish_join. split; [eauto 6|lia].
    + intros ((y & z & ? & ? & ? & ->) & f). rewrite finish_join in f. pose proof (start_finish z).
      exists y, z. repeat split; auto; lia.
  - rewrite in_since, (IHa n x), in_tim. split; intros; repeat split; try tauto; lia.
Qed.
(* Where no instance comes in two ways, each is listed once. *)
Theorem ending_once e : unambiguous I e -> forall n, NoDup (ending I e n).
Proof.
  pose proof ending_right as li. pose proof meaning_at as at_.
  assert (before : forall e n, (forall m, NoDup (ending I e m)) -> NoDup (all_before (ending I e) n)).
  { intros e' k. apply once_before. intros m x i. apply li in i. tauto. }
  induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa t]; simpl; intros u n.
  - destruct (I p n); repeat constructor; auto.
  - destruct u as (ua & ub & apart). apply once_app; auto. intros x i j. apply li in i as (i & _), j as (j & _). apply (apart x); auto.
  - destruct u as (ua & ub & one). apply once_app.
    + apply once_together; auto. intros x x' y y' i i' j j'. apply li in i as (? & _), i' as (? & _).
      apply (in_so_far _ _ n _ (at_ b) (li b)) in j as (? & _), j' as (? & _). apply one; auto.
    + apply once_together; auto. intros x x' y y' i i' j j'. apply li in j as (? & _), j' as (? & _).
      apply (in_before _ _ n _ (at_ a) (li a)) in i as (? & _), i' as (? & _). apply one; auto.
    + intros z i j. apply in_together in i as (x & y & i & k & ->), j as (x' & y' & i' & k' & e).
      apply li in i as (? & f), k' as (? & ?). apply (in_so_far _ _ n _ (at_ b) (li b)) in k as (? & _).
      apply (in_before _ _ n _ (at_ a) (li a)) in i' as (? & l). apply one in e as (<- & _); auto. lia.
  - apply NoDup_filter; auto.
  - destruct u as (ua & ub & one). apply once_sequel; auto. intros x x' y y' i i' j j'. apply li in j as (? & _), j' as (? & _).
    apply (in_before _ _ n _ (at_ a) (li a)) in i as (? & _), i' as (? & _). apply one; auto.
  - apply NoDup_filter; auto.
Qed.

(* Dropping leaves all that is asked for, and makes nothing. *)
Lemma in_all f n x : In x (all_before f n) <-> exists m, (m < n)%nat /\ In x (f m).
Proof. unfold all_before. rewrite in_flat_map. split; intros (m & i & j); exists m; split; auto; [apply List.in_seq in i|apply List.in_seq]; lia. Qed.
Lemma in_later l t x : In x (later l t) <-> In x l /\ t < start x.
Proof. unfold later. rewrite filter_In, Z.ltb_lt. tauto. Qed.
Lemma in_behind kept n y z : In z (behind kept n y) <-> exists m x, (m <= n)%nat /\ clock m = start y /\ In x (kept m) /\ z = join x y.
Proof.
  unfold behind. rewrite in_flat_map. split.
  - intros (m & i & j). apply List.in_seq in i. destruct (Z.eqb_spec (clock m) (start y)); [|destruct j].
    apply in_map_iff in j as (x & <- & ?). exists m, x. repeat split; auto. lia.
  - intros (m & x & l & e & i & ->). exists m. split; [apply List.in_seq; lia|]. apply Z.eqb_eq in e. rewrite e. apply in_map_iff. eauto.
Qed.
Lemma greatest_more l k : (forall x, In x l -> In x k) -> greatest l <= greatest k.
Proof. intros more. destruct (proj1 (greatest_spec k (greatest k + 1)) (Z.le_refl _)) as (? & f). cut (greatest l + 1 <= greatest k + 1); [lia|]. apply greatest_spec. auto. Qed.
Definition grows (u : nat -> Z) : Prop := forall m n, (m <= n)%nat -> u m <= u n.
Lemma clock_grows m n : (m <= n)%nat -> clock m <= clock n.
Proof. intros l. destruct (clock_order m n) as [(? & ?)|[(? & ?)|(? & ?)]]; lia. Qed.
Lemma starts_at e x : meaning I e x -> exists n, start x = clock n.
Proof.
  revert x. induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa t]; simpl; intros x i.
  - destruct i as (n & o). exists n. apply (right p n x o).
  - apply in_dis in i as [i|i]; auto.
  - apply in_con in i as (y & z & i & j & ->). rewrite start_join.
    destruct (Z.min_spec (start y) (start z)) as [(_ & ->)|(_ & ->)]; auto.
  - apply in_neg in i as (i & _). auto.
  - apply in_seq in i as (y & z & i & j & _ & ->). rewrite start_join.
    destruct (Z.min_spec (start y) (start z)) as [(_ & ->)|(_ & ->)]; auto.
  - apply in_tim in i as (i & _). auto.
Qed.
Lemma asked_sound e : forall u n x, In x (asked I e u n) -> In x (ending I e n).
Proof.
  induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa t]; simpl; intros u n x; auto.
  - rewrite !in_app_iff. intros [?|?]; eauto.
  - rewrite !in_app_iff, !in_together. setoid_rewrite in_later. setoid_rewrite in_all.
    intros [(y & z & ? & ((m & ? & ?) & _) & ->)|(y & z & ((m & ? & ?) & _) & ? & ->)]; [left|right]; exists y, z; eauto 7.
  - rewrite !in_since. intros (? & ?). eauto.
  - rewrite in_flat_map, in_sequel. setoid_rewrite in_behind. setoid_rewrite in_later. setoid_rewrite in_all.
    intros (y & iy & m & z & le & e & ((k & ? & iz) & _) & ->). apply IHa in iz. exists z, y. repeat split; eauto.
    + exists k. split; auto. lia.
    + apply ending_right in iz as (_ & ->). rewrite <- e. apply clock_later; auto.
  - rewrite !in_since. intros (? & ?). eauto.
Qed.
Lemma asked_complete e : forall u n x, grows u -> In x (ending I e n) -> u n < start x -> In x (asked I e u n).
Proof.
  induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa t]; simpl; intros u n x g; auto.
  - rewrite !in_app_iff. intros [?|?] ?; auto.
  - rewrite !in_app_iff, !in_together. setoid_rewrite in_later. setoid_rewrite in_all.
    intros [(y & z & ? & (m & ? & ?) & ->)|(y & z & (m & ? & ?) & ? & ->)]; rewrite start_join; intros;
      (assert (u m <= u n) by (apply g; lia)); [left|right]; exists y, z; repeat split; try (exists m; split; auto);
      try (apply IHa; auto; lia); try (apply IHb; auto; lia); lia.
  - rewrite !in_since. intros (i & le) ?. split; auto. apply IHa; auto; [|lia]. intros m k l. pose proof (g m k l).
    assert (greatest (all_before (ending I b) (S m)) <= greatest (all_before (ending I b) (S k))); [|lia].
    apply greatest_more. intros y. rewrite !in_all. intros (j & ? & ?). exists j. split; auto. lia.
  - rewrite in_flat_map, in_sequel. setoid_rewrite in_behind. setoid_rewrite in_later. setoid_rewrite in_all.
    intros (y & z & (k & ? & iy) & iz & lt & ->). rewrite start_join. intros. exists z. split; [apply IHb; auto; lia|].
    pose proof (proj1 (ending_right b n z) iz) as (mz & fz). destruct (starts_at b z mz) as (m & sz). pose proof (start_finish z).
    pose proof (proj1 (ending_right a k y) iy) as (_ & fy).
    assert (m <= n)%nat by (destruct (clock_order m n) as [(? & ?)|[(? & ?)|(? & ?)]]; lia).
    assert (k < m)%nat by (destruct (clock_order k m) as [(? & ?)|[(? & ?)|(? & ?)]]; lia).
    pose proof (g m n). pose proof (g k n). exists m, y. repeat split; auto; [|lia]. exists k. split; auto. apply IHa; auto. lia.
  - rewrite !in_since. intros (i & le) ?. split; auto. apply IHa; auto; [|lia]. intros m k l. pose proof (g m k l). pose proof (clock_grows m k l). lia.
Qed.
(* At the outermost all is asked for: what is listed is what ends then, whatever is dropped on the way. *)
Theorem asked_right e : lists (asked I e (fun _ => -1)) (meaning I e).
Proof.
  intros n x. rewrite <- (ending_right e n x). split; [apply asked_sound|]. intros i. apply asked_complete; auto.
  - intros m k _. lia. - pose proof (start_natural x). lia.
Qed.
Theorem asked_once e : unambiguous I e -> forall u n, NoDup (asked I e u n).
Proof.
  pose proof ending_right as li.
  assert (sound : forall e u n x, In x (asked I e u n) -> meaning I e x /\ finish x = clock n) by (intros; apply li, (asked_sound _ u); auto).
  assert (kept : forall e u n t x, In x (later (all_before (asked I e u) n) t) -> meaning I e x /\ finish x < clock n).
  { intros e' u n t x i. apply in_later in i as (i & _). apply in_all in i as (m & l & i). apply sound in i as (? & ->).
    split; auto using clock_later. }
  assert (before : forall e u n t, (forall m, NoDup (asked I e u m)) -> NoDup (later (all_before (asked I e u) n) t)).
  { intros e' u n t once. apply NoDup_filter, once_before; auto. intros m x i. apply sound in i. tauto. }
  induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa t]; simpl; intros ua u n.
  - destruct (I p n); repeat constructor; auto.
  - destruct ua as (ua & ub & apart). apply once_app; auto. intros x i j. apply sound in i as (i & _), j as (j & _). apply (apart x); auto.
  - destruct ua as (ua & ub & one). apply once_app.
    + apply once_together; auto. intros x x' y y' i i' j j'. apply sound in i as (? & _), i' as (? & _).
      apply kept in j as (? & _), j' as (? & _). apply one; auto.
    + apply once_together; auto. intros x x' y y' i i' j j'. apply sound in j as (? & _), j' as (? & _).
      apply kept in i as (? & _), i' as (? & _). apply one; auto.
    + intros z i j. apply in_together in i as (x & y & i & k & ->), j as (x' & y' & i' & k' & e).
      apply sound in i as (? & f), k' as (? & ?). apply kept in k as (? & _), i' as (? & ?). apply one in e as (<- & _); auto. lia.
  - apply NoDup_filter; auto.
  - destruct ua as (ua & ub & one). apply once_flat_map; auto.
    + intros y i. apply once_flat_map; auto using seq_NoDup.
      * intros m _. destruct (clock m =? start y) eqn:c; [|constructor]. apply Z.eqb_eq in c. apply once_map; auto. intros x x' j j' e.
        apply sound in i as (? & _). apply kept in j as (? & ?), j' as (? & ?). apply one in e as (? & _); auto; lia.
      * intros m k z _ _ j j'. destruct (Z.eqb_spec (clock m) (start y)), (Z.eqb_spec (clock k) (start y)); try contradiction.
        destruct (clock_order m k) as [(? & ?)|[(? & ?)|(? & ?)]]; auto; lia.
    + intros y y' z i i' j j'. apply in_behind in j as (m & x & _ & c & j & ->), j' as (k & x' & _ & c' & j' & e).
      apply sound in i as (? & _), i' as (? & _). apply kept in j as (? & ?), j' as (? & ?). apply one in e as (_ & ?); auto; lia.
  - apply NoDup_filter; auto.
Qed.
End Right.
End Enumeration.
