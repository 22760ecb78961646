"""The URL of an agent: of the right kind, and without its secrets where it is shown."""

from urllib.parse import urlsplit

from voicesim.errors import UsageError

EXAMPLES = {"http": "http://localhost:7860", "ws": "ws://localhost:8765/ws"}


def check_url(url: str, kind: str, scheme: str) -> str:
    """The URL as it may be shown: without user, password and query, where secrets are.

    Raises UsageError when it is none of the scheme (http or ws), with or without TLS.
    """
    parts = urlsplit(url)
    if parts.scheme not in {scheme, f"{scheme}s"} or not parts.hostname:
        example = f"{kind}:{EXAMPLES[scheme]}"
        raise UsageError(f"{kind}: the agent needs a {scheme} or {scheme}s URL, such as {example}")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
