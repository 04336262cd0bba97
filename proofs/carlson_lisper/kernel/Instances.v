(* Instances, streams and expressions: what is assumed (Def. 3.1-3.9), and what the Python code calls. *)
From Coq Require Import ZArith Lia List Bool.
Import ListNotations.
Local Open Scope Z_scope.

Class Instances := {
  inst : Type;
  start : inst -> Z;
  finish : inst -> Z;
  join : inst -> inst -> inst;
  start_natural : forall x, 0 <= start x;
  start_finish : forall x, start x <= finish x;
  start_join : forall x y, start (join x y) = Z.min (start x) (start y);
  finish_join : forall x y, finish (join x y) = Z.max (finish x) (finish y);
  join_comm : forall x y, join x y = join y x;
  join_assoc : forall x y z, join x (join y z) = join (join x y) z;
  join_idem : forall x, join x x = x }.

(* The instants of a run, in order: gaps are allowed, and the first may be any natural number. *)
Class Clock := {
  clock : nat -> Z;
  clock_natural : 0 <= clock O;
  clock_increases : forall n, clock n < clock (S n) }.

Section Instants. Context `{Clock}.
Lemma clock_later m n : (m < n)%nat -> clock m < clock n.
Proof. induction 1; [apply clock_increases|]. pose proof (clock_increases m0). lia. Qed.
Lemma clock_order m n : (m < n)%nat /\ clock m < clock n \/ (m = n /\ clock m = clock n) \/ (n < m)%nat /\ clock n < clock m.
Proof. destruct (Nat.lt_trichotomy m n) as [l|[l|l]]; subst; auto using clock_later. Qed.
Lemma clock_ge n : 0 <= clock n.
Proof. pose proof clock_natural. destruct n; auto. pose proof (clock_later O (S n)). lia. Qed.
End Instants.
(* Compares the instants that are spoken of. *)
Ltac instants := repeat match goal with
  | _ : context[clock ?m], _ : context[clock ?n] |- _ => lazymatch goal with
      | _ : (m < n)%nat /\ _ \/ _ |- _ => fail | _ : (n < m)%nat /\ _ \/ _ |- _ => fail
      | _ => tryif constr_eq m n then fail else pose proof (clock_order m n) end
  | _ : context[clock ?m] |- context[clock ?n] => lazymatch goal with
      | _ : (m < n)%nat /\ _ \/ _ |- _ => fail | _ : (n < m)%nat /\ _ \/ _ |- _ => fail
      | _ => tryif constr_eq m n then fail else pose proof (clock_order m n) end end; lia.

Section Streams.
Context `{Instances}.
Definition stream := inst -> Prop.
Definition same (S T : stream) : Prop := forall e, S e <-> T e.

(* ⟨⟩ is None; start(⟨⟩) = end(⟨⟩) = -1 *)
Definition ostart (x : option inst) : Z := match x with Some i => start i | None => -1 end.
Definition oend (x : option inst) : Z := match x with Some i => finish i | None => -1 end.
Definition ojoin (x y : option inst) : option inst :=
  match x, y with Some i, Some j => Some (join i j) | Some i, None => Some i | None, y => y end.

(* Python's lists and bisect_left on a sorted one: what is believed of them *)
Fixpoint bisect_left (ends : list Z) (t : Z) : Z :=
  match ends with [] => 0 | e :: rest => if e <? t then 1 + bisect_left rest t else 0 end.
Definition place {X} (l : list X) (k : Z) : Z := if k <? 0 then k + Z.of_nat (length l) else k.
Definition within {X} (l : list X) (k : Z) : bool := (0 <=? place l k) && (place l k <? Z.of_nat (length l)).
Definition item {X} (l : list X) (k : Z) : option X := nth_error l (Z.to_nat (place l k)).
Definition without_first {X} (l : list X) (k : Z) : list X := skipn (Z.to_nat (place l k)) l.

(* What steps assume of a queue; CandidateQueue does it (queue_runs) *)
Fixpoint position (q : list inst) (t : Z) : nat :=
  match q with [] => O | e :: q' => if finish e <? t then S (position q' t) else O end.
Definition latest_before (q : list inst) (t : Z) : option inst :=
  match position q t with O => None | S n => nth_error q n end.
Definition evict_before (q : list inst) (t : Z) : list inst * option inst :=
  (skipn (position q t) q, latest_before q t).
Definition push (q : list inst) (x : option inst) : list inst :=
  match x with Some i => q ++ [i] | None => q end.
End Streams.

Inductive label := Fin (t : Z) | Inf.
Definition lleb (a b : label) : bool :=
  match a, b with _, Inf => true | Inf, Fin _ => false | Fin x, Fin y => x <=? y end.
Definition lmin (a b : label) := if lleb a b then a else b.
Definition lmax (a b : label) := if lleb a b then b else a.

(* A label as the code sees it: whether it is infinite, and the number that it is otherwise. *)
Definition infinite (l : label) : bool := match l with Inf => true | Fin _ => false end.
Definition value (l : label) : Z := match l with Inf => 0 | Fin t => t end.
Definition label_of (without_end : bool) (t : Z) : label := if without_end then Inf else Fin t.

Definition ident := nat.
Inductive expr :=
  | Ev (p : ident) | Dis (a b : expr) | Con (a b : expr) | Neg (a b : expr)
  | Seq (l : option label) (a b : expr) | Tim (a : expr) (t : Z).
Definition restricted (e : expr) (l : label) : expr := match l with Inf => e | Fin t => Tim e t end.
