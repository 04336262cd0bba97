"""Questions with known answers, most of them no: put to each part that can say yes."""
