"""The command for spark-submit, which wants the path of a program."""
