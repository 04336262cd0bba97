"""`python -m remora.docs` writes the generated pages of the documentation."""

import sys

from remora.docs.pages import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
