"""`spark-submit "$(python -m remora.submit)" campaign run …`: prints the path of the program."""

from pathlib import Path

print(Path(__file__).with_name("remora_main.py"))
