"""The one place where data enters the page's script: a JSON block that cannot end or open a tag."""

import json
from typing import Any

from markupsafe import Markup

# `</script>` and `<!--` need "<"; "&" and ">" keep the block inert in XML readers as well. U+2028 and
# all else beyond ASCII is escaped by json itself.
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def embedded_json(data: Any) -> Markup:
    """Data as JSON to stand inside `<script type="application/json">`.

    Raises ValueError for NaN and infinities, which JSON does not have.
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for sign, escape in _ESCAPES.items():
        text = text.replace(sign, escape)
    return Markup(text)
