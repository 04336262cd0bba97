"""How fast detection is, beside what a user could pick instead: subjects, their inputs, checks and timing."""
