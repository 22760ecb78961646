"""One fingerprint for one content, whatever file or spelling it came from."""

import hashlib
import json

from voicesim.catalog.model import Entry


def canonical(entry: Entry) -> str:
    """JSON with sorted keys, no blanks and defaults written out, so that equal entries are equal text."""
    return json.dumps(
        entry.model_dump(mode="json"),
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )


def fingerprint(entry: Entry) -> str:
    """sha256 (64 hexadecimal digits) of the canonical JSON of an entry, in UTF-8."""
    return hashlib.sha256(canonical(entry).encode()).hexdigest()
