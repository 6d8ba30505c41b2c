"""Servers that answer as a test says, with or without TLS: what stands at an address may be anything."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from foreart.cluster.cluster_settings import TlsFiles

OPENSEARCH = {"cluster_name": "c", "version": {"distribution": "opensearch", "number": "2.19.1"}}

# The status and the JSON that answer a path.
Answering = Callable[[str], tuple[int, Any]]


@contextmanager
def bare_server(answering: Answering, tls: TlsFiles | None = None) -> Iterator[int]:
    """The port of a server on loopback; it closes each connection after its answer."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            status, about = answering(self.path)
            body = json.dumps(about).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _answer

        def log_message(self, *_: Any) -> None:
            """Tests print nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: Any) -> None:
            """A client that does not like the certificate ends the connection."""

        def finish_request(self, request: Any, client_address: Any) -> None:
            if tls is not None:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(tls.cert, tls.key)
                request = context.wrap_socket(request, server_side=True)
            super().finish_request(request, client_address)
            request.close()

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
