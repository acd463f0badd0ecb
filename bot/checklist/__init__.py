"""The requirements checklist: its fields, answers, order, templates and summary."""
