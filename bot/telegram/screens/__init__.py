"""Screens as texts and buttons: a function of the screen's value and the reader's language."""
