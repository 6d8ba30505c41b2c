"""Finds a patent application's prior art."""
