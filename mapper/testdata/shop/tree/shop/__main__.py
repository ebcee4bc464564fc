"""Runs the shop as a module."""
