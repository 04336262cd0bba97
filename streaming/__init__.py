"""Detection over live keyed streams in Spark Structured Streaming."""
