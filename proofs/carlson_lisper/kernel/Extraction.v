(* The machine of Figure 4 over finite sets of occurrences, for OCaml. Numbers become machine integers. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZInt.
From Remora Require Import Theorems Concrete Machine.

Definition occurrence (time p value : nat) : finite := exist _ (Sets.singleton (time, (p, value))) eq_refl.
Definition members (x : finite) := Sets.elements (proj1_sig x).
Definition machine_of_pattern : expr -> @machine concrete := figure4_machine.
Definition advance_machine (now : ident -> option finite) (m : @machine concrete) : machine * option finite := advance now m.

Extract Inlined Constant Z.of_nat => "(fun n -> n)".
Extract Inlined Constant Z.ltb => "(fun (m : int) n -> m < n)".
Extract Inlined Constant Nat.compare => "(fun (m : int) n -> if m = n then Eq else if m < n then Lt else Gt)".
Extraction Language OCaml.
Extraction "verified.ml" occurrence members first last machine_of_pattern advance_machine.
