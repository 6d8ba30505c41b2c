"""Imported by the process whose forks read uploads: what a first reading compiles is compiled there, once."""

from __future__ import annotations

from foreart.sources.drafts.upload_reading import read_upload

# Patterns of headings and mentions; each fork took a tenth of a second for them.
read_upload(b"FIELD\n\nA pump as in US 7,585,299 B2.\n\nWhat is claimed is:\n\n1. A pump.", "warming.txt", {})
