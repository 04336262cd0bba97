"""Row groups of Parquet files, of which only the cells are unpacked that matter."""
