"""The lots by which verdicts are drawn for people, and why two reasons are alike."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Forward."""
    op.add_column("question", sa.Column("lot", sa.Integer(), nullable=False, server_default="0"))
    op.create_index(op.f("ix_question_lot"), "question", ["lot"], unique=False)
    op.add_column("review", sa.Column("likeness_why", sa.Text(), nullable=False, server_default=""))
    # Visits are looked at anew, which draws a lot for each of their verdicts.
    op.execute("DELETE FROM question")
    op.execute("UPDATE visit SET stamp = ''")
