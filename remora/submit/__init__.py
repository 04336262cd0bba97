"""The command for spark-submit, which wants the path of a program."""

from pathlib import Path

SCRIPT = Path(__file__).with_name("remora_main.py")
"""The program; alone in its folder, which Python puts before all others."""
