"""The API: what the commands do, as functions that take texts, files and values, and return values.

`remora` exports it all: `remora.detect("(fail ; fail)[60] - ok", "log.csv")`. A value is frozen, typed, and has one
form for people (`remora.api.cards`), which a terminal, a REPL and a notebook show each in its own way.
"""
