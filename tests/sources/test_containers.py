"""Packed files: every packing and nesting gives the same patents, and no trap costs more than a line in the ledger."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from foreart.document.patent import Patent
from foreart.document.reject import Reject
from foreart.sources import scan
from foreart.sources.opening.containers import MAX_DEPTH, members
from foreart.sources.opening.stream import MAX_RATIO, Budget, Stream
from foreart.sources.patent_files import raw_records

JSONL = b"".join(
    json.dumps({"id": f"XX{number}A1", "title": f"Hinge {number}", "abstract": "A hinge."}).encode() + b"\n"
    for number in (101, 102, 103)
)
XML = b"""<?xml version="1.0" encoding="UTF-8"?>
<us-patent-grant lang="EN"><us-bibliographic-data-grant><publication-reference><document-id><country>US</country>
<doc-number>07000001</doc-number><kind>B2</kind><date>20060214</date></document-id></publication-reference>
<invention-title>Door hinge</invention-title></us-bibliographic-data-grant></us-patent-grant>
"""
THREE = ["XX101A1", "XX102A1", "XX103A1"]

Members = list[tuple[str, bytes]]


def zipped(files: Members, *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return raw.getvalue()


def tarred(files: Members) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return raw.getvalue()


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def gz(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "jsonl": lambda data: data,
    "jsonl.gz": gz,
    "jsonl.xz": lzma.compress,
    "jsonl.bz2": bz2.compress,
    "jsonl.zst": zst,
    "zip": lambda data: zipped([("a.jsonl", data)]),
    "stored.zip": lambda data: zipped([("a.jsonl", data)], method=zipfile.ZIP_STORED),
    "bzip2.zip": lambda data: zipped([("a.jsonl", data)], method=zipfile.ZIP_BZIP2),
    "lzma.zip": lambda data: zipped([("a.jsonl", data)], method=zipfile.ZIP_LZMA),
    "tar": lambda data: tarred([("a.jsonl", data)]),
    "tar.gz": lambda data: gz(tarred([("a.jsonl", data)])),
    "tar.xz": lambda data: lzma.compress(tarred([("a.jsonl", data)])),
    "tar.zst": lambda data: zst(tarred([("a.jsonl", data)])),
    "zip in tar": lambda data: tarred([("a.zip", zipped([("b.jsonl", data)]))]),
    "gz in zip": lambda data: zipped([("a.jsonl.gz", gz(data))]),
    "zip in zip in tar.bz2": lambda data: bz2.compress(tarred([("a", zipped([("b", zipped([("c", data)]))]))])),
}


def read(path: Path) -> tuple[list[str], list[Reject]]:
    """Ids and rejects of a file."""
    found = list(scan(path))
    return [item.id for item in found if isinstance(item, Patent)], [item for item in found if isinstance(item, Reject)]


def read_bytes(folder: Path, data: bytes, name: str = "file") -> tuple[list[str], list[Reject]]:
    path = folder / name
    path.write_bytes(data)
    return read(path)


@pytest.mark.parametrize("packing", PACKINGS)
def test_every_packing_gives_the_same_patents(packing: str, tmp_path: Path):
    name = "file." + packing.replace(" ", "_")
    assert read_bytes(tmp_path, PACKINGS[packing](JSONL), name) == (THREE, [])


@pytest.mark.parametrize("suffix", [".xml", ".zip", ".gz", ".txt", ""])
@pytest.mark.parametrize("packing", PACKINGS)
def test_files_are_known_by_their_bytes_not_by_their_suffix(packing: str, suffix: str, tmp_path: Path):
    assert read_bytes(tmp_path, PACKINGS[packing](JSONL), f"file{suffix}") == (THREE, [])


def test_xml_is_read_from_a_packed_file(tmp_path: Path):
    (patent,) = scan(_written(tmp_path / "week.zip", zipped([("ipg060214.xml", XML)])))
    assert isinstance(patent, Patent)
    assert (patent.id, patent.title, patent.published) == ("US7000001B2", "Door hinge", "2006-02-14")
    assert patent.origins[0].file == f"{tmp_path}/week.zip!ipg060214.xml"
    assert patent.origins[0].format == "uspto-xml-v4"


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("pack", [gz, lzma.compress, bz2.compress, zst])
def test_members_of_one_compressed_file_follow_each_other(pack: Callable[[bytes], bytes], tmp_path: Path):
    lines = JSONL.splitlines(keepends=True)
    assert read_bytes(tmp_path, b"".join(pack(line) for line in lines)) == (THREE, [])


def test_a_zst_file_with_checksums_skippable_frames_and_repeated_bytes(tmp_path: Path):
    line = JSONL + b" " * 500_000 + b"\n"
    packed = zstandard.ZstdCompressor(write_checksum=True, write_content_size=False).compress(line)
    skippable = b"\x50\x2a\x4d\x18" + (300).to_bytes(4, "little") + b"x" * 300
    assert read_bytes(tmp_path, packed + skippable + packed) == (THREE * 2, [])


def test_members_of_a_zip_come_in_order_of_name(tmp_path: Path):
    lines = JSONL.splitlines()
    shuffled = [("c.jsonl", lines[2]), ("a/z.jsonl", lines[0]), ("b.jsonl", lines[1])]
    assert read_bytes(tmp_path, zipped(shuffled)) == (THREE, [])


def test_directories_empty_members_and_media_are_passed_over_in_silence(tmp_path: Path):
    files = [
        ("folder/", b""),
        ("empty.xml", b""),
        ("blank.xml", b" \n"),
        ("D00001.TIF", b"II*\0" + bytes(100)),
        ("unnamed-tiff", b"MM\0*" + bytes(100)),
        ("picture", b"\x89PNG\r\n\x1a\n"),
        ("photo", b"\xff\xd8\xff\xe0"),
        ("scan", b"%PDF-1.4"),
        ("bitmap", b"BM\x36\0\0\0\0\0\0\0\x36"),
        ("chemistry.cdx", b"anything"),
        ("us-patent-grant-v45.dtd", b"<!ELEMENT us-patent-grant ANY>"),
        ("x.jsonl", JSONL),
    ]
    assert read_bytes(tmp_path, zipped(files)) == (THREE, [])
    assert read_bytes(tmp_path, tarred(files[1:])) == (THREE, [])


def test_text_that_begins_with_the_letters_of_a_bitmap_is_not_taken_for_one(tmp_path: Path):
    _, rejects = read_bytes(tmp_path, zipped([("a.txt", b"BM is an abbreviation.")]))
    assert [reject.file for reject in rejects] == [f"{tmp_path}/file!a.txt"]


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_unknown_member_is_one_reject_and_the_rest_goes_on(pack: Callable[[Members], bytes], tmp_path: Path):
    ids, rejects = read_bytes(tmp_path, pack([("a.txt", b"Read me first."), ("b.jsonl", JSONL)]))
    assert ids == THREE
    assert [(reject.file, reject.raw) for reject in rejects] == [(f"{tmp_path}/file!a.txt", b"Read me first.")]
    assert rejects[0].reason == "no known patent format; `foreart formats` lists what can be read"


# Damage: what was whole is read, then one line in the ledger.


def _many(count: int) -> tuple[list[str], bytes]:
    ids = [f"XX{number}A1" for number in range(1000, 1000 + count)]
    # Not to be compressed away: each line has its own noise.
    texts = [zlib.crc32(number.encode()).to_bytes(4, "big").hex() * 40 for number in ids]
    records = [
        {"id": number, "title": "Hinge", "abstract": f"{number} {text}"}
        for number, text in zip(ids, texts, strict=True)
    ]
    return ids, b"".join(json.dumps(record).encode() + b"\n" for record in records)


@pytest.mark.parametrize("size", [40, 4000])
@pytest.mark.parametrize("pack", [gz, lzma.compress, bz2.compress, zst])
def test_of_a_cut_off_compressed_file_what_is_whole_is_read(pack: Callable[[bytes], bytes], size: int, tmp_path: Path):
    all_ids, data = _many(size)
    packed = pack(data)
    ids, rejects = read_bytes(tmp_path, packed[: len(packed) * 3 // 4])
    assert ids == all_ids[: len(ids)]
    if pack is gz or size == 4000:  # the others give out whole blocks, and the small file has only one
        assert len(ids) > size // 2 if pack is not lzma.compress else len(ids) > size // 4
    assert len(ids) < size
    assert [reject.reason.partition(":")[0] for reject in rejects] == ["damaged or truncated"]
    assert rejects[0].raw == data[:1024] or not ids


@pytest.mark.parametrize("pack", [gz, lzma.compress, bz2.compress, zst])
def test_no_cut_at_all_passes_in_silence(pack: Callable[[bytes], bytes], tmp_path: Path):
    """Wherever it is cut, a compressed file either says so or has lost nothing."""
    packed = pack(JSONL)
    for length in range(12, len(packed), 3):
        ids, rejects = read_bytes(tmp_path, packed[:length])
        assert ids == THREE[: len(ids)]
        assert len(rejects) == 1, length


def _random_lines(count: int) -> tuple[list[str], Members]:
    ids, data = _many(count)
    return ids, [(f"{number}.jsonl", line) for number, line in zip(ids, data.splitlines(), strict=True)]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_of_a_cut_off_zip_the_members_before_the_cut_are_read(method: int, tmp_path: Path):
    all_ids, files = _random_lines(20)
    packed = zipped(files, method=method)
    end = packed.index(b"XX1010A1.jsonl") + 30
    ids, rejects = read_bytes(tmp_path, packed[:end])
    assert ids == all_ids[:10]
    assert [reject.reason.partition(":")[0] for reject in rejects] == ["damaged or truncated"]
    assert rejects[0].file == f"{tmp_path}/file!XX1010A1.jsonl"


def test_a_zip_without_its_directory_is_read_whole_and_said_to_be_damaged(tmp_path: Path):
    packed = zipped([("a.jsonl", JSONL), ("b.txt", b"read me"), ("c.jsonl", JSONL)])
    ids, rejects = read_bytes(tmp_path, packed[: packed.index(b"PK\x01\x02")])
    assert ids == THREE * 2
    assert [reject.reason[:20] for reject in rejects] == ["no known patent form", "damaged or truncated"]


def test_a_streamed_zip_without_its_directory_is_read_too(tmp_path: Path):
    """Sizes stand behind the members when a zip was written to a pipe."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = b""

        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:  # type: ignore[override]
            self.data += bytes(data)
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[arg-type]
        archive.writestr("a.jsonl", JSONL)
        archive.writestr("b.jsonl", JSONL)
    assert pipe.data[6] & 8
    ids, rejects = read_bytes(tmp_path, pipe.data[: pipe.data.index(b"PK\x01\x02")])
    assert (ids, len(rejects)) == (THREE * 2, 1)


@pytest.mark.parametrize(("cut", "whole"), [(540, 0), (700, 1), (512 * 3 + 100, 2), (512 * 6 + 20, 3)])
def test_of_a_cut_off_tar_the_members_before_the_cut_are_read(cut: int, whole: int, tmp_path: Path):
    """A member takes a block of 512 bytes for its header and one for its 70 bytes of data."""
    line = JSONL.splitlines()[0]
    files = [(f"{number}.jsonl", line.replace(b"101", b"%d" % number)) for number in range(201, 209)]
    ids, rejects = read_bytes(tmp_path, tarred(files)[:cut])
    assert ids == [f"XX{number}A1" for number in range(201, 201 + whole)]
    assert [reject.reason.partition(":")[0] for reject in rejects] == ["damaged or truncated"]


def test_a_tar_cut_within_a_record_says_so(tmp_path: Path):
    packed = tarred([("a.jsonl", JSONL), ("b.jsonl", JSONL * 20)])
    ids, rejects = read_bytes(tmp_path, packed[: 512 * 4 + 10])
    assert ids == THREE * (len(ids) // 3) + THREE[: len(ids) % 3]
    assert [(reject.file, reject.reason[:20]) for reject in rejects] == [
        (f"{tmp_path}/file!b.jsonl", "damaged or truncated")
    ]


def test_a_cut_off_tar_gz_is_told_once(tmp_path: Path):
    all_ids, files = _random_lines(200)
    packed = gz(tarred(files))
    ids, rejects = read_bytes(tmp_path, packed[: len(packed) // 2])
    assert ids == all_ids[: len(ids)]
    assert len(ids) > 50
    assert [reject.reason[:20] for reject in rejects] == ["damaged or truncated"]


def test_a_broken_header_in_the_middle_of_a_tar_is_not_its_end(tmp_path: Path):
    packed = bytearray(tarred([("a.jsonl", JSONL), ("b.jsonl", JSONL), ("c.jsonl", JSONL)]))
    packed[packed.index(b"b.jsonl") + 150] ^= 1  # its checksum
    ids, rejects = read_bytes(tmp_path, bytes(packed))
    assert ids == THREE
    assert [reject.reason[:20] for reject in rejects] == ["damaged or truncated"]


def test_a_damaged_member_does_not_cost_the_others_of_its_zip(tmp_path: Path):
    cut = gz(JSONL)[:-20]
    files = [("a.jsonl.gz", cut), ("b.zip", b"PK\x03\x04 no zip"), ("c.tar.gz", gz(tarred([("d", JSONL)])[:560]))]
    packed = zipped([*files, ("z.jsonl", JSONL)])
    ids, rejects = read_bytes(tmp_path, packed)
    assert ids[-3:] == THREE
    assert [reject.file.partition("!")[2] for reject in rejects] == ["a.jsonl.gz", "b.zip", "c.tar.gz!d"]
    assert {reject.reason[:20] for reject in rejects} == {"damaged or truncated"}


def test_a_member_whose_checksum_is_wrong_is_rejected(tmp_path: Path):
    packed = bytearray(zipped([("a.jsonl", JSONL), ("b.jsonl", JSONL)], method=zipfile.ZIP_STORED))
    packed[packed.index(b"Hinge 101")] = ord("X")
    ids, rejects = read_bytes(tmp_path, bytes(packed))
    assert ids == THREE
    assert [(reject.file, reject.reason[:28]) for reject in rejects] == [
        (f"{tmp_path}/file!a.jsonl", "damaged or truncated: Bad CR")
    ]


def test_an_encrypted_zip_is_refused_in_words_and_its_open_members_are_read(tmp_path: Path):
    packed = bytearray(zipped([("a.jsonl", JSONL), ("b.jsonl", JSONL), ("c.jsonl", JSONL)]))
    for place in (packed.index(b"b.jsonl") - 30 + 6, packed.rindex(b"b.jsonl") - 46 + 8):
        packed[place] |= 1
    ids, rejects = read_bytes(tmp_path, bytes(packed))
    assert ids == THREE * 2
    assert [reject.reason for reject in rejects] == ["1 of 3 members are encrypted (b.jsonl); unpack them first"]


def test_a_method_of_packing_that_python_lacks_is_refused_in_words(tmp_path: Path):
    packed = bytearray(zipped([("a.jsonl", JSONL), ("b.jsonl", JSONL)]))
    for place in (packed.index(b"a.jsonl") - 30 + 8, packed.rindex(b"a.jsonl") - 46 + 10):
        packed[place : place + 2] = (98).to_bytes(2, "little")  # PPMd
    ids, rejects = read_bytes(tmp_path, bytes(packed))
    assert ids == THREE
    assert [reject.reason.partition(":")[0] for reject in rejects] == ["unsupported compression"]


def test_a_name_that_is_no_text_costs_only_its_member(tmp_path: Path):
    packed = bytearray(zipped([("ä.jsonl", JSONL), ("b.jsonl", JSONL)]))
    broken = packed.copy()
    broken[packed.index("ä".encode())] = 0xFF  # in the header of the member
    ids, rejects = read_bytes(tmp_path, bytes(broken))
    assert (ids, [reject.file for reject in rejects]) == (THREE, [f"{tmp_path}/file!ä.jsonl"])
    broken = packed.copy()
    broken[packed.rindex("ä".encode())] = 0xFF  # in the directory: the members are read without it
    ids, rejects = read_bytes(tmp_path, bytes(broken))
    assert (ids, [reject.reason[:20] for reject in rejects]) == (THREE * 2, ["damaged or truncated"])


# Traps.

LIMITED = """
import resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20))
from foreart.sources import scan
began = time.monotonic()
for item in scan(sys.argv[1]):
    print(str(item)[:200] if hasattr(item, "reason") else item.id)
print("seconds", time.monotonic() - began, file=sys.stderr)
"""


def limited(path: Path) -> list[str]:
    """What a process with 900 MiB of address space reads of a file, in at most 60 seconds."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "TMPDIR": str(path.parent)}
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True, timeout=60, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


HUNDREDS = 300 << 20
START = JSONL + b'{"id": "XX999A1", "title": "'


def _zeros(pack: str) -> bytes:
    """A bomb that opens like a file of ours."""
    block = b"0" * (1 << 20)
    if pack == "zip":
        raw = io.BytesIO()
        with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.jsonl", "w") as member:
            member.write(START)
            for _ in range(HUNDREDS >> 20):
                member.write(block)
        return raw.getvalue()
    state = {
        "gz": lambda: zlib.compressobj(9, zlib.DEFLATED, 31),
        "xz": lambda: lzma.LZMACompressor(preset=1),
        "bz2": lambda: bz2.BZ2Compressor(),
        "zst": lambda: zstandard.ZstdCompressor().compressobj(),
    }[pack]()
    return b"".join((state.compress(START), *(state.compress(block) for _ in range(HUNDREDS >> 20)), state.flush()))


@pytest.mark.parametrize("pack", ["zip", "gz", "xz", "bz2", "zst"])
def test_a_bomb_is_refused_soon_and_with_little_memory(pack: str, tmp_path: Path):
    path = _written(tmp_path / "bomb", _zeros(pack))
    assert path.stat().st_size < HUNDREDS // MAX_RATIO
    began = time.monotonic()
    said = limited(path)
    assert time.monotonic() - began < 20
    assert said[:3] == THREE
    assert len(said) == 4
    assert "treated as a zip bomb and not read further" in said[3]


def test_a_bomb_within_bombs_is_refused_once(tmp_path: Path):
    """Like 42.zip: 16 archives of 16 archives of 16 bombs, 1.2 TB in all."""
    packed = _zeros("zip")
    for _ in range(2):
        packed = zipped([(f"{number:02}.zip", packed) for number in range(16)])
    path = _written(tmp_path / "42.zip", packed)
    began = time.monotonic()
    said = limited(path)
    assert time.monotonic() - began < 45
    bombs = [line for line in said if "treated as a zip bomb" in line]
    assert len(bombs) < 100
    assert "unpacks to more than 1,000 times its size" in bombs[-1]
    assert list(tmp_path.iterdir()) == [path]


def test_an_xz_file_that_asks_for_gigabytes_of_memory_is_refused(tmp_path: Path):
    huge = bytearray(lzma.compress(JSONL, filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}]))
    # After the stream header (12 bytes) the block header: size, flags, filter 0x21, length 1, size of the dictionary.
    assert huge[12 + 2 : 12 + 4] == b"\x21\x01"
    huge[12 + 4] = 39  # 3 GiB
    end = 12 + 4 * (huge[12] + 1)
    huge[end - 4 : end] = zlib.crc32(bytes(huge[12 : end - 4])).to_bytes(4, "little")
    said = limited(_written(tmp_path / "file.xz", bytes(huge)))
    assert len(said) == 1
    assert "damaged or truncated: Memory usage limit exceeded" in said[0]


def test_a_sparse_tar_is_no_way_around_the_limit(tmp_path: Path):
    """GNU tar stores holes as numbers: 7 GiB of zeros in one block."""
    info = tarfile.TarInfo("a.jsonl")
    info.type = tarfile.GNUTYPE_SPARSE
    info.size = 512
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[386:398], header[398:410] = b"00000000000\0", b"00000001000\0"
    header[483:495] = b"%011o\0" % (7 << 30)
    header[148:156] = b" " * 8
    header[148:155] = b"%06o\0" % sum(header)
    rest = tarred([("b.jsonl", JSONL)])
    path = _written(tmp_path / "sparse.tar", bytes(header) + JSONL.ljust(512, b" ") + rest)
    with tarfile.open(path) as archive:
        assert [info.size for info in archive] == [7 << 30, len(JSONL)]
    assert limited(path) == [f"{path}!a.jsonl: a sparse file in a tar file; unpack it first", *THREE]


def test_archives_nested_too_deep_are_refused_and_their_neighbours_read(tmp_path: Path):
    deep = JSONL
    for _ in range(MAX_DEPTH + 1):
        deep = zipped([("a", deep)])
    ids, rejects = read_bytes(tmp_path, zipped([("deep", deep), ("flat", JSONL)]))
    assert ids == THREE
    assert [reject.reason for reject in rejects] == ["archives nested more than 5 deep"]
    shallow = JSONL
    for _ in range(MAX_DEPTH):
        shallow = zipped([("a", shallow)])
    assert read_bytes(tmp_path, shallow) == (THREE, [])


def test_links_and_devices_in_a_tar_are_never_followed(tmp_path: Path):
    secret = _written(tmp_path / "secret.jsonl", JSONL)
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        for name, kind in (("soft", tarfile.SYMTYPE), ("hard", tarfile.LNKTYPE), ("null", tarfile.CHRTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, str(secret)
            archive.addfile(info)
        info = tarfile.TarInfo("a.jsonl")
        info.size = len(JSONL)
        archive.addfile(info, io.BytesIO(JSONL))
    assert read_bytes(tmp_path, raw.getvalue()) == (THREE, [])


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_names_that_lead_elsewhere_write_nothing(
    pack: Callable[[Members], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    inside = tmp_path / "inside"
    inside.mkdir()
    monkeypatch.chdir(inside)
    names = ["../evil.jsonl", f"{tmp_path}/absolute.jsonl", "C:\\evil.jsonl"]
    inner = zipped([("../nested.jsonl", JSONL)])
    path = _written(inside / "file", pack([*((name, JSONL) for name in names), ("../z.zip", inner)]))
    assert read(path) == (THREE * 4, [])
    assert sorted(item.name for item in tmp_path.rglob("*")) == ["file", "inside"]


def test_an_office_document_is_no_archive_of_documents(tmp_path: Path):
    packed = zipped([("[Content_Types].xml", b"<Types/>"), ("word/document.xml", b"<w/>")])
    _, rejects = read_bytes(tmp_path, packed, "letter.docx")
    assert [reject.file for reject in rejects] == [f"{tmp_path}/letter.docx"]


# Nothing in it, and where it comes from.


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b" \r\n", "the file is empty"),
        (gz(b""), "the file is empty"),
        (zst(b""), "the file is empty"),
        (zipped([]), "there is no file in the archive"),
        (zipped([("folder/", b"")]), "there is no file in the archive"),
    ],
)
def test_a_file_with_nothing_in_it_says_so(data: bytes, reason: str, tmp_path: Path):
    ids, rejects = read_bytes(tmp_path, data)
    assert ids == []
    assert [reject.reason for reject in rejects] == [reason]


def test_a_folder_is_all_its_files_by_name(tmp_path: Path):
    lines = JSONL.splitlines()
    (tmp_path / "b").mkdir()
    _written(tmp_path / "c.jsonl", lines[2])
    _written(tmp_path / "b" / "x.jsonl.gz", gz(lines[1]))
    _written(tmp_path / "a.zip", zipped([("1", lines[0])]))
    assert read(tmp_path) == (THREE, [])


@pytest.mark.parametrize("packing", ["jsonl", "jsonl.gz", "zip", "tar.xz"])
def test_standard_input_is_read_like_a_file(packing: str):
    code = "from foreart.sources import scan\nprint([item.id for item in scan('-')])"
    done = subprocess.run([sys.executable, "-c", code], input=PACKINGS[packing](JSONL), capture_output=True, check=True)
    assert done.stdout.decode().strip() == str(THREE)


@pytest.mark.parametrize("codec", ["utf-16-le-bom", "utf-16-be-bom", "utf-16-le", "utf-16-be"])
def test_xml_in_utf16_is_recognised_and_read(codec: str, tmp_path: Path):
    text = XML.decode().replace("UTF-8", "UTF-16").replace("Door hinge", "Türscharnier – 𝛼")
    mark = "\ufeff" if codec.endswith("-bom") else ""
    data = (mark + text).encode(codec.removesuffix("-bom"))
    (patent,) = scan(_written(tmp_path / "file.xml", data))
    assert isinstance(patent, Patent), patent
    assert patent.title == "Türscharnier – 𝛼"


def test_the_pieces_of_a_stream_that_breaks_come_before_its_error():
    stream = Stream("x", _Breaking(JSONL, OSError("the network is gone")))
    (member,) = members(stream, Budget(1))
    assert member.read(10) == JSONL[:10]
    assert member.read(10_000) == JSONL[10:]
    with pytest.raises(OSError, match="the network is gone"):
        member.read(1)
    assert member.start == JSONL[:1024]


class _Breaking:
    def __init__(self, data: bytes, error: Exception) -> None:
        self.data, self.error = data, error

    def read(self, size: int = -1, /) -> bytes:
        if not self.data:
            raise self.error
        data, self.data = self.data[:7], self.data[7:]
        return data


@pytest.mark.parametrize("packing", ["zip", "tar", "tar.gz", "jsonl.xz", "jsonl.zst", "jsonl.bz2", "stored.zip"])
def test_damaged_archives_never_stop_the_reading(packing: str, tmp_path: Path):
    """A thousand single damages: rejects and patents, no other exception."""
    packed = PACKINGS[packing](JSONL)
    path = tmp_path / "file"
    outcomes = set()
    for place in range(0, len(packed), max(1, len(packed) // 300)):
        for value in (0x00, 0xFF, packed[place] ^ 0x10):
            path.write_bytes(packed[:place] + bytes([value]) + packed[place + 1 :])
            outcomes.update(type(item).__name__ for item in raw_records(path))
    assert outcomes == {"Document", "Reject"}
