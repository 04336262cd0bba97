"""Spark: a Java for it, quiet sessions on this machine or a cluster, and the project on its executors."""
