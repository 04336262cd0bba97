(* The steps of Figures 2 and 4 as they run: Lemmas 5.2-5.7. *)
From Coq Require Import ZArith Lia List Bool Sorted.
From Remora Require Export Restriction.
Import ListNotations.
Local Open Scope Z_scope.

Section Steps. Context `{Instances} `{Clock}.
Definition output := nat -> option inst.
(* what is output at a time ends then *)
Definition timely (a : output) : Prop := forall n e, a n = Some e -> finish e = clock n.

Section Run. Context {state : Type} (step : state -> option inst -> option inst -> state * option inst) (initial : state).
Fixpoint state_at (a b : output) (n : nat) : state :=
  match n with O => initial | S m => fst (step (state_at a b m) (a m) (b m)) end.
Definition run (a b : output) : output := fun n => snd (step (state_at a b n) (a n) (b n)).
Lemma invariant (a b : output) (holds : nat -> state -> Prop) : holds O initial ->
  (forall n s, holds n s -> holds (S n) (fst (step s (a n) (b n)))) -> forall n, holds n (state_at a b n).
Proof. intros base step' n. induction n; simpl; auto. Qed.
End Run.

Lemma valid_timely (out : output) S : (forall n, valid (out n) S (clock n)) -> timely out.
Proof. intros v n e o. specialize (v n). rewrite o in v. apply v. Qed.
Lemma ostart_some x (i : inst) : x = Some i -> 0 <= ostart x. Proof. intros ->. apply start_natural. Qed.

(* x is an instance that a has output before n, with the greatest start (Def. 5.3) *)
Definition latest (a : output) (n : nat) (x : option inst) : Prop :=
  (forall m, (m < n)%nat -> ostart (a m) <= ostart x) /\
  match x with Some e => exists m, (m < n)%nat /\ a m = Some e | None => True end.
Lemma latest_initial a : latest a 0 None.
Proof. split; auto. intros; lia. Qed.
Lemma latest_next a n x : latest a n x -> latest a (S n) (if ostart x <? ostart (a n) then a n else x).
Proof.
  intros (max & from). destruct (Z.ltb_spec (ostart x) (ostart (a n))).
  - split.
    + intros m l. destruct (Nat.eq_dec m n) as [->|]; [lia|]. specialize (max m). lia.
    + destruct (a n) eqn:o; eauto.
  - split.
    + intros m l. destruct (Nat.eq_dec m n) as [->|]; [lia|]. apply max. lia.
    + destruct x; auto. destruct from as (m & ? & ?). eauto.
Qed.

Ltac cases := match goal with
  | |- context[?x <=? ?y] => destruct (Z.leb_spec x y)
  | |- context[?x <? ?y] => destruct (Z.ltb_spec x y) end; simpl; try lia.

Section Operands. Variables (a b : output). Hypotheses (ta : timely a) (tb : timely b).
Let A := outputs a. Let B := outputs b.

Ltac ends := repeat match goal with
  | o : a ?m = Some ?e |- _ => lazymatch goal with _ : finish e = clock m |- _ => fail | _ => pose proof (ta _ _ o) end
  | o : b ?m = Some ?e |- _ => lazymatch goal with _ : finish e = clock m |- _ => fail | _ => pose proof (tb _ _ o) end
  end.
Ltac same_time := repeat match goal with
  | o : a ?m = Some _, o' : a ?n = _ |- _ => assert (m = n) by (ends; repeat rewrite ?start_join, ?finish_join in *; instants); subst; rewrite o in o'; inversion o'; subst; clear o'
  | o : b ?m = Some _, o' : b ?n = _ |- _ => assert (m = n) by (ends; repeat rewrite ?start_join, ?finish_join in *; instants); subst; rewrite o in o'; inversion o'; subst; clear o' end.

Theorem lemma52 n : valid (run dis_step tt a b n) (dis A B) (clock n).
Proof.
  unfold run, dis_step; simpl.
  destruct (a n) as [x|] eqn:ox, (b n) as [y|] eqn:oy; simpl; try cases;
  repeat match goal with |- valid_instance _ _ _ => split; [|split]; [apply in_dis; unfold A, B, outputs; eauto | ends; lia |] end;
  try (pose proof (start_natural x); lia); try (pose proof (start_natural y); lia);
  intros (s & i & f); apply in_dis in i; destruct i as [(m & o)|(m & o)]; ends;
  assert (m = n) by instants; subst m; rewrite ?ox, ?oy in o; try discriminate; inversion o; subst; lia.
Qed.

Theorem lemma56 t n : 0 <= t -> valid (run (tim_step t) tt a a n) (tim A t) (clock n).
Proof.
  intros nat. unfold run, tim_step; simpl.
  destruct (a n) as [x|] eqn:ox; simpl; cases.
  2,3: intros (s & i & f); apply in_tim in i; destruct i as ((m & o) & ?); ends; assert (m = n) by instants; subst m;
    rewrite ox in o; try discriminate; inversion o; subst; lia.
  split; [|split].
  - apply in_tim. split; [exists n; auto|lia].
  - ends; lia.
  - intros (s & i & f & g). apply in_tim in i. destruct i as ((m & o) & ?). ends. assert (m = n) by instants; subst m.
    rewrite ox in o. inversion o; subst. lia.
Qed.

Theorem lemma54 n : valid (run neg_step (-1) a b n) (neg A B) (clock n).
Proof.
  assert (state : forall n, exists x, latest b n x /\ state_at neg_step (-1) a b n = ostart x).
  { apply (invariant _ _ a b (fun n t => exists x, latest b n x /\ t = ostart x)).
    - exists None. split; [apply latest_initial | reflexivity].
    - intros m t (x & l & ->). eexists. split; [apply latest_next; eauto|]. unfold neg_step; simpl.
      destruct (_ <? _); reflexivity. }
  destruct (state n) as (x & l & e). unfold run. rewrite e. clear e state.
  apply latest_next in l. unfold neg_step; simpl. set (x' := if ostart x <? ostart (b n) then b n else x) in *.
  replace (if ostart x <? ostart (b n) then ostart (b n) else ostart x) with (ostart x')
    by (unfold x'; destruct (_ <? _); reflexivity).
  destruct l as (max & from). destruct (a n) as [s|] eqn:os.
  - destruct (Z.ltb_spec (ostart x') (ostart (Some s))); simpl in *.
    + split; [|split].
      * apply in_neg. split; [exists n; auto|]. intros t (m & o) ? ?. ends. specialize (max m).
        assert (m < S n)%nat by instants. rewrite o in max. simpl in max. lia.
      * ends; lia.
      * intros (s' & i & f & g). apply in_neg in i. destruct i as ((m & o) & _). ends. assert (m = n) by instants. subst m.
        rewrite os in o. inversion o; subst. lia.
    + intros (s' & i & f). apply in_neg in i. destruct i as ((m & o) & no). ends. assert (m = n) by instants. subst m.
      rewrite os in o. inversion o; subst. destruct x' as [t|]; simpl in *; [|pose proof (start_natural s'); lia].
      destruct from as (m & ? & o'). ends. apply (no t); [exists m; auto | lia | instants].
  - cbn [ostart]. destruct (ostart x' <? -1); intros (s' & i & f); apply in_neg in i;
    destruct i as ((m & o) & no); ends; assert (m = n) by instants; subst m; congruence.
Qed.

Theorem lemma53 n : valid (run con_step (None, None) a b n) (con A B) (clock n).
Proof.
  assert (state : forall n, exists l r, latest a n l /\ latest b n r /\ state_at con_step (None, None) a b n = (l, r)).
  { apply (invariant _ _ a b (fun n s => exists l r, latest a n l /\ latest b n r /\ s = (l, r))).
    - exists None, None. repeat split; auto; intros; lia.
    - intros m s (l & r & la & lb & ->). apply latest_next in la, lb. unfold con_step; simpl.
      destruct (_ || _ || _)%bool, (ostart (b m) <=? ostart (a m)); simpl; eauto 6. }
  destruct (state n) as (l & r & la & lb & e). unfold run. rewrite e. clear e state.
  apply latest_next in la, lb. unfold con_step; simpl.
  set (l' := if ostart l <? ostart (a n) then a n else l) in *. set (r' := if ostart r <? ostart (b n) then b n else r) in *.
  destruct la as (amax & afrom), lb as (bmax & bfrom). pose proof (amax n) as an. pose proof (bmax n) as bn.
  assert (uni : forall s, con A B s -> finish s = clock n -> exists x y i j, s = join x y /\ a i = Some x /\ b j = Some y /\
     (i < S n)%nat /\ (j < S n)%nat /\ (i = n \/ j = n)).
  { intros s i f. apply in_con in i. destruct i as (x & y & (i & oi) & (j & oj) & ->). ends. exists x, y, i, j. rewrite finish_join in f.
    repeat split; auto; instants. }
  assert (later : forall s, con A B s -> finish s = clock n -> exists x y, s = join x y /\
     start x <= ostart l' /\ start y <= ostart r' /\ (a n = Some x \/ b n = Some y)).
  { intros s i f. destruct (uni s i f) as (x & y & i' & j' & -> & oi & oj & li & lj & now).
    specialize (amax i' li); specialize (bmax j' lj). rewrite oi in amax; rewrite oj in bmax.
    exists x, y. simpl in *. intuition; subst; auto. }
  specialize (an (le_n _)). specialize (bn (le_n _)). clear uni amax bmax. clearbody l' r'.
  destruct (a n) as [x|] eqn:ox, (b n) as [y|] eqn:oy; destruct l' as [lx|], r' as [rx|]; simpl in *;
    repeat match goal with i : inst |- _ => known i end; try lia; repeat cases;
    try (intros (s & i & f); destruct (later s i f) as (x' & y' & -> & ? & ? & [?|?]);
         pose proof (start_natural x'); pose proof (start_natural y'); congruence || lia).
  all: destruct afrom as (ia & ? & oa), bfrom as (ib & ? & ob); ends.
  all: split; [apply in_con; unfold A, B, outputs; do 2 eexists; eauto | split; [rewrite finish_join; instants|]];
       intros (s & i & f & g); destruct (later s i g) as (x' & y' & -> & ? & ? & [e|e]); try congruence;
       inversion e; subst; rewrite !start_join in f; lia.
Qed.

(* ---- the queue: what latest_before, evict_before and push do to an ordered list (Section 5.3) *)
Definition later (x y : inst) := start x < start y /\ finish x < finish y.
Definition ordered := StronglySorted later.

Lemma position_le q t : (position q t <= length q)%nat.
Proof. induction q; simpl; try destruct (_ <? _); lia. Qed.
Lemma latest_before_spec q t : ordered q -> match latest_before q t with
  | Some e => In e q /\ finish e < t /\ forall e', In e' q -> finish e' < t -> start e' <= start e
  | None => forall e, In e q -> t <= finish e end.
Proof.
  unfold latest_before. induction q as [|x q IH]; simpl; intros o; [contradiction|].
  inversion o as [|? ? o' all]; subst. rewrite Forall_forall in all. specialize (IH o').
  destruct (Z.ltb_spec (finish x) t) as [lt|ge]; simpl.
  - pose proof (position_le q t). destruct (position q t) as [|k]; simpl in *.
    + repeat split; auto. intros e' [<-|i] l; [lia|]. specialize (IH e' i). lia.
    + destruct (nth_error q k) as [e|] eqn:found; simpl in *.
      * destruct IH as (i & l & max). repeat split; auto. intros e' [<-|i'] l'; auto. destruct (all e i). lia.
      * apply nth_error_None in found. lia.
  - intros e [<-|i]; [lia|]. destruct (all e i). lia.
Qed.
Lemma evict_spec q t : ordered q -> ordered (skipn (position q t) q) /\
  forall e, In e (skipn (position q t) q) <-> In e q /\ t <= finish e.
Proof.
  induction q as [|x q IH]; simpl; intros o; [firstorder|].
  inversion o as [|? ? o' all]; subst. rewrite Forall_forall in all. destruct (IH o') as (s & i).
  destruct (Z.ltb_spec (finish x) t); simpl; split; auto; intros e.
  - rewrite i. intuition; subst; lia.
  - split; [intros [<-|j]; auto; destruct (all e j); auto with zarith | tauto].
Qed.
Lemma push_ordered q x : ordered q -> (forall e, In e q -> later e x) -> ordered (q ++ [x]).
Proof.
  induction q as [|y q IH]; simpl; intros o l; [repeat constructor|]. inversion o; subst.
  constructor; [apply IH; auto|]. rewrite Forall_forall in *. intros e i. apply in_app_or in i as [i|[<-|[]]]; auto.
Qed.

(* q holds the useful instances that a has output before n and that end at h or later (Def. 5.5, 5.6) *)
Definition ended (n : nat) (e : inst) := exists m, (m < n)%nat /\ a m = Some e.
Definition kept (n : nat) (h : Z) (q : list inst) : Prop :=
  ordered q /\
  (forall e, In e q -> ended n e /\ h <= finish e /\ forall e', A e' -> finish e' < finish e -> start e' < start e) /\
  (forall e, ended n e -> (exists e', In e' q /\ start e <= start e' /\ finish e' <= finish e) \/
                          (exists e', ended n e' /\ finish e' < h /\ start e <= start e')).
Lemma ended_A n e : ended n e -> A e. Proof. intros (m & _ & o). exists m; auto. Qed.
Lemma ended_before n e : ended n e -> finish e < clock n. Proof. intros (m & ? & o). ends. instants. Qed.
Lemma ended_next n e : ended (S n) e -> ended n e \/ a n = Some e.
Proof. intros (m & l & o). destruct (Nat.eq_dec m n) as [->|]; auto. left. exists m. split; auto. lia. Qed.
Lemma ended_more n e : ended n e -> ended (S n) e. Proof. intros (m & ? & o). exists m; split; auto. Qed.

Lemma kept_initial h : kept 0 h []. Proof. split; [constructor|split]; [contradiction|]. intros e (m & l & _). lia. Qed.
Lemma kept_next n h q x : kept n h q -> latest a n x -> h <= clock n ->
  kept (S n) h (if ostart x <? ostart (a n) then push q (a n) else q).
Proof.
  intros (o & all & cover) (max & from) hn. destruct (Z.ltb_spec (ostart x) (ostart (a n))) as [lt|ge].
  - destruct (a n) as [y|] eqn:oy; simpl in *; [|destruct x; simpl in *; try lia; pose proof (start_natural i); lia].
    assert (new : forall e, ended n e -> later e y).
    { intros e (m & l & oe). specialize (max m l). rewrite oe in max. simpl in max. split; [lia|]. ends. instants. }
    split; [|split].
    + apply push_ordered; auto. intros e i. apply new. apply all; auto.
    + intros e i. apply in_app_or in i as [i|[<-|[]]].
      * destruct (all e i) as (? & ? & ?). split; [apply ended_more; assumption | auto].
      * split; [exists n; auto|]. ends. split; [lia|]. intros e' (m & oe) ?. ends. apply new. exists m. split; auto. instants.
    + intros e i. apply ended_next in i as [i|i].
      * destruct (cover e i) as [(e' & ? & ? & ?)|(e' & ? & ?)]; [left|right]; exists e'; auto using in_or_app, ended_more.
      * left. exists y. rewrite i in oy. inversion oy; subst. split; [apply in_or_app; simpl; auto|lia].
  - split; [|split]; auto.
    + intros e i. destruct (all e i) as (? & ? & ?). split; [apply ended_more; assumption | auto].
    + assert (old : forall e, ended n e -> (exists e', In e' q /\ start e <= start e' /\ finish e' <= finish e) \/
                          (exists e', ended (S n) e' /\ finish e' < h /\ start e <= start e')).
      { intros e i. destruct (cover e i) as [?|(e' & ? & ?)]; auto. right. exists e'. auto using ended_more. }
      intros e i. apply ended_next in i as [i|i]; [auto|]. rewrite i in ge. simpl in ge.
      destruct x as [y|]; simpl in *; [|pose proof (start_natural e); lia]. destruct from as (m & l & oy).
      assert (en : ended n y) by (exists m; auto). pose proof (ended_before _ _ en). ends.
      destruct (old y en) as [(e' & ? & ? & ?)|(e' & ? & ? & ?)]; [left|right]; exists e'; repeat split; auto; lia.
Qed.
Lemma kept_evict n h h' q : kept n h q -> h <= h' -> kept n h' (skipn (position q h') q).
Proof.
  intros (o & all & cover) le. destruct (evict_spec q h' o) as (o' & i'). split; [|split]; auto.
  - intros e i. apply i' in i as (i & ?). destruct (all e i) as (? & ? & ?). auto.
  - intros e i. destruct (cover e i) as [(e' & q' & ? & ?)|(e' & ? & ? & ?)].
    + destruct (Z_lt_le_dec (finish e') h').
      * right. exists e'. destruct (all e' q'). auto.
      * left. exists e'. rewrite i'. auto.
    + right. exists e'. repeat split; auto; lia.
Qed.
(* what is asked of the queue, and of l where the queue has no answer *)
Definition before (n : nat) (h : Z) (x : option inst) : Prop :=
  (forall e, ended n e -> finish e < h -> start e <= ostart x) /\
  match x with Some e => ended n e /\ finish e < h | None => True end.
Lemma kept_found n h q l t : kept n h q -> before n h l -> h <= t ->
  before n t (match latest_before q t with Some e => Some e | None => l end).
Proof.
  intros (o & all & cover) (max & from) le. pose proof (latest_before_spec q t o) as spec.
  destruct (latest_before q t) as [e|].
  - destruct spec as (i & lt & best). destruct (all e i) as (en & ? & rec). split; [|auto].
    intros e0 i0 l0. simpl. destruct (cover e0 i0) as [(e' & i' & ? & ?)|(e' & en' & ? & ?)].
    + specialize (best e' i'). lia.
    + specialize (rec e' (ended_A _ _ en')). lia.
  - split.
    + intros e0 i0 l0. destruct (cover e0 i0) as [(e' & i' & ? & ?)|(e' & en' & ? & ?)].
      * specialize (spec e' i'). lia.
      * specialize (max e' en'). lia.
    + destruct l; auto. destruct from. split; auto; lia.
Qed.

(* the output of a sequence, given what was found *)
Lemma sequence_output n x : (forall y, b n = Some y -> before n (start y) x) ->
  valid (match b n with Some y => match x with Some e => Some (join e y) | None => None end | None => None end)
    (seq A B) (clock n).
Proof.
  intros found.
  assert (uni : forall s, seq A B s -> finish s = clock n -> exists e y, s = join e y /\ b n = Some y /\ ended n e /\ finish e < start y).
  { intros s i f. apply in_seq in i. destruct i as (e & y & (m & oe) & (k & oy) & lt & ->). ends. exists e, y.
    rewrite finish_join in f. pose proof (start_finish y).
    assert (k = n) by instants. subst k. repeat split; auto. exists m. split; auto. instants. }
  destruct (b n) as [y|] eqn:oy; simpl.
  - destruct (found y eq_refl) as (max & from). destruct x as [e|]; simpl.
    + destruct from as (en & lt). split; [|split].
      * apply in_seq. exists e, y. repeat split; auto; [eapply ended_A; eauto | exists n; auto].
      * ends. times.
      * intros (s & i & f & g). destruct (uni s i g) as (e' & y' & -> & oy' & en' & lt'). inversion oy'; subst.
        specialize (max e' en' lt'). simpl in max. rewrite !start_join in f. lia.
    + intros (s & i & f). destruct (uni s i f) as (e' & y' & -> & oy' & en' & lt'). inversion oy'; subst.
      specialize (max e' en' lt'). simpl in max. pose proof (start_natural e'). lia.
  - intros (s & i & f). destruct (uni s i f) as (e' & y' & -> & oy' & _). discriminate.
Qed.

Lemma ostart_ge (x : option inst) : (0 <=? ostart x) = match x with Some _ => true | None => false end.
Proof. destruct x; simpl; auto. apply Z.leb_le. apply start_natural. Qed.
Lemma ostart_lt (x : option inst) : (ostart x <? 0) = match x with Some _ => false | None => true end.
Proof. destruct x; simpl; auto. apply Z.ltb_ge. apply start_natural. Qed.

Theorem lemma55 n : valid (run seq_step (-1, []) a b n) (seq A B) (clock n).
Proof.
  assert (state : forall n, exists x q, latest a n x /\ kept n 0 q /\ state_at seq_step (-1, []) a b n = (ostart x, q)).
  { apply (invariant _ _ a b (fun n s => exists x q, latest a n x /\ kept n 0 q /\ s = (ostart x, q))).
    - exists None, []. split; [apply latest_initial | split; [apply kept_initial | reflexivity]].
    - intros m s (x & q & l & k & ->). exists (if ostart x <? ostart (a m) then a m else x). eexists.
      split; [apply latest_next; auto|]. split; [apply (kept_next m 0 q x); auto; apply clock_ge|].
      unfold seq_step, matched. destruct (ostart x <? ostart (a m)); reflexivity. }
  destruct (state n) as (x & q & l & k & e). unfold run. rewrite e. clear e state.
  pose proof (sequence_output n (match b n with Some y => latest_before q (start y) | None => None end)) as out.
  match goal with |- valid ?r _ _ => replace r with (match b n with Some y => match match b n with Some y => latest_before q (start y) | None => None end with Some e => Some (join e y) | None => None end | None => None end) end.
  - apply out. intros y oy. rewrite oy.
    assert (bf : before n 0 None) by (split; auto; intros e0 _ lt; pose proof (start_natural e0); pose proof (start_finish e0); lia).
    pose proof (kept_found n 0 q None (start y) k bf (start_natural y)) as f. destruct (latest_before q (start y)); auto.
  - unfold seq_step, matched. rewrite ostart_ge. destruct (b n) as [y|]; simpl; rewrite ?ostart_ge;
    destruct (ostart x <? ostart (a n)); simpl; try reflexivity; destruct (latest_before q (start y)); reflexivity.
Qed.

(* One instant of a labelled sequence: the window [h, ...) moves if something occurs (Def. 5.6). *)
Definition moved (ticks : Z) (n : nat) (h : Z) : Z :=
  match a n, b n with None, None => h | _, _ => clock n - ticks end.
Definition current (n : nat) : Z := Z.max (oend (a n)) (oend (b n)).
Lemma moves ticks n h q l : 0 <= ticks -> kept n h q -> before n h l -> h <= clock n - ticks ->
  kept n (moved ticks n h) (fst (evict_before q (current n - ticks))) /\
  before n (moved ticks n h) (if 0 <=? ostart (snd (evict_before q (current n - ticks)))
                              then snd (evict_before q (current n - ticks)) else l) /\
  h <= moved ticks n h <= clock n - ticks.
Proof.
  intros natural k bf le. unfold evict_before; simpl.
  assert (c : (a n = None /\ b n = None) \/ (current n = clock n /\ moved ticks n h = clock n - ticks)).
  { unfold current, moved. destruct (a n) eqn:oa, (b n) eqn:ob; auto; right; simpl; ends; pose proof (clock_ge n); split; lia. }
  destruct c as [(oa & ob)|(-> & ->)].
  - assert (none : position q (current n - ticks) = O).
    { destruct q as [|e q]; auto. unfold current. rewrite oa, ob. cbn [position ostart oend].
      destruct (Z.ltb_spec (finish e) (Z.max (-1) (-1) - ticks)); auto. pose proof (start_natural e). pose proof (start_finish e). lia. }
    unfold latest_before. rewrite none. unfold moved. rewrite oa, ob. simpl. split; [auto|split; [auto|lia]].
  - split; [apply kept_evict with h; auto|]. split; [|lia]. rewrite ostart_ge.
    pose proof (kept_found n h q l (clock n - ticks) k bf le) as f. destruct (latest_before q (clock n - ticks)); exact f.
Qed.
(* newstate: the queue holds what is useful of the window, l the latest started of what ended before it. *)
Lemma newstate ticks : 0 <= ticks -> forall n, exists x q l h, latest a n x /\ kept n h q /\ before n h l /\
  h <= clock n - ticks /\ (forall e, ended n e -> finish e <= h + ticks) /\
  state_at (bseq_step ticks) (-1, [], None) a b n = (ostart x, q, l).
Proof.
  intros natural. apply (invariant _ _ a b (fun n s => exists x q l h, latest a n x /\ kept n h q /\ before n h l /\
    h <= clock n - ticks /\ (forall e, ended n e -> finish e <= h + ticks) /\ s = (ostart x, q, l))).
  - pose proof clock_natural. exists None, [], None, (- ticks). split; [apply latest_initial|]. split; [apply kept_initial|].
    split; [split; auto; intros e (m & l & _); lia|]. split; [lia|]. split; [|reflexivity]. intros e (m & l & _). lia.
  - intros m s (x & q & l & h & la & k & bf & le & top & ->). destruct (moves ticks m h q l natural k bf le) as (k' & bf' & range).
    exists (if ostart x <? ostart (a m) then a m else x). do 2 eexists. exists (moved ticks m h). pose proof (clock_increases m).
    split; [apply latest_next; auto|]. split; [apply (kept_next m _ _ x k' la); lia|]. split; [|split; [lia|split]].
    + instantiate (1 := if 0 <=? ostart (snd (evict_before q (current m - ticks))) then snd (evict_before q (current m - ticks)) else l).
      destruct bf' as (max & from). split.
      * intros e i lt. apply ended_next in i as [i|i]; [auto|]. ends. lia.
      * destruct (if 0 <=? _ then snd _ else l); auto. destruct from. split; auto using ended_more.
    + intros e i. apply ended_next in i as [i|i]; [specialize (top e i); lia|].
      unfold moved. rewrite i. ends. lia.
    + unfold bseq_step, matched. fold (current m). destruct (evict_before q (current m - ticks)) as (q' & ev). simpl.
      destruct (ostart x <? ostart (a m)); reflexivity.
Qed.

Theorem lemma57 ticks n : (forall e, B e -> finish e - start e <= ticks) -> 0 <= ticks ->
  valid (run (bseq_step ticks) (-1, [], None) a b n) (seq A B) (clock n).
Proof.
  intros short natural. destruct (newstate ticks natural n) as (x & q & l & h & la & k & bf & le & _ & e).
  unfold run. rewrite e. clear e. destruct (moves ticks n h q l natural k bf le) as (k' & bf' & range).
  unfold bseq_step, matched. fold (current n).
  destruct (evict_before q (current n - ticks)) as (q' & ev); simpl in *. set (l' := if 0 <=? ostart ev then ev else l) in *.
  pose proof (sequence_output n (match b n with Some y => match latest_before q' (start y) with Some e => Some e | None => l' end | None => None end)) as out.
  match goal with |- valid ?r _ _ => replace r with (match b n with Some y => match match b n with Some y => match latest_before q' (start y) with Some e => Some e | None => l' end | None => None end with Some e => Some (join e y) | None => None end | None => None end) end.
  - apply out. intros y oy. rewrite oy. apply (kept_found n (moved ticks n h)); auto.
    unfold moved. rewrite oy. assert (by' : B y) by (exists n; auto). specialize (short y by'). ends. destruct (a n); lia.
  - fold l'. clearbody l'. rewrite ostart_ge. destruct (b n) as [y|]; destruct (ostart x <? ostart (a n)); simpl;
    try destruct (latest_before q' (start y)); simpl; rewrite ?ostart_lt, ?ostart_ge; destruct l'; simpl;
    rewrite ?ostart_lt, ?ostart_ge, ?(proj2 (Z.leb_le _ _) (start_natural _)), ?(proj2 (Z.ltb_ge _ _) (start_natural _)); reflexivity.
Qed.

(* memory:5.2.figure4: the ends in the queue differ and lie within the window of ticks + 1 times. *)
Lemma few q lo hi : ordered q -> (forall e, In e q -> lo <= finish e <= hi) -> lo <= hi + 1 -> Z.of_nat (length q) <= hi - lo + 1.
Proof.
  revert lo. induction q as [|x q IH]; intros lo o all le; simpl length; [lia|].
  inversion o as [|? ? o' later']; subst. rewrite Forall_forall in later'. pose proof (all x (or_introl eq_refl)).
  specialize (IH (finish x + 1) o'). assert (Z.of_nat (length q) <= hi - (finish x + 1) + 1); [|lia].
  apply IH; [|lia]. intros e i. destruct (later' e i). specialize (all e (or_intror i)). lia.
Qed.
Theorem memory_figure4 ticks n : 0 <= ticks ->
  let '(_, q, _) := state_at (bseq_step ticks) (-1, [], None) a b n in Z.of_nat (length q) <= ticks + 1.
Proof.
  intros natural. destruct (newstate ticks natural n) as (x & q & l & h & _ & (o & all & _) & _ & _ & top & ->).
  replace (ticks + 1) with (h + ticks - h + 1) by lia. apply few; auto; [|lia].
  intros e i. destruct (all e i) as (en & ? & _). specialize (top e en). lia.
Qed.
(* memory:5.2.figure2: without a label each event of an event type on the left stays. *)
Theorem memory_figure2 : (forall n e, a n = Some e -> start e = clock n) -> (forall n, a n <> None) ->
  forall n, length (snd (state_at seq_step (-1, []) a b n)) = n.
Proof.
  intros point always n.
  assert (s : forall n, length (snd (state_at seq_step (-1, []) a b n)) = n /\ forall m, (n <= m)%nat -> fst (state_at seq_step (-1, []) a b n) < clock m).
  { clear n. induction n as [|n (len & less)]; simpl; [split; auto; intros m _; pose proof (clock_ge m); lia|].
    destruct (state_at seq_step (-1, []) a b n) as (t & q); simpl in *. specialize (less n (le_n n)) as lt.
    destruct (a n) as [e|] eqn:o; [|destruct (always n o)]. pose proof (point n e o) as st.
    unfold seq_step, matched. cbn [ostart]. rewrite st, (proj2 (Z.ltb_lt _ _) lt). simpl. rewrite app_length. simpl. split; [lia|].
    intros m l. instants. }
  apply s.
Qed.
End Operands.
End Steps.
