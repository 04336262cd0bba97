"""Campaigns on Spark: shards, rows, files, summaries."""
