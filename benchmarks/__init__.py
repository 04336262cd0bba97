"""Benchmarks: detection beside what a user could pick instead, with subjects, their inputs, checks and timing."""
