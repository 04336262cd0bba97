(* The detector of Figure 4 as a machine that goes on from instant to instant, as it is extracted. *)
From Coq Require Import ZArith List Setoid.
From Remora Require Import Theorems Concrete.
Import ListNotations.
Local Open Scope Z_scope.

Section Machines. Context `{Instances}.
(* An expression with the state of each of its steps. *)
Inductive machine :=
  | Event (p : ident)
  | Disjunction (s : unit) (a b : machine)
  | Conjunction (s : option inst * option inst) (a b : machine)
  | Negation (s : Z) (a b : machine)
  | Sequence (s : Z * list inst) (a b : machine)
  | Labelled (t : Z) (s : Z * list inst * option inst) (a b : machine)
  | Restriction (t : Z) (s : unit) (a : machine).
Fixpoint machine_of (e : expr) : machine :=
  match e with
  | Ev p => Event p
  | Dis a b => Disjunction dis_initial (machine_of a) (machine_of b)
  | Con a b => Conjunction con_initial (machine_of a) (machine_of b)
  | Neg a b => Negation neg_initial (machine_of a) (machine_of b)
  | Seq (Some (Fin t)) a b => Labelled t bounded_seq_initial (machine_of a) (machine_of b)
  | Seq _ a b => Sequence seq_initial (machine_of a) (machine_of b)
  | Tim a t => Restriction t tim_initial (machine_of a)
  end.
(* One instant: the operands go first. *)
Fixpoint advance (now : ident -> option inst) (m : machine) : machine * option inst :=
  match m with
  | Event p => (m, now p)
  | Disjunction s a b => let (a, x) := advance now a in let (b, y) := advance now b in
      let (s, out) := dis_code s x y in (Disjunction s a b, out)
  | Conjunction s a b => let (a, x) := advance now a in let (b, y) := advance now b in
      let (s, out) := con_code s x y in (Conjunction s a b, out)
  | Negation s a b => let (a, x) := advance now a in let (b, y) := advance now b in
      let (s, out) := neg_code s x y in (Negation s a b, out)
  | Sequence s a b => let (a, x) := advance now a in let (b, y) := advance now b in
      let (s, out) := seq_code s x y in (Sequence s a b, out)
  | Labelled t s a b => let (a, x) := advance now a in let (b, y) := advance now b in
      let (s, out) := bounded_seq_code t s x y in (Labelled t s a b, out)
  | Restriction t s a => let (a, x) := advance now a in let (s, out) := tim_code t s x x in (Restriction t s a, out)
  end.
Definition figure4_machine (e : expr) : machine := machine_of (fst (transformed e Inf)).
End Machines.

Section Run. Context `{Instances} `{Clock}. Variable I : interpretation.
Fixpoint after (m : machine) (n : nat) : machine :=
  match n with O => m | S n => fst (advance (fun p => I p n) (after m n)) end.
Definition reported (m : machine) (n : nat) : option inst := snd (advance (fun p => I p n) (after m n)).

(* The machine of e before instant n: each step has the state of its own run. *)
Fixpoint at_instant (e : expr) (n : nat) : machine :=
  match e with
  | Ev p => Event p
  | Dis a b => Disjunction (state_at dis_code dis_initial (detected I a) (detected I b) n) (at_instant a n) (at_instant b n)
  | Con a b => Conjunction (state_at con_code con_initial (detected I a) (detected I b) n) (at_instant a n) (at_instant b n)
  | Neg a b => Negation (state_at neg_code neg_initial (detected I a) (detected I b) n) (at_instant a n) (at_instant b n)
  | Seq (Some (Fin t)) a b =>
      Labelled t (state_at (bounded_seq_code t) bounded_seq_initial (detected I a) (detected I b) n) (at_instant a n) (at_instant b n)
  | Seq _ a b => Sequence (state_at seq_code seq_initial (detected I a) (detected I b) n) (at_instant a n) (at_instant b n)
  | Tim a t => Restriction t (state_at (tim_code t) tim_initial (detected I a) (detected I a) n) (at_instant a n)
  end.
Lemma advances e n : advance (fun p => I p n) (at_instant e n) = (at_instant e (S n), detected I e n).
Proof.
  induction e as [p|a IHa b IHb|a IHa b IHb|a IHa b IHb|l a IHa b IHb|a IHa t]; [reflexivity | | | | destruct l as [[t|]|] |];
    simpl; rewrite ?IHa, ?IHb; unfold run;
    match goal with |- context[let (s, out) := ?ran in _] => destruct ran end; reflexivity.
Qed.
Lemma begins e : machine_of e = at_instant e O.
Proof. induction e as [| | | |[[t|]|]|]; simpl; congruence. Qed.
Theorem machine_runs e n : reported (machine_of e) n = detected I e n.
Proof.
  assert (s : after (machine_of e) n = at_instant e n).
  { induction n as [|n IH]; simpl; [apply begins|]. rewrite IH, advances. reflexivity. }
  unfold reported. rewrite s, advances. reflexivity.
Qed.
(* What the machine reports of any expression is a valid restriction of its meaning (Def. 3.12). *)
Theorem machine_right e : bounds_natural e -> admissible I -> rem (meaning I e) (outputs (reported (figure4_machine e))).
Proof.
  intros bn adm. destruct (figure4_code e I bn adm) as (r1 & r2 & r3).
  assert (s : forall x, outputs (reported (figure4_machine e)) x <-> outputs (detected I (fst (transformed e Inf))) x)
    by (intros x; unfold outputs; setoid_rewrite machine_runs; tauto).
  split; [|split].
  - intros x i. apply r1, s, i.
  - intros x i. destruct (r2 x i) as (y & j & ?). exists y. split; auto. apply s, j.
  - intros x i y j. apply r3; apply s; auto.
Qed.
End Run.
