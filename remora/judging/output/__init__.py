"""Output of a judgement: text, files, drawings."""
