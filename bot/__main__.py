"""`python -m bot`, also installed as `gpu-desk`."""

import sys

from bot.cli import main

if __name__ == "__main__":
    sys.exit(main())
