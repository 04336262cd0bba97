# A detector of `a ; b` and `(a ; b)[60]` in awk, fed an event a line: awk -f sequences.awk
# It knows nothing of JSON but where the quotes are (docs/howto/judge-a-program.md).
function number(name,    rest) {
    rest = $0
    if (!sub(".*\"" name "\": ", "", rest)) return -1
    return rest + 0
}
function text(name,    rest) {
    rest = $0
    if (!sub(".*\"" name "\": \"", "", rest)) return ""
    sub(/".*/, "", rest)
    return rest
}
BEGIN { CONVFMT = OFMT = "%.0f" }
/"pattern": / {
    id = number("case"); pattern = text("pattern"); bound[id] = -1; first[id] = last[id] = -1
    if (pattern ~ /^\([A-Za-z_0-9]+ ; [A-Za-z_0-9]+\)\[[0-9]+\]$/) {
        split(pattern, part, /[][() ;]+/)
        left[id] = part[2]; right[id] = part[3]; bound[id] = part[4] + 0
    } else if (pattern ~ /^[A-Za-z_0-9]+ ; [A-Za-z_0-9]+$/) {
        split(pattern, part, " ; ")
        left[id] = part[1]; right[id] = part[2]
    } else
        refused[id] = 1
    next
}
/"event": / {
    id = number("case"); event = text("event")
    if (event == left[id]) now[id] = 1
    if (event == right[id]) ends[id] = 1
    next
}
/"done": / {
    id = number("case"); time = number("done")
    said = refused[id] ? ", \"refused\": \"only a ; b and (a ; b)[t]\"" : ""
    if (!said && ends[id] && last[id] >= 0 && (bound[id] < 0 || time - last[id] <= bound[id]))
        printf "{\"case\": %d, \"start\": %.0f, \"end\": %.0f}\n", id, last[id], time
    if (now[id]) last[id] = time
    now[id] = ends[id] = 0
    printf "{\"case\": %d, \"done\": %.0f%s}\n", id, time, said
    fflush()
}
