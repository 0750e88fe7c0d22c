"""Run the campaign: see README.md."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))  # `tests.translation`

from hunt.command import main

sys.exit(main())
