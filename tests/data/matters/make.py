"""Makes open.matter, sealed.matter and expected.json with the installed foreart: `python tests/data/matters/make.py`.

They were made by the first version that has matters, and are never made again: later versions must read them.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from foreart import Library  # noqa: E402
from foreart.review.matters import state_json  # noqa: E402
from matter_world import PASSPHRASE, SCRIPT  # noqa: E402
from pawls import DRAFT, PATENTS  # noqa: E402

with tempfile.TemporaryDirectory() as folder, Library(folder) as library:
    library.corpus.add(PATENTS)
    library.build()
    with library.matter("open", create=True, title="Made by 0.2.0") as matter:
        matter.search(DRAFT, rater="ann", cutoff="2014-03-10")
        for event in SCRIPT:
            matter.append(event, rater="ann")
        matter.search(rater="bob", k=2, cutoff="2014-03-10")
        expected = {"state": state_json(matter.state), "check": matter.digest}
    shutil.copy(Path(folder, "matters", "open.matter"), HERE)
    with library.matter("open") as matter:
        matter.seal(PASSPHRASE)
    shutil.copy(Path(folder, "matters", "open.matter"), HERE / "sealed.matter")
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n", "utf-8")
