"""Estimates as pictures."""
