"""USPTO file wrappers: archives against facts read off their bytes, and odd wrappers of our own."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from expectation import RAW, Expected, check_file, files, needs_raw, only, patents
from foreart.errors import BadRecord
from foreart.sources.formats.uspto_xml4ip import READER, group

ARCHIVE = RAW / "uspto_xml4ip_zip/sample_XML4IP.ZIP"
INVENTED: tuple[Expected, ...] = (
    Expected(id="US12/990042", title="", claims=1, claim_text=("A tape", "of moss."), paragraphs=0),
    Expected(
        id="US13/990040",
        title="SLED WITH A BELL",
        # as amended in 2014: 1 changed, 3 cancelled, 4 new
        claims=3,
        depends_on={1: (), 2: (1,), 4: (2,)},
        abstract=("A sled", "rings."),
        # The paragraph of the amendment follows the specification.
        description=("SLED WITH A BELL\nTECHNICAL FIELD\nSleds run down hills and do not stop.", "it is small."),
        # The page ends inside the sentence: three lines, not four; what the office's form adds is taken out.
        claim_text=(
            "A sled for two riders, comprising:\ntwo runners; and\na bell which rings in such a way as to warn the",
            "of claim 2.",
        ),
        paragraphs=6,
        more={"application_number": "US13/990040"},
    ),
    Expected(
        id="US13/990041",
        title="SCALE WITHOUT BUTTONS",
        abstract=("A scale is", "wake it."),
        paragraphs=0,
    ),
)
APPLICATIONS: tuple[Expected, ...] = (
    Expected(
        id="US12/993548",
        title="",
        claims=17,
        depends_on={1: (), 2: (1,), 16: (8,), 17: (11,)},
        claim_text=("An adhesive tape", "30% to 60%."),
        paragraphs=0,
    ),
    Expected(id="US13/694401", title="", description=("Applicants : Brian", "related component.."), paragraphs=3),
    Expected(
        id="US13/821389",
        title="MULTI-MODE BUTTONLESS SCALE",
        abstract=("A digital scale", "41 M"),
        paragraphs=0,
    ),
    Expected(
        id="US13/962724",
        title=(
            "APPARATUS INCLUDING POWERED-ACTUATOR ASSEMBLY FOR MOVING LOAD-BEARING FRAME ASSEMBLY RELATIVE TO HITCH"
            " ASSEMBLY OF VEHICLE"
        ),
        # 23 as amended in 2014, claim 22 cancelled
        claims=22,
        depends_on={1: (), 4: (3,), 14: (13,), 17: (16,), 20: (1,), 23: ()},
        abstract=("An apparatus is", "the tool box."),
        description=("APPARATUS INCLUDING POWERED-ACTUATOR", "merely illustrative as examples."),
        claim_text=("An apparatus for", "the frame assembly."),
        # 81 paragraphs, six of them empty, and 9 headings
        paragraphs=84,
    ),
    Expected(
        id="US14/522151",
        title="CONTEXT SENSITIVE, CLOUD-BASED TELEPHONY",
        claims=9,
        depends_on={17: (), 18: (17,), 20: (), 23: (20,), 25: (21,)},
        abstract=("Embodiments of the", "various telephone numbers."),
        description=("CONTEXT SENSITIVE, CLOUD-BASED", "1.125(b). 2"),
        claim_text=("A method, comprising:", "and associating operations."),
        # 152 paragraphs, two of them empty, 8 headings, and the two paragraphs of an amendment
        paragraphs=160,
    ),
)


@pytest.mark.parametrize(
    ("path", "facts"), files("uspto_xml4ip_zip", invented={ARCHIVE.name: INVENTED}, real={ARCHIVE.name: APPLICATIONS})
)
def test_an_archive_gives_one_patent_an_application(path: Path, facts: tuple[Expected, ...]) -> None:
    check_file(path, facts)
    assert all(patent.application_number == patent.id for patent in patents(path))


@needs_raw
def test_what_scanning_leaves_is_taken_out() -> None:
    by_id = {patent.id: patent for patent in patents(ARCHIVE)}
    hitch = by_id["US13/962724"]
    assert [claim.number for claim in hitch.claims] == [*range(1, 22), 23]
    assert not any("Atty. Dkt." in claim.text or "(Original)" in claim.text for claim in hitch.claims)
    # The page ends inside the sentence: two lines, not three.
    assert hitch.claims[1].text.count("\n") == 2
    assert hitch.claims[1].text.endswith(
        "in such a way as to facilitate secured connection between the frame assembly and the hitch assembly."
    )
    assert (hitch.description[3].number, hitch.description[3].heading) == ("0002", "TECHNICAL FIELD")
    phone = by_id["US14/522151"]
    headings = [p.text for p in phone.description if p.is_heading]
    assert headings == [
        "CROSS REFERENCE TO RELATED APPLICATION",
        "FIELD",
        "BACKGROUND",
        "SUMMARY",
        "BRIEF DESCRIPTION OF THE DRAWINGS",
        "DETAILED DESCRIPTION",
    ]


def _part(kind: str, date: str, body: str, number: str = "15000001") -> bytes:
    root = "ClaimsDocument" if kind == "CLM" else "SpecificationDocument"
    return (
        f'<?xml version="1.0" encoding="utf-8"?><pat:{root} xmlns:pat="urn:us:gov:doc:uspto:patent" pat:id="X">'
        f"<pat:DocumentCode>{kind}</pat:DocumentCode><pat:DocumentHeaderDetails><pat:ApplicationHeaderDetails>"
        f"<pat:ApplicationNumber>{number}</pat:ApplicationNumber></pat:ApplicationHeaderDetails>"
        "</pat:DocumentHeaderDetails>"
        f"<pat:MailRoomDate>{date}</pat:MailRoomDate>{body}</pat:{root}>"
    ).encode()


def _spec(*texts: str) -> str:
    return f"<pat:Specification>{''.join(f'<pat:P>{text}</pat:P>' for text in texts)}</pat:Specification>"


def _claims(*claims: tuple[int, str]) -> str:
    listed = (
        f'<pat:Claim pat:id="CLM-{number:05d}"><pat:ClaimNumber>{number}</pat:ClaimNumber><pat:ClaimText>{text}'
        "</pat:ClaimText></pat:Claim>"
        for number, text in claims
    )
    return f"<pat:ClaimSet><pat:ClaimList>{''.join(listed)}</pat:ClaimList></pat:ClaimSet>"


def test_the_latest_claims_stay_whatever_the_order_of_the_parts() -> None:
    old = _part("CLM", "2016-01-04", _claims((1, "1. A nut."), (2, "2. The nut of claim 1.")))
    new = _part(
        "CLM",
        "2017-03-02",
        _claims((1, "1. (Canceled)"), (2, "2. (Canceled)"), (3, "3. (New) A bolt, H<pat:Sub>2</pat:Sub>.")),
    )
    spec = _part("SPEC", "2016-01-04", _spec("NUTS AND", "BOLTS", "[0001] They are hard."))
    (patent,) = READER.parse(b"\n".join((new, spec, old)))
    assert [(claim.number, claim.text) for claim in patent.claims] == [(3, "A bolt, H2.")]
    assert (patent.id, patent.title) == ("US15/000001", "NUTS AND BOLTS")
    assert (patent.description[-1].text, patent.description[-1].number) == ("They are hard.", "0001")


def test_a_short_amendment_is_added_to_a_specification_and_a_long_one_takes_its_place() -> None:
    first = _part("SPEC", "2016-01-04", _spec("[0001] " + "Long ago. " * 30, "[0002] Short."))
    amendment = _part("SPEC", "2016-05-04", _spec("Please replace paragraph [0002]:", "[0002] Shorter."))
    substitute = _part("SPEC", "2016-09-04", _spec("[0001] " + "Anew. " * 60))
    (amended,) = READER.parse(first + amendment)
    assert [p.number for p in amended.description] == ["0001", "0002", "", "0002"]
    (replaced,) = READER.parse(first + substitute)
    assert len(replaced.description) == 1


def test_a_single_part_is_a_partial_patent() -> None:
    body = _spec("Please replace the Abstract:", "A nut.", "12").replace(
        "<pat:P>A", "<pat:Heading>ABSTRACT</pat:Heading><pat:P>A"
    )
    (patent,) = READER.parse(_part("ABST", "2016-01-04", body, "29000001"))
    assert (patent.id, patent.abstract, patent.claims) == ("US29/000001", "A nut.", ())
    assert patent.document_type == "design"


def test_no_application_number_is_refused() -> None:
    with pytest.raises(BadRecord, match="no application number"):
        list(READER.parse(_part("SPEC", "2016-01-04", _spec("A."), "")))
    with pytest.raises(BadRecord, match="not well-formed"):
        list(READER.parse(_part("SPEC", "2016-01-04", _spec("A."))[:-40]))


def test_groups_follow_the_application_number_of_the_member() -> None:
    assert group("a.zip!x/13962724/13962724.2013-08-08.HK4.CLM/13962724.2013-08-08.HK4.CLM.xml") == "13962724"
    assert group("a.zip!x/claims.xml") == "a.zip!x/claims.xml"


def test_members_of_a_zip_are_joined(tmp_path: Path) -> None:
    file = tmp_path / "wrapper.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("15000001.2016-01-04.A.SPEC.xml", _part("SPEC", "2016-01-04", _spec("[0001] Text.")))
        archive.writestr("15000001.2016-01-04.B.CLM.xml", _part("CLM", "2016-01-04", _claims((1, "1. A nut."))))
    patent = only(file)
    assert (patent.id, len(patent.claims), patent.description_text) == ("US15/000001", 1, "Text.")
