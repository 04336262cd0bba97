"""Evaluation of plans over whole logs by relational engines: DuckDB and Spark SQL."""
