"""What the browser is told it may do with our pages, and which names we answer to."""

from typing import Any

from csp.constants import NONCE, NONE, SELF

LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]

# No inline script anywhere. Styles that a component library adds at run time carry the nonce of
# the page. 'self' in connect-src covers the WebSockets of the same host and port.
CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF, NONCE],
        "style-src-attr": ["'unsafe-inline'"],
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}


def allowed_hosts(extra: list[str]) -> list[str]:
    """The loopback names and what the operator named."""
    return [*LOOPBACK, *(host for host in extra if host not in LOOPBACK)]


def trusted_origins(extra: list[str]) -> list[str]:
    """Origins that may send cookies besides the page's own: a name behind a TLS proxy."""
    return [
        f"https://*{host}" if host.startswith(".") else f"https://{host}"
        for host in extra
        if host not in LOOPBACK and host != "*"
    ]
