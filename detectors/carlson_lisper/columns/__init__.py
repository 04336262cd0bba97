"""Detection by columns: patterns as query plans, run by Polars, DuckDB or Spark."""
