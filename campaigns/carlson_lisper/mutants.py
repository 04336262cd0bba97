"""Wrong detectors of this algebra (`mutants.toml`): the canaries of every campaign."""

from pathlib import Path

from campaigns.mutants import mutants_in

MUTANTS = mutants_in(Path(__file__).with_suffix(".toml"), "detectors.carlson_lisper.catalogue", "CATALOGUE")
"""The wrong detectors by name. Cases that do not find all of them say little where they find nothing wrong."""
