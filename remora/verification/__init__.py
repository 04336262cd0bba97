"""The main job: everything that is claimed, checked, in one report."""
