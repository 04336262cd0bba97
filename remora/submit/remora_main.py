"""The command `remora`, started by spark-submit."""

from remora.cli import main

if __name__ == "__main__":
    main()
