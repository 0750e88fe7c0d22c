"""Run the campaign: see README.md."""

import sys

from hunt.command import main

sys.exit(main())
