(* The extracted machine as a process. What it reads, a line each, with numbers for machines, event types and occurrences:
     + MACHINE PATTERN         a machine begins; the pattern in prefix order: E p, D, C, N, S, R t
     - MACHINE                 it is forgotten
     MACHINE TIME P V P V ...  one instant, in which event types P have the occurrences V; answered by the occurrences
                               of the instance that ends then, in order of time, or by an empty line
     !                         the answers so far are wanted *)
open Verified

let machines : (int, machine) Hashtbl.t = Hashtbl.create 64

let rec pattern = function
  | "E" :: p :: rest -> (Ev (int_of_string p), rest)
  | "R" :: t :: rest -> let a, rest = pattern rest in (Tim (a, int_of_string t), rest)
  | operator :: rest ->
      let a, rest = pattern rest in
      let b, rest = pattern rest in
      (match operator with
       | "D" -> (Dis (a, b), rest)
       | "C" -> (Con (a, b), rest)
       | "N" -> (Neg (a, b), rest)
       | "S" -> (Seq (None, a, b), rest)
       | _ -> failwith ("no operator " ^ operator))
  | [] -> failwith "the pattern ends too soon"

(* The numbers of a line, which are not negative. *)
let numbers line =
  let rec from place found number tens =
    if place < 0 then number :: found
    else match line.[place] with
      | '0' .. '9' as digit -> from (place - 1) found (number + tens * (Char.code digit - Char.code '0')) (tens * 10)
      | ' ' -> from (place - 1) (number :: found) 0 1
      | _ -> failwith line
  in from (String.length line - 1) [] 0 1

let rec events time = function
  | p :: v :: rest -> (p, occurrence time p v) :: events time rest
  | _ -> []

let advance machine time rest =
  let now = events time rest in
  let next, found = advance_machine (fun p -> List.assoc_opt p now) (Hashtbl.find machines machine) in
  Hashtbl.replace machines machine next;
  Option.iter (fun x -> print_string (String.concat " " (List.map (fun (_, (_, v)) -> string_of_int v) (members x)))) found;
  print_char '\n'

let rec answer () =
  let line = input_line stdin in
  (match line.[0] with
   | '!' -> flush stdout
   | '-' -> Hashtbl.remove machines (int_of_string (String.trim (String.sub line 1 (String.length line - 1))))
   | '+' ->
       (match String.split_on_char ' ' line with
        | _ :: machine :: rest -> Hashtbl.replace machines (int_of_string machine) (machine_of_pattern (fst (pattern rest)))
        | _ -> failwith line)
   | _ ->
       (match numbers line with
        | machine :: time :: rest -> advance machine time rest
        | _ -> failwith line));
  answer ()

let () = try answer () with End_of_file -> ()
