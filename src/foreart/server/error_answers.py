"""One shape for every error, from one handler: `{"ok": false, "error": "sentence", "status": 404}`."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Iterable
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from foreart import errors
from foreart.child_process import TaskFailure, type_and_place

LOG = logging.getLogger("foreart.server")
# The status of each error of the tree; a subclass comes before its base.
STATUSES_OF_ERRORS: tuple[tuple[type[errors.ForeartError], int], ...] = (
    (errors.NotInCorpus, 404),
    (errors.UnknownMatter, 404),
    (errors.WrongPassphrase, 403),
    (errors.MatterError, 409),
    (errors.CorpusBusy, 409),
    (errors.WrongVersion, 409),
    (errors.StaleIndex, 409),
    (errors.IndexingError, 409),
    (errors.MissingExtra, 409),
    (errors.UnknownFormat, 415),
    (errors.ForeartError, 422),
)
# What each status means; every route declares them all, so that the schema is complete.
MEANINGS = {
    400: "The request is not readable, or its Host is not one of this server.",
    401: "There is no valid token, session or password.",
    403: "The request comes from another site, or the matter is sealed and its passphrase was not given.",
    404: "There is no such thing.",
    405: "The path has other methods.",
    408: "The body came too slowly.",
    409: "The library is not in a state for this: the sentence says what to do first.",
    413: "The body is too large.",
    415: "The body is of a type that cannot be read.",
    422: "A value cannot be used: the sentence names it.",
    429: "Too many failed attempts: wait for the seconds of Retry-After.",
    503: "All workers are busy: try again after the seconds of Retry-After.",
}


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """An error: one sentence for the person who can act, and the status of HTTP."""

    error: str
    status: int
    ok: Literal[False] = False


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": text} for status, text in MEANINGS.items()
}


NO_PAGE = "there is no such page or endpoint: the page /api-docs lists those of the API"


def error_answer(status: int, sentence: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """The answer of an error."""
    return JSONResponse({"ok": False, "error": sentence, "status": status}, status, headers)


def add_error_handlers(app: FastAPI) -> None:
    """Sets the one handler for all errors, those of the framework included."""
    kinds = (HTTPException, RequestValidationError, errors.ForeartError, sqlite3.Error, OSError, MemoryError)
    for kind in (*kinds, BrokenExecutor, TaskFailure):
        app.add_exception_handler(kind, _answered)
    app.add_exception_handler(Exception, _unforeseen)


async def _answered(request: Request, error: Exception) -> Response:
    """Never repeats the input: a draft would be in it."""
    if isinstance(error, HTTPException):
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(allowed_methods(request))
        return error_answer(error.status_code, _http_sentence(error), headers)
    if isinstance(error, RequestValidationError):
        status = _validation_status(request, error)
        return error_answer(status, NOT_JSON if status == 415 else _validation_sentence(request, error))
    for kind, status in STATUSES_OF_ERRORS:
        if isinstance(error, kind):
            return error_answer(status, str(error))
    if isinstance(error, sqlite3.Error):
        return error_answer(409, "the corpus could not be used: `foreart doctor` checks it")
    LOG.error("%s", type_and_place(error))
    return unexpected()


async def _unforeseen(request: Request, error: Exception) -> Response:
    """The framework raises the error again behind this answer, and the guard logs it."""
    return unexpected()


def unexpected() -> JSONResponse:
    """The answer to an unexpected error; the log has its type and place."""
    return error_answer(500, "the server could not do this: its log says where it failed; try again")


def allowed_methods(request: Request) -> list[str]:
    """The methods of a path: the framework names only those of the first route that has it."""
    paths = request.app.openapi()["paths"]
    for template, methods in paths.items():
        pattern = "[^/]+".join(map(re.escape, re.split(r"\{[^}]*\}", template)))
        if re.fullmatch(pattern, request.url.path):
            return _with_head(method.upper() for method in methods)
    return _with_head(["GET"])


def _with_head(methods: Iterable[str]) -> list[str]:
    found = set(methods)
    return sorted(found | {"HEAD"} if "GET" in found else found)


def _http_sentence(error: HTTPException) -> str:
    standard = HTTPStatus(error.status_code).phrase if error.status_code in set(HTTPStatus) else ""
    if error.detail and error.detail != standard:
        return str(error.detail)
    return NO_PAGE if error.status_code == 404 else MEANINGS.get(error.status_code, standard or "the request failed")


def _validation_status(request: Request, error: RequestValidationError) -> int:
    """400 for a body that is no JSON, 415 for one that does not say that it is, 422 for a value that does not fit."""
    if any(item["type"] == "json_invalid" for item in error.errors()):
        return 400
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    sent = request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers
    of_body = any(tuple(item["loc"]) == ("body",) for item in error.errors())
    return 415 if sent and of_body and not re.fullmatch(r"application/([\w.+-]+\+)?json", kind) else 422


NOT_JSON = "the body is not declared to be JSON: send the header Content-Type: application/json"
# What the framework calls a key that is not one of the body, and a body of another kind.
_OTHER_KINDS = ("dataclass_type", "model_attributes_type", "model_type", "dict_type", "dataclass_exact_type")
_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")


def _validation_sentence(request: Request, error: RequestValidationError) -> str:
    """The place and the rule of the first mismatch, without the value; a key that we do not know is a value too."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return "the body is not valid JSON"
    known = _names(request)
    where = ".".join(str(part) for part in first["loc"] if isinstance(part, int) or part in known)
    if not where and first["type"] in _OTHER_KINDS:
        return "the body is not a JSON object"
    what = "it has an option that does not exist" if first["type"] in _UNKNOWN else first["msg"]
    return f"{where or 'the body'}: {what[:1].lower()}{what[1:]}"[:300]


def _names(request: Request) -> set[str]:
    """All names of parameters and keys in the schema."""
    schema = request.app.openapi()
    models = schema["components"]["schemas"].values()
    operations = [operation for methods in schema["paths"].values() for operation in methods.values()]
    given = {item["name"] for operation in operations for item in operation.get("parameters", ())}
    return given.union(*(model.get("properties", ()) for model in models))
