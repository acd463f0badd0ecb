"""What happens next in a conversation: state and event in, state and effects out; no clock, database or Telegram."""
