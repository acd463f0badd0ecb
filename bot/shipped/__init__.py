"""Files that the bot sends to customers as they are; nothing here is imported by the bot."""
