"""PostgreSQL keeps the words of a visit as it searches them: made once, not again for every visit of a search."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Forward."""
    if op.get_bind().dialect.name == "sqlite":
        return
    op.execute("DROP INDEX ix_visit_words")
    op.execute("ALTER TABLE visit ADD COLUMN words tsvector GENERATED ALWAYS AS (to_tsvector('simple', said)) STORED")
    op.execute("CREATE INDEX ix_visit_words ON visit USING gin (words)")
