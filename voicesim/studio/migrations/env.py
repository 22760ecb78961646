"""Runs migrations on the connection that the studio gives."""

from alembic import context

from voicesim.studio import tables
from voicesim.studio.database import Base

assert tables
connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
