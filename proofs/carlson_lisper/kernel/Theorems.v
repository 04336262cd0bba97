(* Theorem 5.1, Lemma 6.1, Theorem 6.1, and the detector of Figure 4 as a whole. *)
From Coq Require Import ZArith Lia List Bool Setoid.
From Remora Require Export Detector.
Import ListNotations.
Local Open Scope Z_scope.

Section Whole. Context `{Instances} `{Clock}.
Definition interpretation := ident -> nat -> option inst.
Definition admissible (I : interpretation) : Prop :=
  forall p n e, I p n = Some e -> start e = clock n /\ finish e = clock n.

Fixpoint meaning (I : interpretation) (e : expr) : stream :=
  match e with
  | Ev p => outputs (I p) | Dis a b => dis (meaning I a) (meaning I b) | Con a b => con (meaning I a) (meaning I b)
  | Neg a b => neg (meaning I a) (meaning I b) | Seq _ a b => seq (meaning I a) (meaning I b)
  | Tim a t => tim (meaning I a) t
  end.
Fixpoint detect (I : interpretation) (e : expr) : output :=
  match e with
  | Ev p => I p
  | Dis a b => run dis_step tt (detect I a) (detect I b)
  | Con a b => run con_step (None, None) (detect I a) (detect I b)
  | Neg a b => run neg_step (-1) (detect I a) (detect I b)
  | Seq (Some (Fin t)) a b => run (bseq_step t) (-1, [], None) (detect I a) (detect I b)
  | Seq _ a b => run seq_step (-1, []) (detect I a) (detect I b)
  | Tim a t => run (tim_step t) tt (detect I a) (detect I a)
  end.
(* bounds are times, and labels are what their right operands respect *)
Fixpoint well_labelled (e : expr) : Prop :=
  match e with
  | Ev _ => True
  | Dis a b | Con a b | Neg a b => well_labelled a /\ well_labelled b
  | Seq l a b => well_labelled a /\ well_labelled b /\ match l with
      Some (Fin t) => 0 <= t /\ forall I e, admissible I -> meaning I b e -> finish e - start e <= t | _ => True end
  | Tim a t => 0 <= t /\ well_labelled a
  end.

(* what the operators make of instances that end at instants ends at instants *)
Lemma at_output a : timely a -> at_instants (outputs a).
Proof. intros t e (n & o). exists n. apply t; auto. Qed.
Lemma at_dis S T : at_instants S -> at_instants T -> at_instants (dis S T).
Proof. intros s t e i. apply in_dis in i as [i|i]; auto. Qed.
Lemma at_join (S T U : stream) : at_instants S -> at_instants T ->
  (forall e, U e -> exists x y, S x /\ T y /\ e = join x y) -> at_instants U.
Proof.
  intros s t u e i. destruct (u e i) as (x & y & ix & iy & ->). destruct (s x ix) as (m & fx), (t y iy) as (n & fy).
  rewrite finish_join. destruct (Z.max_spec (finish x) (finish y)) as [(_ & ->)|(_ & ->)]; eauto.
Qed.
Lemma at_con S T : at_instants S -> at_instants T -> at_instants (con S T).
Proof. intros s t. apply (at_join S T); auto. intros e i. apply in_con in i as (x & y & ? & ? & ->). eauto. Qed.
Lemma at_seq S T : at_instants S -> at_instants T -> at_instants (seq S T).
Proof. intros s t. apply (at_join S T); auto. intros e i. apply in_seq in i as (x & y & ? & ? & _ & ->). eauto. Qed.
Lemma at_neg S T : at_instants S -> at_instants (neg S T).
Proof. intros s e i. apply in_neg in i as (i & _). auto. Qed.
Lemma at_tim S t : at_instants S -> at_instants (tim S t).
Proof. intros s e i. apply in_tim in i as (i & _). auto. Qed.

Ltac detected := apply lemma51; auto using at_output, at_dis, at_con, at_seq, at_neg, at_tim.
(* Theorem 5.1 for any steps each of which is right: what they output is valid for what their operands have output. *)
Record right_steps (dis' con' neg' : output -> output -> output) (seq' : option label -> output -> output -> output)
    (tim' : Z -> output -> output) : Prop := {
  right_dis : forall a b, timely a -> timely b -> forall n, valid (dis' a b n) (dis (outputs a) (outputs b)) (clock n);
  right_con : forall a b, timely a -> timely b -> forall n, valid (con' a b n) (con (outputs a) (outputs b)) (clock n);
  right_neg : forall a b, timely a -> timely b -> forall n, valid (neg' a b n) (neg (outputs a) (outputs b)) (clock n);
  right_seq : forall l a b, timely a -> timely b ->
    match l with Some (Fin t) => 0 <= t /\ forall x, outputs b x -> finish x - start x <= t | _ => True end ->
    forall n, valid (seq' l a b n) (seq (outputs a) (outputs b)) (clock n);
  right_tim : forall a t, timely a -> 0 <= t -> forall n, valid (tim' t a n) (tim (outputs a) t) (clock n) }.
Section AnySteps. Variables (dis' con' neg' : output -> output -> output) (seq' : option label -> output -> output -> output)
  (tim' : Z -> output -> output).
Fixpoint detect_by (I : interpretation) (e : expr) : output :=
  match e with
  | Ev p => I p
  | Dis a b => dis' (detect_by I a) (detect_by I b) | Con a b => con' (detect_by I a) (detect_by I b)
  | Neg a b => neg' (detect_by I a) (detect_by I b) | Seq l a b => seq' l (detect_by I a) (detect_by I b)
  | Tim a t => tim' t (detect_by I a)
  end.
Theorem theorem51_any I e : right_steps dis' con' neg' seq' tim' -> admissible I -> well_labelled e ->
  rem (meaning I e) (outputs (detect_by I e)).
Proof.
  intros right adm. assert (all : forall e, well_labelled e -> timely (detect_by I e) /\ rem (meaning I e) (outputs (detect_by I e)));
    [|apply all].
  induction e0 as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa t]; simpl; intros w.
  - split; [intros n x o; apply adm in o; tauto|]. split; [|split].
    + intros s i. exact i.
    + intros s i. exists s. repeat split; auto; lia.
    + intros s (n & o) s' (n' & o') f. pose proof (adm _ _ _ o). pose proof (adm _ _ _ o'). assert (n = n') by instants. congruence.
  - destruct w as (wa & wb), (IHa wa) as (ta & ra), (IHb wb) as (tb & rb). pose proof (right_dis _ _ _ _ _ right _ _ ta tb) as v.
    split; [eapply valid_timely; eauto|]. eapply theorem46_dis; eauto; detected.
  - destruct w as (wa & wb), (IHa wa) as (ta & ra), (IHb wb) as (tb & rb). pose proof (right_con _ _ _ _ _ right _ _ ta tb) as v.
    split; [eapply valid_timely; eauto|]. eapply theorem46_con; eauto; detected.
  - destruct w as (wa & wb), (IHa wa) as (ta & ra), (IHb wb) as (tb & rb). pose proof (right_neg _ _ _ _ _ right _ _ ta tb) as v.
    split; [eapply valid_timely; eauto|]. eapply theorem46_neg; eauto; detected.
  - destruct w as (wa & wb & wl), (IHa wa) as (ta & ra), (IHb wb) as (tb & rb).
    assert (short : match l with Some (Fin t) => 0 <= t /\ forall x, outputs (detect_by I b) x -> finish x - start x <= t | _ => True end).
    { destruct l as [[t|]|]; auto. destruct wl as (nat & s). split; auto. intros x o. apply (s I); auto. apply rb; auto. }
    pose proof (right_seq _ _ _ _ _ right l _ _ ta tb short) as v.
    split; [eapply valid_timely; eauto|]. eapply theorem46_seq; eauto; detected.
  - destruct w as (nat & wa), (IHa wa) as (ta & ra). pose proof (right_tim _ _ _ _ _ right _ t ta nat) as v.
    split; [eapply valid_timely; eauto|]. eapply theorem46_tim; eauto; detected.
Qed.
End AnySteps.

Definition run_seq (l : option label) : output -> output -> output :=
  match l with Some (Fin t) => run (bseq_step t) (-1, [], None) | _ => run seq_step (-1, []) end.
Lemma steps_are_right : right_steps (run dis_step tt) (run con_step (None, None)) (run neg_step (-1)) run_seq
  (fun t a => run (tim_step t) tt a a).
Proof.
  split; intros; auto using lemma52, lemma53, lemma54, lemma56.
  destruct l as [[t|]|]; simpl; auto using lemma55. apply lemma57; tauto.
Qed.
Lemma detect_is I e : detect I e = detect_by (run dis_step tt) (run con_step (None, None)) (run neg_step (-1)) run_seq
  (fun t a => run (tim_step t) tt a a) I e.
Proof. induction e as [| | | |[[t|]|]|]; simpl; congruence. Qed.
Theorem theorem51 I e : admissible I -> well_labelled e -> rem (meaning I e) (outputs (detect I e)).
Proof. rewrite detect_is. apply theorem51_any, steps_are_right. Qed.

(* ---- Section 6 *)
Definition within (l : label) (S : stream) : stream := fun e => S e /\ match l with Fin t => finish e - start e <= t | Inf => True end.
Definition natural (l : label) := match l with Fin t => 0 <= t | Inf => True end.
Fixpoint bounds_natural (e : expr) : Prop :=
  match e with Ev _ => True | Dis a b | Con a b | Neg a b | Seq _ a b => bounds_natural a /\ bounds_natural b
             | Tim a t => 0 <= t /\ bounds_natural a end.
Lemma lleb_spec a b : lleb a b = true -> forall S e, within a S e -> within b S e.
Proof. unfold within. destruct a, b; simpl; intros c S e (i & l); try discriminate; split; auto. apply Z.leb_le in c. lia. Qed.
Lemma lleb_total a b : lleb a b = false -> lleb b a = true.
Proof. destruct a, b; simpl; auto. intros c. apply Z.leb_gt in c. apply Z.leb_le. lia. Qed.
Lemma lmin_spec a b S e : within (lmin a b) S e <-> within a S e /\ within b S e.
Proof. unfold lmin. destruct (lleb a b) eqn:c; split; intros; try tauto; split; auto.
  - eapply lleb_spec; eauto. - eapply lleb_spec; eauto using lleb_total. Qed.
Lemma lmax_left a b S e : within a S e -> within (lmax a b) S e.
Proof. unfold lmax. destruct (lleb a b) eqn:c; auto. apply lleb_spec; auto. Qed.
Lemma lmax_right a b S e : within b S e -> within (lmax a b) S e.
Proof. unfold lmax. destruct (lleb a b) eqn:c; auto. apply lleb_spec, lleb_total; auto. Qed.
Lemma natural_min a b : natural a -> natural b -> natural (lmin a b). Proof. unfold lmin. destruct (lleb a b); auto. Qed.
Lemma natural_max a b : natural a -> natural b -> natural (lmax a b). Proof. unfold lmax. destruct (lleb a b); auto. Qed.
Lemma meaning_restricted I e l x : meaning I (restricted e l) x <-> within l (meaning I e) x.
Proof. unfold within. destruct l; simpl; [apply in_tim | tauto]. Qed.
(* what is in an instance is no longer than it *)
Lemma shorter (S T : stream) l x y : within l S y -> start y <= start x -> finish x <= finish y -> T x -> within l T x.
Proof. unfold within. destruct l; intros; split; auto; lia. Qed.
Lemma within_in (S : stream) l x : within l S x -> S x. Proof. intros (i & _); auto. Qed.
Lemma within_as (S T : stream) l x : within l S x -> T x -> within l T x. Proof. unfold within. tauto. Qed.

Ltac part y := lazymatch goal with w : within ?l _ (join ?s ?t) |- within ?l _ y => apply (shorter _ _ _ _ _ w); [times | times | auto] end.
Theorem lemma61 e : bounds_natural e -> forall limit, natural limit -> forall I, admissible I ->
  let '(e', bound) := transform e limit in
  natural bound /\ same (within limit (meaning I e)) (within limit (meaning I e')) /\
  (forall x, meaning I e' x -> within bound (meaning I e') x).
Proof.
  induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa own]; intros bn limit nl I adm; simpl in *.
  - split; [simpl; lia|]. split; [intro; tauto|]. intros x i. split; auto. destruct i as (n & o). apply adm in o. lia.
  - destruct bn as (bna & bnb). specialize (IHa bna limit nl I adm). specialize (IHb bnb limit nl I adm).
    destruct (transform a limit) as (a' & la), (transform b limit) as (b' & lb).
    destruct IHa as (na & sa & ba), IHb as (nb & sb & bb). split; [apply natural_max; auto|]. split.
    + intros x. specialize (sa x). specialize (sb x). unfold within in *. simpl. rewrite !in_dis. tauto.
    + simpl. intros x i. apply in_dis in i as j. destruct j as [j|j].
      * apply (within_as (meaning I a')); auto. apply lmax_left. auto.
      * apply (within_as (meaning I b')); auto. apply lmax_right. auto.
  - destruct bn as (bna & bnb). specialize (IHa bna limit nl I adm). specialize (IHb bnb limit nl I adm).
    destruct (transform a limit) as (a' & la), (transform b limit) as (b' & lb).
    destruct IHa as (na & sa & ba), IHb as (nb & sb & bb). split; [exact Logic.I|]. split; [|intros; split; auto].
    simpl. intros x. split; intros w; pose proof (within_in _ _ _ w) as i; apply in_con in i; destruct i as (s & t & is & it & ->);
      apply (within_as _ _ _ _ w), in_con; exists s, t; repeat split; auto.
    + apply within_in with limit, sa. part s.
    + apply within_in with limit, sb. part t.
    + apply within_in with limit, sa. part s.
    + apply within_in with limit, sb. part t.
  - destruct bn as (bna & bnb). specialize (IHa bna limit nl I adm).
    destruct (transform a limit) as (a' & la). destruct IHa as (na & sa & ba).
    specialize (IHb bnb (lmin la limit) (natural_min _ _ na nl) I adm).
    destruct (transform b (lmin la limit)) as (b' & lb). destruct IHb as (nb & sb & bb). split; auto.
    split; [|intros x i; simpl in *; apply in_neg in i as j; apply (within_as (meaning I a')); [apply ba; tauto | auto]].
    assert (inside : forall x, within limit (meaning I a') x -> forall y, start x <= start y -> finish y <= finish x ->
      (meaning I b y <-> meaning I b' y)).
    { intros x w y ? ?. assert (small : forall S : stream, S y -> within (lmin la limit) S y).
      { intros S i. apply lmin_spec. split; [apply (shorter (meaning I a') S la y x) | apply (shorter (meaning I a') S limit y x)]; auto.
        apply ba. apply within_in in w. auto. }
      specialize (sb y). split; intros i; apply within_in with (lmin la limit); apply sb; auto. }
    simpl. intros x. split; intros w; pose proof (within_in _ _ _ w) as i; apply in_neg in i; destruct i as (i & no);
      apply (within_as _ _ _ _ w), in_neg.
    + assert (w' : within limit (meaning I a') x) by (apply sa, (within_as _ _ _ _ w); auto).
      split; [eapply within_in; eauto|]. intros t it ? ?. apply (no t); auto. apply (inside x w'); auto.
    + assert (w' : within limit (meaning I a') x) by (apply (within_as _ _ _ _ w); auto).
      split; [apply within_in with limit, sa; auto|]. intros t it ? ?. apply (no t); auto. apply (inside x w'); auto.
  - destruct bn as (bna & bnb). specialize (IHa bna limit nl I adm). specialize (IHb bnb limit nl I adm).
    destruct (transform a limit) as (a' & la), (transform b limit) as (b' & lb).
    destruct IHa as (na & sa & ba), IHb as (nb & sb & bb).
    assert (main : forall B : stream, same (within limit B) (within limit (meaning I b')) ->
      same (within limit (seq (meaning I a) (meaning I b))) (within limit (seq (meaning I a') B))).
    { intros B sB x. split; intros w; pose proof (within_in _ _ _ w) as i; apply in_seq in i; destruct i as (s & t & is & it & lt & ->);
        apply (within_as _ _ _ _ w), in_seq; exists s, t; repeat split; auto.
      + apply within_in with limit, sa. part s.
      + apply within_in with limit, sB, sb. part t.
      + apply within_in with limit, sa. part s.
      + apply within_in with limit, sb, sB. part t. }
    destruct (lleb lb limit); (split; [exact Logic.I|]; split; [apply main | intros; split; auto]).
    + intro; tauto.
    + intros x. split; intros w.
      * apply (meaning_restricted I b' limit), (within_in _ _ _ w).
      * apply (within_as _ _ _ _ w), meaning_restricted; auto.
  - destruct bn as (no & bna). specialize (IHa bna (lmin limit (Fin own)) (natural_min limit (Fin own) nl no) I adm).
    destruct (transform a (lmin limit (Fin own))) as (a' & la). destruct IHa as (na & sa & ba).
    assert (twice : forall x, within limit (tim (meaning I a) own) x <-> within (lmin limit (Fin own)) (meaning I a) x).
    { intros x. rewrite lmin_spec. unfold within. rewrite in_tim. tauto. }
    destruct (lleb la (lmin limit (Fin own))) eqn:c.
    + split; auto. split; auto. intros x. rewrite twice, (sa x), lmin_spec. split; [tauto|]. intros w. split; auto.
      apply within_in in w as i. apply ba in i. apply (lleb_spec _ _ c) in i. apply lmin_spec in i. tauto.
    + split; [apply natural_min; auto|]. split.
      * intros x. rewrite twice, (sa x). split; intros w.
        -- apply (within_as (meaning I a')); [apply lmin_spec in w; tauto | apply meaning_restricted; auto].
        -- apply within_in in w. apply meaning_restricted in w. auto.
      * intros x i. apply meaning_restricted in i as w. apply (within_as _ _ _ _ w). auto.
Qed.

Definition nothing : interpretation := fun _ _ => None.
Lemma none : admissible nothing. Proof. intros p n e o. discriminate. Qed.
Lemma transform_labels e : bounds_natural e -> forall limit, natural limit -> well_labelled (fst (transform e limit)).
Proof.
  assert (wr : forall e l, natural l -> well_labelled e -> well_labelled (restricted e l)) by (destruct l; simpl; auto).
  assert (wl : forall a b l, natural l -> well_labelled a -> well_labelled b ->
     (forall I e, admissible I -> meaning I b e -> within l (meaning I b) e) -> well_labelled (Seq (Some l) a b)).
  { intros a b l nl wa wb short. simpl. repeat split; auto. destruct l; auto. split; auto.
    intros I x adm i. apply (short I x adm i). }
  induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa own]; intros bn limit nl; simpl in *; auto.
  1,2,4: destruct bn as (bna & bnb); specialize (IHa bna limit nl); specialize (IHb bnb limit nl);
    pose proof (lemma61 b bnb limit nl) as l61;
    destruct (transform a limit) as (a' & la), (transform b limit) as (b' & lb); simpl in *; auto.
  - destruct (l61 nothing none) as (nb & _). destruct (lleb lb limit); simpl fst; apply wl; auto.
    + intros I x adm. apply (l61 I adm).
    + intros I x adm i. split; auto. apply meaning_restricted in i. apply i.
  - destruct bn as (bna & bnb). pose proof (lemma61 a bna limit nl nothing none) as l61. specialize (IHa bna limit nl).
    destruct (transform a limit) as (a' & la). destruct l61 as (na & _).
    specialize (IHb bnb (lmin la limit) (natural_min _ _ na nl)). destruct (transform b _). simpl in *. auto.
  - destruct bn as (no & bna). specialize (IHa bna _ (natural_min limit (Fin own) nl no)).
    destruct (transform a _) as (a' & la). destruct (lleb la _); simpl in *; auto. apply wr; auto. apply natural_min; auto.
Qed.

Theorem theorem61 e : bounds_natural e -> let e' := fst (transform e Inf) in
  well_labelled e' /\ forall I, admissible I -> same (meaning I e) (meaning I e').
Proof.
  intros bn. split; [apply transform_labels; simpl; auto|]. intros I adm x.
  pose proof (lemma61 e bn Inf Logic.I I adm) as l. destruct (transform e Inf) as (e' & b). destruct l as (_ & s & _).
  specialize (s x). unfold within in s. simpl. tauto.
Qed.

(* memory:6.figure4: the detector of Figure 4 for any expression *)
Theorem figure4 e I : bounds_natural e -> admissible I -> rem (meaning I e) (outputs (detect I (fst (transform e Inf)))).
Proof.
  intros bn adm. destruct (theorem61 e bn) as (wl & s). apply (rem_same (meaning I (fst (transform e Inf)))).
  - intros x. symmetry. apply s; auto.
  - apply theorem51; auto.
Qed.

(* The detector whose steps, initial states and transformation are those of the code. *)
Fixpoint detected (I : interpretation) (e : expr) : output :=
  match e with
  | Ev p => I p
  | Dis a b => run dis_code dis_initial (detected I a) (detected I b)
  | Con a b => run con_code con_initial (detected I a) (detected I b)
  | Neg a b => run neg_code neg_initial (detected I a) (detected I b)
  | Seq (Some (Fin t)) a b => run (bounded_seq_code t) bounded_seq_initial (detected I a) (detected I b)
  | Seq _ a b => run seq_code seq_initial (detected I a) (detected I b)
  | Tim a t => run (tim_code t) tim_initial (detected I a) (detected I a)
  end.
Lemma run_same {state : Type} (f g : state -> option inst -> option inst -> state * option inst) i (a a' b b' : output) :
  (forall s x y, f s x y = g s x y) -> (forall n, a n = a' n) -> (forall n, b n = b' n) -> forall n, run f i a b n = run g i a' b' n.
Proof.
  intros fg aa bb n. unfold run. assert (s : state_at f i a b n = state_at g i a' b' n).
  { induction n as [|n IH]; simpl; auto. rewrite IH, aa, bb, fg. reflexivity. }
  rewrite s, aa, bb, fg. reflexivity.
Qed.
Lemma detected_same I e n : detected I e n = detect I e n.
Proof.
  revert n. induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa t]; simpl; auto; intros n.
  - apply run_same; auto using dis_runs.
  - apply run_same; auto using con_runs.
  - apply run_same; auto using neg_runs.
  - destruct l as [[t|]|]; apply run_same; auto using bseq_runs, seq_runs.
  - apply run_same; auto using tim_runs.
Qed.
Theorem figure4_code e I : bounds_natural e -> admissible I -> rem (meaning I e) (outputs (detected I (fst (transformed e Inf)))).
Proof.
  intros bn adm. rewrite transform_runs. pose proof (figure4 e I bn adm) as r. set (e' := fst (transform e Inf)) in *.
  assert (s : forall x, outputs (detected I e') x <-> outputs (detect I e') x)
    by (intros x; unfold outputs; setoid_rewrite detected_same; tauto).
  destruct r as (r1 & r2 & r3). split; [|split].
  - intros x i. apply r1, s, i.
  - intros x i. destruct (r2 x i) as (y & j & ?). exists y. split; auto. apply s, j.
  - intros x i y j. apply r3; apply s; auto.
Qed.

(* Times at which nothing occurs may be skipped: the steps leave their state as it is and output nothing. *)
Theorem skipped : (snd (dis_step tt None None) = None) /\
  (forall l r, con_step (l, r) None None = ((l, r), None)) /\ (forall t, -1 <= t -> neg_step t None None = (t, None)) /\
  (forall t q, -1 <= t -> seq_step (t, q) None None = ((t, q), None)) /\
  (forall ticks t q l, 0 <= ticks -> -1 <= t -> bseq_step ticks (t, q, l) None None = ((t, q, l), None)) /\
  (forall ticks, tim_step ticks tt None None = (tt, None)).
Proof.
  assert (some : forall x, (ostart x <? -1) = false).
  { intros [i|]; simpl; auto. apply Z.ltb_ge. pose proof (start_natural i). lia. }
  assert (time : forall t, -1 <= t -> (t <? -1) = false) by (intros; apply Z.ltb_ge; auto).
  repeat split; intros.
  - unfold con_step. cbn [ostart]. rewrite !some. destruct (ostart l <? 0), (ostart r <? 0); reflexivity.
  - unfold neg_step. cbn [ostart]. rewrite time by auto. destruct (t <? -1); reflexivity.
  - unfold seq_step, matched. cbn [ostart]. rewrite time by auto. reflexivity.
  - unfold bseq_step, matched. cbn [ostart oend].
    assert (stays : position q (Z.max (-1) (-1) - ticks) = O).
    { destruct q as [|i q]; auto. cbn [position]. rewrite (proj2 (Z.ltb_ge (finish i) _)); auto.
      pose proof (start_natural i). pose proof (start_finish i). lia. }
    unfold evict_before, latest_before. rewrite stays. cbn [skipn ostart]. rewrite (time t) by auto. reflexivity.
  - unfold tim_step. cbn [oend ostart]. destruct (_ <=? _); reflexivity.
Qed.
End Whole.

