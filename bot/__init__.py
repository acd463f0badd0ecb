"""The support desk of a GPU-rental company in Telegram: requirements, estimates, reminders, staff."""
