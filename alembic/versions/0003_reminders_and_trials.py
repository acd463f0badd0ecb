"""Trials learn their storage and their steps, reminders their series, customers their quiet hours."""

import sqlalchemy as sa

from alembic import op

revision = "0003_reminders_and_trials"
down_revision = "0002_delivery"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "series",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("customer_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("trial_id", sa.BigInteger(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("rule", sa.String(length=160), nullable=False),
        sa.Column("anchor_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_series")),
    )
    op.create_index(op.f("ix_series_customer_id"), "series", ["customer_id"])
    op.create_index(op.f("ix_series_trial_id"), "series", ["trial_id"])
    with op.batch_alter_table("trial") as trial:
        trial.add_column(sa.Column("storage_gb", sa.Integer(), nullable=False, server_default="0"))
        trial.add_column(
            sa.Column("storage_price_per_gb_month", sa.String(length=32), nullable=False, server_default="0")
        )
        trial.add_column(sa.Column("stops", sa.JSON(), nullable=False, server_default="[]"))
        trial.add_column(sa.Column("moved_at", sa.DateTime(timezone=True), nullable=True))
        trial.add_column(sa.Column("verified_at", sa.DateTime(timezone=True), nullable=True))
    with op.batch_alter_table("reminder") as reminder:
        reminder.add_column(sa.Column("series_id", sa.BigInteger(), nullable=True))
        reminder.add_column(sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True))
        reminder.create_index(op.f("ix_reminder_series_id"), ["series_id"])
    with op.batch_alter_table("customer") as customer:
        customer.add_column(sa.Column("quiet_hours", sa.String(length=16), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("customer") as customer:
        customer.drop_column("quiet_hours")
    with op.batch_alter_table("reminder") as reminder:
        reminder.drop_index(op.f("ix_reminder_series_id"))
        reminder.drop_column("answered_at")
        reminder.drop_column("series_id")
    with op.batch_alter_table("trial") as trial:
        for name in ("verified_at", "moved_at", "stops", "storage_price_per_gb_month", "storage_gb"):
            trial.drop_column(name)
    op.drop_table("series")
