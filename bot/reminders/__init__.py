"""What is due, when it comes again, and what it is called; texts are made when a reminder is sent."""
