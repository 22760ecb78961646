"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Forward."""
    _tables_1()
    _tables_2()
    _tables_3()
    _tables_4()
    if op.get_bind().dialect.name == "sqlite":
        op.execute("CREATE VIRTUAL TABLE visit_words USING fts5(said, tokenize='unicode61 remove_diacritics 2')")
    else:
        op.execute("CREATE INDEX ix_visit_words ON visit USING gin (to_tsvector('simple', said))")


def _tables_1() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(length=100), nullable=False),
        sa.Column("action", sa.String(length=60), nullable=False),
        sa.Column("about", sa.String(length=300), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_audit_at"), "audit", ["at"], unique=False)
    op.create_table(
        "case_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("case", sa.String(length=120), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sha", sa.String(length=64), nullable=False),
        sa.Column("note", sa.String(length=300), nullable=False),
        sa.Column("made_by", sa.String(length=100), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("case", "number"),
    )
    op.create_index(op.f("ix_case_version_case"), "case_version", ["case"], unique=False)
    op.create_index(op.f("ix_case_version_sha"), "case_version", ["sha"], unique=False)
    op.create_table(
        "invitation",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("password_hash", sa.String(length=300), nullable=True),
        sa.Column("subject", sa.String(length=300), nullable=True),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
        sa.UniqueConstraint("subject"),
    )


def _tables_2() -> None:
    op.create_table(
        "proposal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("case", sa.String(length=120), nullable=False),
        sa.Column("based_on", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_by", sa.String(length=100), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_proposal_case"), "proposal", ["case"], unique=False)
    op.create_table(
        "question",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(length=400), nullable=False),
        sa.Column("judge", sa.String(length=120), nullable=False),
        sa.Column("check", sa.String(length=120), nullable=False),
        sa.Column("group", sa.String(length=20), nullable=False),
        sa.Column("outcome", sa.String(length=20), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("place", "judge", "check"),
    )
    op.create_index(op.f("ix_question_outcome"), "question", ["outcome"], unique=False)
    op.create_index(op.f("ix_question_place"), "question", ["place"], unique=False)
    op.create_table(
        "review",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(length=400), nullable=False),
        sa.Column("judge", sa.String(length=120), nullable=False),
        sa.Column("check", sa.String(length=120), nullable=False),
        sa.Column("outcome", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("who", sa.String(length=100), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("judge_outcome", sa.String(length=20), nullable=False),
        sa.Column("likeness", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("place", "judge", "check", "who"),
    )
    op.create_index(op.f("ix_review_place"), "review", ["place"], unique=False)
    op.create_table(
        "share_link",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("place", sa.String(length=400), nullable=False),
        sa.Column("made_by", sa.String(length=100), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index(op.f("ix_share_link_place"), "share_link", ["place"], unique=False)


def _tables_3() -> None:
    op.create_table(
        "visit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(length=400), nullable=False),
        sa.Column("suite", sa.String(length=255), nullable=False),
        sa.Column("call", sa.String(length=255), nullable=False),
        sa.Column("case", sa.String(length=120), nullable=False),
        sa.Column("case_sha", sa.String(length=64), nullable=False),
        sa.Column("agent", sa.String(length=300), nullable=False),
        sa.Column("persona", sa.String(length=120), nullable=False),
        sa.Column("profile", sa.String(length=120), nullable=False),
        sa.Column("mind", sa.String(length=120), nullable=False),
        sa.Column("started", sa.String(length=40), nullable=False),
        sa.Column("duration", sa.Double(), nullable=True),
        sa.Column("end_reason", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("judge", sa.String(length=120), nullable=False),
        sa.Column("manual", sa.Boolean(), nullable=False),
        sa.Column("draft", sa.Boolean(), nullable=False),
        sa.Column("stamp", sa.String(length=80), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("place"),
    )
    op.create_index(op.f("ix_visit_agent"), "visit", ["agent"], unique=False)
    op.create_index(op.f("ix_visit_case"), "visit", ["case"], unique=False)
    op.create_index(op.f("ix_visit_case_sha"), "visit", ["case_sha"], unique=False)
    op.create_index(op.f("ix_visit_started"), "visit", ["started"], unique=False)
    op.create_index(op.f("ix_visit_state"), "visit", ["state"], unique=False)
    op.create_index(op.f("ix_visit_suite"), "visit", ["suite"], unique=False)
    op.create_table(
        "webhook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("secret_env", sa.String(length=100), nullable=False),
        sa.Column("made_by", sa.String(length=100), nullable=False),
        sa.Column("last", sa.String(length=200), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )


def _tables_4() -> None:
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("asked", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("step", sa.String(length=100), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("place", sa.String(length=400), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_run_state"), "run", ["state"], unique=False)
    op.create_table(
        "sign_in",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("csrf", sa.String(length=64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_table(
        "sign_off",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("who", sa.String(length=100), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["case_version.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("hash"),
    )
