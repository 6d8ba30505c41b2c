"""The schema is complete: random requests within and outside of it get declared answers, and the page lists it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, settings

from foreart.server import ServerSettings
from foreart.server.application import make_app
from server_world import TOKEN

schemathesis = pytest.importorskip("schemathesis", reason="needs the tools of development: `make test` installs them")
# The same few requests at every run; many random ones in a nightly run: FOREART_SCHEMA_EXAMPLES=100.
SAME = "FOREART_SCHEMA_EXAMPLES" not in os.environ
EXAMPLES = int(os.environ.get("FOREART_SCHEMA_EXAMPLES", "6"))
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Host": "127.0.0.1:8765"}
# Tests are made of the schema when they are collected; the library is copied there when the first one runs.
_FOLDER = tempfile.TemporaryDirectory(prefix="foreart-test-")
_APP = make_app(ServerSettings(libraries=(Path(_FOLDER.name) / "sample",), token=TOKEN, workers=1))
# Jobs that take long, and the stream that ends with them, have tests of their own.
_LONG = "/(jobs/{job}/events|jobs/(learn|build|sample|doctor|map|evaluate|expert-set|paper)|corpus/files)$"
# A body that violates the schema may also be too large: 413.
_REJECTED = [400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 422, 428, 429, "5xx"]
_CONFIG = schemathesis.Config.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": _REJECTED}}})
schema = schemathesis.openapi.from_asgi("/openapi.json", _APP, headers=HEADERS, config=_CONFIG)

_SHORT = (
    schema.include(path_regex="^/api/")
    .exclude(path_regex=_LONG)
    .exclude(path_regex="/matters/.*/events$", method="GET")
)


@pytest.fixture(scope="module", autouse=True)
def library(sample_library: Path) -> None:
    shutil.copytree(sample_library, Path(_FOLDER.name) / "sample", dirs_exist_ok=True)


@_SHORT.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=SAME
)
def test_every_answer_is_declared(case) -> None:
    # That a draft exists, or that a date is one, is not said by the schema: such requests are refused with a sentence.
    case.call_and_validate(
        headers=HEADERS, excluded_checks=[schemathesis.checks.CHECKS.get_one("positive_data_acceptance")]
    )


def test_every_route_declares_every_error_and_its_answer(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/api/search", "/api/drafts", "/api/jobs/{job}/events", "/api/chart/file"} <= set(paths)
    for path, methods in paths.items():
        for method, operation in methods.items():
            declared = set(operation["responses"])
            assert {"400", "401", "403", "404", "409", "413", "415", "422", "429", "503"} <= declared, (method, path)
            assert operation["description"].endswith("."), (method, path)
            success = operation["responses"].get("200") or operation["responses"]["202"]
            assert success["content"], (method, path)
