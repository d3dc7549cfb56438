"""Shared by the tests of the command."""
