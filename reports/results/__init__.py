"""The results of a verification as values: the document `remora/report/1`, field by field.

What a field says stands in the schema and in `docs/formats.md`; names are the same. What a document lacks has a value
that claims nothing: no rows, no number, not ok. A document is checked against its schema where it is read, not here.
Counterexamples, cases that are drawn and the parts that one system adds are plain data, which that system reads.
"""
