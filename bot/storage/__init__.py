"""Rows are the truth: tables, and queries as functions."""
