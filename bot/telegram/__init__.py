"""The edge to Telegram: updates in, screens out, calls sent, the clock's tick."""
