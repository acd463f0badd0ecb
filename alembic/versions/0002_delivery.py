"""Delivery by several copies: who may take updates, how fast calls may go, and the order in which calls are looked for."""

import sqlalchemy as sa

from alembic import op

revision = "0002_delivery"
down_revision = "0001_first_tables"
branch_labels = None
depends_on = None

OPEN = {"sqlite_where": sa.text("done_at IS NULL"), "postgresql_where": sa.text("done_at IS NULL")}


def upgrade() -> None:
    op.create_table(
        "lease",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_lease")),
    )
    op.create_table(
        "pace",
        sa.Column("lane", sa.String(length=64), nullable=False),
        sa.Column("free_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("lane", name=op.f("pk_pace")),
    )
    op.create_index("ix_outbox_next", "outbox", ["priority", "id"], **OPEN)


def downgrade() -> None:
    op.drop_index("ix_outbox_next", table_name="outbox", **OPEN)
    op.drop_table("pace")
    op.drop_table("lease")
