"""The staff's side: the life of a request and what goes to which topic."""
