"""Results for people and programs, by form: pages (HTML), terminal, exports (JSON, CSV, XLSX, DOCX), plots."""

__all__: list[str] = []
