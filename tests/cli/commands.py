"""Commands as people type them, on the sample's first draft and two documents near to it."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from click.testing import CliRunner, Result

from extras import skip_without
from foreart.cli.app import app

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))
DRAFT = SAMPLE / "drafts" / "interspinous-fusion.docx"
FIRST, SECOND = "XX20090312644A1", "XX20140257312A1"


def run(*arguments: object, code: int = 0) -> Result:
    """The result of a command that ends with a code."""
    result = CliRunner().invoke(app, [*map(str, arguments)])
    if result.exit_code != code:
        skip_without(result.output)
    assert result.exit_code == code, result.output
    return result
