"""Nodes of a profile: each says, time after time, which instances are new and which are no longer there."""
