"""What people of a studio may do, from the least to the most."""

from enum import IntEnum


class Role(IntEnum):
    """What somebody may do; a higher role may do all that a lower one may."""

    viewer = 1
    """Reads visits and cases."""
    operator = 2
    """Runs visits and plays patients."""
    reviewer = 3
    """Says what is right about verdicts, and edits cases."""
    clinician = 4
    """Signs cases, and approves what is proposed."""
    admin = 5
    """Manages people, and deletes."""


ROLES = tuple(role.name for role in Role)
