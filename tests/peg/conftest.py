import json
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def facts():
    return json.loads((DATA / "hoppers.json").read_text())


@pytest.fixture(scope="session")
def board_facts():
    return json.loads((DATA / "boards.json").read_text())
