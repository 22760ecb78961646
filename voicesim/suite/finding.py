"""What an audit finds in a call's own patient."""

from voicesim.frozen import Frozen


class Finding(Frozen):
    """What was wrong with a line of the patient that began at `t` seconds: the reason of validity, and the detail.

    `by` is who finds it, `code` or a model; a model has to `quote` the line word for word.
    """

    t: float
    text: str
    reason: str
    detail: str
    quote: str = ""
    by: str = "code"
