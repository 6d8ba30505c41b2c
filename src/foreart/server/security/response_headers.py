"""The headers of every answer: what a page may load, and what browsers may do with it."""

from __future__ import annotations

from collections.abc import Mapping

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_YEAR = 31_536_000


def headers_for(path: str, *, secure: bool) -> dict[str, str]:
    """The headers for a path: only static files may be cached, and they are checked again each time."""
    added = {"cache-control": "no-cache" if path.startswith("/static/") else "no-store"}
    if secure:
        added["strict-transport-security"] = f"max-age={_YEAR}"
    return {**HEADERS, **added}
