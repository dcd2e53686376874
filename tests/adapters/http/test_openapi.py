"""The OpenAPI document: what it says is what a served store does, whatever it is asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Thread
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from serving import SHARED, Served

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 4
"""Requests for each operation and each mode: valid ones, and broken ones."""


def test_a_served_store_does_what_the_document_says(served: Callable[..., Served]) -> None:
    server = served()
    log = Thread(target=deque, args=(server.process.stderr, 0))  # a full pipe would stop it
    log.start()
    schema = schemathesis.openapi.from_url(f"{server.url}/api/v1/openapi.json")
    schema.validate()
    statuses: dict[str, set[int]] = {}
    with requests.Session() as session:
        session.headers["authorization"] = f"Bearer {SHARED}"
        for found in schema.get_all_operations():
            assert isinstance(found, Ok), found
            operation = found.ok()
            told = statuses[operation.label] = set[int]()
            for mode in GenerationMode:
                _ask(operation, mode, session, told)
    server.process.terminate()
    log.join()
    assert {200} <= set.union(*statuses.values()) < {*range(200, 500), 503}
    reading = [told for label, told in statuses.items() if label.startswith("GET")]
    assert all(200 in told for told in reading), statuses


def _ask(operation: Any, mode: GenerationMode, session: Any, told: set[int]) -> None:
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(mode))
    def asked(case: Any) -> None:
        if isinstance(case.query.get("project"), str):
            case.query["project"] = "shop"
        for name, there in (("id", "first"), ("label", "kind:bug"), ("revision", 1)):
            if mode is GenerationMode.POSITIVE and name in case.path_parameters:
                case.path_parameters[name] = there
        response = case.call(session=session)
        told.add(response.status_code)
        case.validate_response(response, checks=CHECKS)

    asked()
