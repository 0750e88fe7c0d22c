"""Machine code made by the tests is kept with pytest's other files, not in the user's."""

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def machine_code_folder(pytestconfig):
    before = os.environ.get("SEARCHKIT_CACHE_DIR")
    os.environ["SEARCHKIT_CACHE_DIR"] = str(pytestconfig.cache.mkdir("machine-code"))
    yield
    if before is None:
        del os.environ["SEARCHKIT_CACHE_DIR"]
    else:
        os.environ["SEARCHKIT_CACHE_DIR"] = before
