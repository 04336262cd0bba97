"""Output of a program under different orders of sets."""

import os
import subprocess
import sys


def printed_in_every_order(program: str) -> set[str]:
    """What a Python program prints, once with each of two orders of sets of texts: one text if it does not matter."""
    return {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
