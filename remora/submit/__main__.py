"""`spark-submit "$(python -m remora.submit)" campaign run …`: prints the path of the program."""

from remora.submit import SCRIPT

print(SCRIPT)
