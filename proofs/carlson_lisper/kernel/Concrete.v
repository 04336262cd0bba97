(* Instances are finite sets of occurrences (Def. 3.3, 3.7, 3.8): the assumptions of Instances.v hold of them. *)
From Coq Require Import ZArith Lia Bool Morphisms Orders OrdersEx MSetList Eqdep_dec List SetoidList.
From Remora Require Import Theorems.
Local Open Scope Z_scope.

Module Number <: OrderedType.   (* what sets of numbers need, and no more, so that it can be extracted *)
  Definition t := nat.
  Definition eq := @eq nat.
  Definition eq_equiv : Equivalence eq := eq_equivalence.
  Definition lt := Nat.lt.
  Definition lt_strorder : StrictOrder lt := PeanoNat.Nat.lt_strorder.
  Definition lt_compat : Proper (eq ==> eq ==> iff) lt := PeanoNat.Nat.lt_wd.
  Definition compare := Nat.compare.
  Definition compare_spec := PeanoNat.Nat.compare_spec.
  Definition eq_dec := PeanoNat.Nat.eq_dec.
End Number.
Module Occurrence <: OrderedTypeWithLeibniz.   (* (time, (event type, value)) *)
  Module Rest := PairOrderedType Number Number.
  Include PairOrderedType Number Rest.
  Lemma eq_leibniz x y : eq x y -> x = y.
  Proof. destruct x as (t & i & v), y as (t' & i' & v'). intros (a & b & c). compute in a, b, c. congruence. Qed.
End Occurrence.
Module Sets := MSetList.MakeWithLeibniz Occurrence.

Definition finite := { s : Sets.t | Sets.is_empty s = false }.
Definition first (s : finite) := match Sets.min_elt (proj1_sig s) with Some (t, _) => t | None => O end.
Definition last (s : finite) := match Sets.max_elt (proj1_sig s) with Some (t, _) => t | None => O end.
Lemma some_in s : Sets.is_empty s = false -> exists x, Sets.In x s.
Proof.
  intros e. destruct (Sets.choose s) as [x|] eqn:c; [exists x; apply Sets.choose_spec1; auto|].
  apply Sets.choose_spec2, Sets.is_empty_spec in c. congruence.
Qed.
Lemma lt_fst x y : ~ Occurrence.lt x y -> (fst y <= fst x)%nat.
Proof. unfold Occurrence.lt, RelationPairs.RelCompFun, Number.lt. cbn. intros n. destruct (Nat.lt_ge_cases (fst x) (fst y)); auto. exfalso; apply n; left; auto. Qed.
Lemma first_spec s : (exists x, Sets.In x (proj1_sig s) /\ fst x = first s) /\ forall x, Sets.In x (proj1_sig s) -> (first s <= fst x)%nat.
Proof.
  unfold first. destruct (Sets.min_elt (proj1_sig s)) as [(t & r)|] eqn:m.
  - split; [exists (t, r); split; auto; apply Sets.min_elt_spec1; auto|]. intros x i.
    apply (lt_fst x (t, r)). apply (Sets.min_elt_spec2 m); auto.
  - destruct s as (s & e). destruct (some_in s e) as (x & i). destruct (Sets.min_elt_spec3 m i).
Qed.
Lemma last_spec s : (exists x, Sets.In x (proj1_sig s) /\ fst x = last s) /\ forall x, Sets.In x (proj1_sig s) -> (fst x <= last s)%nat.
Proof.
  unfold last. destruct (Sets.max_elt (proj1_sig s)) as [(t & r)|] eqn:m.
  - split; [exists (t, r); split; auto; apply Sets.max_elt_spec1; auto|]. intros x i.
    apply (lt_fst (t, r) x). apply (Sets.max_elt_spec2 m); auto.
  - destruct s as (s & e). destruct (some_in s e) as (x & i). destruct (Sets.max_elt_spec3 m i).
Qed.
Program Definition union (x y : finite) : finite := Sets.union (proj1_sig x) (proj1_sig y).
Next Obligation.
  destruct x as (s & e), y as (s' & e'); simpl. apply not_true_iff_false. intro n. apply Sets.is_empty_spec in n.
  destruct (some_in s e) as (x & i). apply (n x), Sets.union_spec. auto.
Qed.
Lemma same_set (x y : finite) : (forall o, Sets.In o (proj1_sig x) <-> Sets.In o (proj1_sig y)) -> x = y.
Proof.
  intros e. destruct x as (s & p), y as (s' & p'). simpl in e. apply Sets.eq_leibniz in e. subst. f_equal. apply UIP_dec, bool_dec.
Qed.
Ltac sets := apply same_set; intros; simpl; rewrite ?Sets.union_spec; tauto.
Lemma first_union x y : first (union x y) = Nat.min (first x) (first y).
Proof.
  destruct (first_spec x) as ((a & ia & fa) & la), (first_spec y) as ((b & ib & fb) & lb), (first_spec (union x y)) as ((c & ic & fc) & lc).
  assert (Sets.In a (proj1_sig (union x y))) as ua by (apply Sets.union_spec; auto).
  assert (Sets.In b (proj1_sig (union x y))) as ub by (apply Sets.union_spec; auto).
  apply lc in ua, ub. apply Sets.union_spec in ic as [ic|ic]; [apply la in ic | apply lb in ic]; lia.
Qed.
Lemma last_union x y : last (union x y) = Nat.max (last x) (last y).
Proof.
  destruct (last_spec x) as ((a & ia & fa) & la), (last_spec y) as ((b & ib & fb) & lb), (last_spec (union x y)) as ((c & ic & fc) & lc).
  assert (Sets.In a (proj1_sig (union x y))) as ua by (apply Sets.union_spec; auto).
  assert (Sets.In b (proj1_sig (union x y))) as ub by (apply Sets.union_spec; auto).
  apply lc in ua, ub. apply Sets.union_spec in ic as [ic|ic]; [apply la in ic | apply lb in ic]; lia.
Qed.
#[global] Program Instance concrete : Instances := {
  inst := finite; start := fun x => Z.of_nat (first x); finish := fun x => Z.of_nat (last x); join := union }.
Next Obligation. lia. Qed.
Next Obligation. destruct (first_spec x) as ((o & i & <-) & _), (last_spec x) as (_ & l). specialize (l o i). lia. Qed.
Next Obligation. rewrite first_union. lia. Qed.
Next Obligation. rewrite last_union. lia. Qed.
Next Obligation. sets. Qed.
Next Obligation. sets. Qed.
Next Obligation. sets. Qed.

(* memory:5.2.instance: an instance has at most as many occurrences as its expression has identifiers. *)
Fixpoint identifiers (e : expr) : nat :=
  match e with Ev _ => 1 | Dis a b | Con a b | Neg a b | Seq _ a b => identifiers a + identifiers b | Tim a _ => identifiers a end.
Fixpoint subexpressions (e : expr) : nat :=
  match e with Ev _ => 1 | Dis a b | Con a b | Neg a b | Seq _ a b => S (subexpressions a + subexpressions b) | Tim a _ => S (subexpressions a) end.
Lemma half_are_identifiers e : (2 * identifiers e <= subexpressions e + 1)%nat.
Proof. induction e; cbn [identifiers subexpressions]; lia. Qed.
Definition size (x : finite) := Sets.cardinal (proj1_sig x).
Lemma size_union x y : (size (union x y) <= size x + size y)%nat.
Proof.
  unfold size. simpl. rewrite !Sets.cardinal_spec, <- app_length. apply NoDup_incl_length.
  - pose proof (Sets.elements_spec2w (Sets.union (proj1_sig x) (proj1_sig y))) as n. revert n. generalize (Sets.elements (Sets.union (proj1_sig x) (proj1_sig y))).
    intros l. induction 1 as [|o l no d IH]; constructor; auto.
  - intros o i. apply in_app_iff.
    assert (m : forall s, List.In o (Sets.elements s) <-> Sets.In o s).
    { intros s. rewrite <- Sets.elements_spec1, InA_alt. split; [intros i'; exists o; split; auto; reflexivity|].
      intros (p & eq & j). apply Occurrence.eq_leibniz in eq. subst. auto. }
    rewrite !m in *. apply Sets.union_spec; auto.
Qed.
Theorem memory_instance (C : Clock) (I : interpretation) e (x : inst) : (forall p n (i : inst), I p n = Some i -> size i = 1%nat) ->
  meaning I e x -> (size x <= identifiers e)%nat.
Proof.
  intros one. revert x. induction e; simpl; intros x i.
  - destruct i as (n & o). rewrite (one _ _ _ o). auto.
  - apply in_dis in i as [i|i]; [apply IHe1 in i|apply IHe2 in i]; lia.
  - apply in_con in i as (y & z & j & k & ->). apply IHe1 in j. apply IHe2 in k. pose proof (size_union y z). simpl. lia.
  - apply in_neg in i as (i & _). apply IHe1 in i. lia.
  - apply in_seq in i as (y & z & j & k & _ & ->). apply IHe1 in j. apply IHe2 in k. pose proof (size_union y z). simpl. lia.
  - apply in_tim in i as (i & _). auto.
Qed.
Definition figure4_concrete (C : Clock) := @figure4_code concrete C.
