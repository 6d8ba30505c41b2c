"""The text of docs/http.md, from the OpenAPI schema of the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parents[1] / "docs" / "http.md"
_TOP = """# REST

Made from the schema by `python scripts/make_docs.py`; do not edit. `foreart serve` prints
`http://127.0.0.1:PORT/#TOKEN`; programs send the token as `Authorization: Bearer TOKEN`. The verbs are those of the
command line and of Python, and take and give the same JSON as `--json`. The schema itself is at
`/openapi.json`. How to run the server is in [server.md](server.md).

Success is an object with `"ok": true`. An error is
`{"ok": false, "error": "a sentence that says what to do", "status": 404}`:

"""
_EXAMPLE = """
A draft is sent as it is, not as a form, and its text is never part of an address. Then it is searched for by its id:

```
API=http://127.0.0.1:8765/api
curl -H "Authorization: Bearer $TOKEN" --data-binary @application.docx "$API/drafts?name=application.docx"
curl -H "Authorization: Bearer $TOKEN" --json '{"draft": "ID", "k": 10}' $API/search
```

A request with the header `Priority: u=7` ([RFC 9218](https://www.rfc-editor.org/rfc/rfc9218)) can wait: it starts when
a worker would be idle, so a batch, or what a page fetches ahead, holds up no search that somebody waits for.

Progress of a job comes as server-sent events (`/api/jobs/{job}/events`): `progress` with `stage`, `done` and `total`,
then `done`, `failed` or `cancelled`. Events have ids; with `Last-Event-ID` only later ones are sent.

"""


def http_page() -> str:
    """The text of docs/http.md."""
    from foreart.server import ServerSettings
    from foreart.server.application import make_api
    from foreart.server.desk import Desk
    from foreart.server.error_answers import MEANINGS

    schema = make_api(Desk(ServerSettings(libraries=(Path("library"),), forget=True))).openapi()
    statuses = "".join(f"| {status} | {text} |\n" for status, text in MEANINGS.items())
    parts = [_TOP + "| status | meaning |\n|---|---|\n" + statuses + _EXAMPLE]
    for path, methods in schema["paths"].items():
        parts += [_operation(method, path, operation, schema) for method, operation in methods.items()]
    return "\n".join(parts)


def _operation(method: str, path: str, operation: dict[str, Any], schema: dict[str, Any]) -> str:
    lines = [f"## {method.upper()} {path}\n", operation["description"] + "\n"]
    rows = [_row(item["name"], item["schema"], item["in"]) for item in operation.get("parameters", ())]
    body = operation.get("requestBody", {}).get("content", {})
    if "application/octet-stream" in body:
        lines.append(operation["requestBody"]["description"] + "\n")
    elif body:
        rows += _fields(next(iter(body.values()))["schema"], schema)
    if rows:
        lines.append("| takes | type | default |\n|---|---|---|\n" + "".join(rows))
    success = operation["responses"].get("200") or operation["responses"]["202"]
    gives = next(iter(success["content"].values())).get("schema", {})
    if "$ref" in gives:
        model = _resolved(gives, schema)
        lines.append(f"Gives: {model['description']} Keys: {', '.join(f'`{key}`' for key in model['properties'])}.\n")
    else:
        lines.append(f"Gives: {', '.join(f'`{kind}`' for kind in success['content'])}.\n")
    return "\n".join(lines)


def _fields(body: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    found = _resolved(body, schema)
    if "oneOf" in found:
        return [row for one in found["oneOf"] for row in _variant(_resolved(one, schema))]
    return [_row(name, item, "body") for name, item in found.get("properties", {}).items()]


def _variant(found: dict[str, Any]) -> list[str]:
    """One of several bodies: what it is, and its fields."""
    fields = found["properties"]
    kind = fields["kind"]
    names = ", ".join(f"`{value}`" for value in kind.get("enum", [kind.get("const")]))
    rows = [_row(name, item, "body") for name, item in fields.items() if name != "kind"]
    return [f"| `kind` (body) | {names}: {found['description']} | |\n", *rows]


def _resolved(item: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference = item.get("$ref")
    if reference is None:
        return item
    found: dict[str, Any] = schema["components"]["schemas"][reference.rpartition("/")[2]]
    return found


def _row(name: str, item: dict[str, Any], where: str) -> str:
    default = f"`{item['default']!r}`" if item.get("default") not in (None, "", []) else ""
    return f"| `{name}` ({where}) | {_kind(item)} | {default} |\n"


def _kind(item: dict[str, Any]) -> str:
    if "enum" in item:
        return ", ".join(f"`{value}`" for value in item["enum"])
    if "anyOf" in item:
        return " or ".join(dict.fromkeys(_kind(one) for one in item["anyOf"]))
    if item.get("type") == "array":
        return f"list of {_kind(item.get('items', {}))}"
    if "$ref" in item:
        return f"`{item['$ref'].rpartition('/')[2]}`"
    limits = [f"{sign} {item[name]:,}" for name, sign in (("minimum", "≥"), ("maximum", "≤")) if name in item]
    return " ".join([item.get("type", "any value"), *limits])
