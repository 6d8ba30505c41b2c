"""Files are read only in folders of `--allow`, whatever names and links say; without it no tool takes one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from foreart import SAMPLE
from foreart.errors import BadFile
from foreart.mcp.allowed_files import LARGEST, allowed_bytes
from mcp_world import answer, refusal, with_tools

OUTSIDE = "the file is not in a folder that `foreart mcp --allow FOLDER` names: give its text as `text` instead"
PUMP = "XX8246714B2"


@pytest.fixture
def drafts(tmp_path: Path) -> Path:
    folder = tmp_path / "drafts"
    (folder / "inner").mkdir(parents=True)
    for file in (SAMPLE / "drafts").glob("*.*"):
        shutil.copy(file, folder)
    (tmp_path / "secret.txt").write_text("SECRETWORD of a person who did not allow this to be read", "utf-8")
    (tmp_path / "drafts-too").mkdir()
    shutil.copy(tmp_path / "secret.txt", tmp_path / "drafts-too")
    return folder


def test_only_with_a_folder_there_is_an_argument_file(sample: Path, drafts: Path) -> None:
    def taking(*allowed: Path) -> set[str]:
        tools = with_tools(sample, lambda client: client.list_tools(), *allowed).tools
        return {tool.name for tool in tools if "file" in tool.input_schema["properties"]}

    assert taking() == set()
    assert taking(drafts) == {"search", "draft", "explain", "chart"}


def test_a_file_of_the_folder_is_the_draft(sample: Path, drafts: Path, pump: str) -> None:
    for file in ("insulin-pump.txt", str(drafts / "insulin-pump.txt"), "inner/../insulin-pump.txt"):
        assert answer(sample, "draft", drafts, file=file)["title"].startswith("WEARABLE DRUG PUMP")
    by_text = answer(sample, "search", text=pump, k=3)
    assert answer(sample, "search", drafts, file="insulin-pump.txt", k=3)["hits"] == by_text["hits"]
    assert answer(sample, "draft", drafts, file="ultrasound-probe.pdf")["claims"]
    assert answer(sample, "explain", drafts, file="insulin-pump.txt", numbers=[PUMP])["documents"]
    assert answer(sample, "chart", drafts, file="insulin-pump.txt", references=[PUMP])["cells"]
    assert "give exactly one of `text`, the draft itself, and `number`, a patent of the corpus, or `file`" in refusal(
        sample, "search", drafts, file="insulin-pump.txt", number=PUMP
    )


def test_nothing_outside_is_read(sample: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(drafts.parent)
    (drafts / "link.txt").symlink_to(drafts.parent / "secret.txt")
    (drafts / "far").symlink_to(drafts.parent)
    (drafts / "loop").symlink_to(drafts / "loop")
    outside = [
        "../secret.txt", "inner/../../secret.txt", str(drafts.parent / "secret.txt"), "secret.txt", "link.txt",
        "far/secret.txt", "/etc/passwd", "~/.profile", "../drafts-too/secret.txt", "..", "/", "loop", "nothing.txt",
        "a\0b", "x" * 4_000, "file:///etc/passwd", "..\\secret.txt", "%2e%2e/secret.txt", ".",
    ]  # fmt: skip
    for file in outside:
        said = refusal(sample, "draft", drafts, file=file)
        assert said == OUTSIDE, file
    assert "give exactly one" in refusal(sample, "draft", drafts, file="")


def test_a_link_that_stays_inside_is_followed_and_one_put_there_meanwhile_is_not(drafts: Path) -> None:
    (drafts / "alias.txt").symlink_to("insulin-pump.txt")
    assert allowed_bytes("alias.txt", [drafts])[1].startswith(b"WEARABLE")
    assert allowed_bytes("insulin-pump.txt", [drafts / "inner", drafts])[0] == "insulin-pump.txt"
    from foreart.mcp.allowed_files import _read

    (drafts / "swapped").symlink_to(drafts.parent)
    with pytest.raises(BadFile, match="cannot be read"):
        _read(drafts.resolve(), Path("swapped/secret.txt"))
    (drafts / "changed.txt").symlink_to(drafts.parent / "secret.txt")
    with pytest.raises(BadFile, match="cannot be read"):
        _read(drafts.resolve(), Path("changed.txt"))


def test_what_is_no_draft_is_refused_in_a_sentence(sample: Path, drafts: Path) -> None:
    os.mkfifo(drafts / "pipe")
    (drafts / "empty.txt").touch()
    (drafts / "binary.doc").write_bytes(bytes(range(256)) * 50)
    (drafts / "bomb.rtf").write_bytes(b"{\\rtf1" + b"{" * 100_000)
    with (drafts / "large.txt").open("wb") as file:
        file.truncate(LARGEST + 1)
    for name, said in {
        "inner": "that is not a file",
        "pipe": "that is not a file",
        "empty.txt": "empty.txt is empty; give the text itself as `text`",
        "binary.doc": "binary.doc is not a readable draft",
        "bomb.rtf": "bomb.rtf ",
        "large.txt": "the file has more than 64 MB: remove its drawings",
    }.items():
        assert said in refusal(sample, "draft", drafts, file=name), name
