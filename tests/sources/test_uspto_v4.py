"""USPTO XML v4: files against facts read off their bytes, ours and the office's, and odd documents of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from expectation import OWN, RAW, Expected, check, check_file, files, needs_raw, only, patents
from foreart.document.patent import Citation, Literature, Patent, Symbol
from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.uspto_v4 import READER

INVENTED: dict[str, Expected | tuple[Expected, ...]] = {
    "uspto_grant_xml_v4/US09990001-20180605.xml": Expected(
        id="US9990001B2",
        title="Beehive with a weighing floor and CO2 outlet",
        claims=3,
        depends_on={1: (), 2: (1,), 3: (2,)},
        published="2018-06-05",
        filed="2016-01-07",
        priority="2010-09-30",
        cpc=("A01K 47/02", "G01G 19/52"),
        ipc=("A01K 47/02", "G01G 19/52"),
        citations={"examiner": 1, "applicant": 2, "other": 1},
        literature=1,
        inventors=("Vera B. Drohne", "Emil Wachs"),
        applicants=("Skep & Smoker Works",),
        abstract=("A beehive weighs itself. Its floor (12)", "above 4% CO2."),
        description=("CROSS-REFERENCE TO RELATED", "Wax of the formula may coat the springs."),
        claim_text=("A beehive, comprising:\na floor (12) on springs; and\nan outlet,\nwhich opens", "to claim 2."),
        paragraphs=7 + 4,
        more={
            "citations": (
                Citation("US1990011A", "examiner"),
                Citation("US20090990012A1", "applicant"),
                Citation("WO1999090013A1", "applicant"),
                Citation("USD490014S", "other"),
            ),
            "literature": (
                Literature(
                    "Honig, A., “Weighing a colony on the 2nd day of swarming,” Hive Letters, vol. 3, 2011, pp. 4-9.",
                    "examiner",
                ),
            ),
            "cpc": (Symbol("A01K 47/02", "first", "inventive"), Symbol("G01G 19/52", "later", "additional")),
            "uspc": (),  # those of the citations and of the field of search are not its own
            "application_number": "US14/990101",
            "priority_numbers": ("US61/990103",),
            "family_refs": ("US13/990102", "US9190015", "PCT/AT2011/990016", "US20160990017A1"),
        },
    ),
    "uspto_grant_xml_v4/US06990004.xml": Expected(
        id="US6990004B1",
        title="Shackle for anchor chains",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="2005-03-15",
        filed="2000-11-21",
        priority="1997-06-12",
        ipc=("F16G 15/06",),
        citations={"examiner": 1, "other": 1},
        inventors=("Piet Anker",),
        applicants=("Piet Anker",),
        abstract=("A shackle", "by hand."),
        description=("BACKGROUND\n1. Technical Field\nShackles", "open them."),
        paragraphs=2 + 1,
        more={"uspc": ("59/78", "24/582.1"), "family_refs": ("US08/990402",)},
    ),
    "uspto_grant_xml_v4/USD0990002-20070306.xml": Expected(
        id="USD990002S1",
        title="Teapot with two spouts",
        claims=1,
        published="2007-03-06",
        filed="2006-04-04",
        citations={"examiner": 2},
        inventors=("Ute Gieß",),
        description=("FIG. 1 is a view", "and,\nFIG. 2 is a view from above."),
        claim_text=("The ornamental design", "as drawn."),
        more={"document_type": "design", "locarno": ("07-02",), "uspc": ("D7/396", "D7/54")},
    ),
    "uspto_grant_xml_v4/USPP099003-20070306.xml": Expected(
        id="USPP99003P3",
        title="Aster plant named ‘Nebelmond’",
        claims=1,
        published="2007-03-06",
        filed="2005-11-18",
        ipc=("A01H 5/00",),
        applicants=("Gartenwerk B.V.",),
        abstract=("A grey-violet Aster that", "frost."),
        description=("Latin name: Aster inventus; Variety denomination: Nebelmond\nBotanical", "Leaf.—Narrow."),
        claim_text=("A new Aster plant,", "here."),
        more={"document_type": "plant", "uspc": ("PLT/263",), "family_refs": ("US20060990031P1",)},
    ),
    # A sequence listing stands between the documents of a week and is none of them.
    "uspto_grant_xml_v4_weekly/ipg060404.small.xml": (
        Expected(
            id="USH9905H1",
            title="Leaching ore with moss",
            claims=1,
            published="2006-04-04",
            filed="2001-05-02",
            priority="1998-11-13",
            ipc=("C22B 3/18",),
            applicants=("Halde Pty Ltd",),
            more={
                "document_type": "statutory invention registration",
                "priority_numbers": ("AUPP9905", "US60/990502"),
                "family_refs": ("PCT/AU99/09905", "WO2000099051A"),
            },
        ),
        Expected(
            id="US7990006B2",
            title="Probe for the yeast of rye bread",
            claims=1,
            published="2006-04-04",
            filed="2003-01-10",
            ipc=("C12Q 1/68", "C07K 14/00"),
            inventors=("Otto Hefe",),
            more={"uspc": ("435/6", "D21/760")},
        ),
    ),
    "uspto_application_xml_v4/US20050990007A1.xml": Expected(
        id="US20050990007A1",
        title="Rocking boat for museums",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="2005-05-05",
        filed="2004-09-27",
        priority="2002-03-27",
        ipc=("A63G 31/16",),
        inventors=("Reto K. Woge",),
        applicants=("Schaukel AG",),
        description=("CROSS-REFERENCE", "the keel 1a rolls on a cam."),
        claim_text=("A rocking boat, comprising:\na hull; and\na cam under", "a mast."),
        paragraphs=2 + 2,
        more={
            "uspc": ("472/59", "472/130", "434/55"),
            "priority_numbers": ("CH9907/02",),
            "family_refs": ("PCT/CH03/09907",),
        },
    ),
    "uspto_application_xml_v4/ipa210902.two.xml": (
        Expected(
            id="US20210990008A1",
            title="SPADE WITH A STEP",
            claims=2,
            depends_on={3: ()},
            published="2021-09-02",
            filed="2019-09-19",  # the day of the international application, which is no priority
            cpc=("A01B 1/04",),
            ipc=("A01B 1/04",),
            applicants=("Gerd Spaten",),
            claim_text=("1-2. (canceled)\nA spade, comprising:\na step", "a ridge."),
            more={"family_refs": ("PCT/DE2019/099008",)},
        ),
        Expected(
            id="US20210990009A9",
            title="RAKE",
            claims=1,
            published="2021-09-02",
            filed="2020-01-02",
            priority="2016-03-15",
            inventors=("Ria Zinke",),
            applicants=("Harke AG",),
            more={
                "publication_status": "corrected",
                "priority_numbers": ("US62/990903",),
                "family_refs": ("US15/990902", "US10990091"),
            },
        ),
    ),
}
SINGLE: dict[str, Expected] = {
    "uspto_grant_xml_v4/US06970935.xml": Expected(
        id="US6970935B1",
        title="Conversational networking via transport, coding and control conversational protocols",
        claims=30,
        depends_on={1: (), 2: (1,), 29: (22,)},
        published="2005-11-29",
        filed="2000-11-01",
        ipc=("G06F 15/16",),
        citations={"examiner": 11},
        inventors=("Stephane H. Maes",),
        applicants=("International Business Machines Corporation",),
        abstract=("Conversational protocols for", "of an packet."),
        description=("BACKGROUND", "the appended claims."),
        claim_text=("A communication system,", "a random order."),
        paragraphs=156,
    ),
    "uspto_grant_xml_v4/US07272630B2.xml": Expected(
        id="US7272630B2",
        title=(
            "Locating potentially identical objects across multiple computers based on stochastic partitioning of"
            " workload"
        ),
        claims=17,
        depends_on={1: (), 2: (1,), 17: (14,)},
        published="2007-09-18",
        filed="2004-11-18",
        priority="2001-06-06",
        ipc=("G06F 15/13",),
        citations={"examiner": 5, "other": 73},
        literature=38,
        inventors=("John R. Douceur", "Marvin M. Theimer", "Atul Adya", "William J. Bolosky"),
        applicants=("Microsoft Corporation",),
        abstract=("Potentially identical objects", "plurality of computers."),
        description=("RELATED APPLICATIONS", "implementing the invention."),
        claim_text=("A method implemented", "be communicated to."),
        paragraphs=177,
    ),
    "uspto_grant_xml_v4/US07296300-20071120.xml": Expected(
        id="US7296300B2",
        title="Finger guard",
        claims=3,
        depends_on={1: (), 2: (1,), 3: (1,)},
        published="2007-11-20",
        filed="2004-01-12",
        ipc=("A41D 13/08",),
        citations={"examiner": 33, "other": 16},
        inventors=("Earl Votolato",),
        applicants=("The Votolato Living Trust",),
        abstract=("A finger guarding", "and the plate."),
        description=("BACKGROUND OF THE", "subsequently connected together."),
        claim_text=("The method of", "having bulbous shape."),
        paragraphs=40,
    ),
    "uspto_grant_xml_v4/US07296312-20071120.xml": Expected(
        id="US7296312B2",
        title="Hospital bed",
        claims=22,
        depends_on={1: (), 2: (1,), 22: (16,)},
        published="2007-11-20",
        filed="2003-09-08",
        priority="2002-09-06",
        ipc=("A61G 7/012",),
        citations={"examiner": 58, "other": 287},
        literature=4,
        applicants=("Hill-Rom Services, Inc.",),
        abstract=("A patient support", "supporting the mattress."),
        description=("CROSS-REFERENCE TO RELATED", "the following claims."),
        claim_text=("A patient support", "the lowered position."),
        paragraphs=802,
    ),
    "uspto_grant_xml_v4/US07297116-20071120.xml": Expected(
        id="US7297116B2",
        title="Method and apparatus for imaging the cervix and uterine wall",
        claims=38,
        depends_on={1: (), 2: (1,), 37: (29,)},
        published="2007-11-20",
        filed="2003-04-21",
        ipc=("A61B 8/00",),
        citations={"examiner": 4, "other": 7},
        literature=5,
        inventors=("Tomy Varghese", "Mark Alan Kliewer", "James A. Zagzebski"),
        applicants=("Wisconsin Alumni Research Foundation",),
        abstract=("Elastography is used", "its elastographic properties."),
        description=("STATEMENT REGARDING FEDERALLY", "the following claims."),
        claim_text=("A method for", "pelvic floor incompetence."),
        paragraphs=84,
    ),
    "uspto_grant_xml_v4/US07297118-20071120.xml": Expected(
        id="US7297118B2",
        title="Ultrasound method and apparatus for multi-line acquisition",
        claims=18,
        depends_on={1: (), 2: (1,), 18: (16,)},
        published="2007-11-20",
        filed="2003-11-21",
        priority="2003-06-12",
        ipc=("A61B 8/00",),
        citations={"examiner": 4, "other": 42},
        inventors=("Kjell Kristoffersen",),
        applicants=("GE Medical Systems Global Technology Company",),
        abstract=("A method and", "may be achieved."),
        description=("CROSS REFERENCE TO", "of the claims."),
        claim_text=("A method for", "and high-band bands."),
        paragraphs=52,
    ),
    "uspto_grant_xml_v4/US08926509.xml": Expected(
        id="US8926509B2",
        title="Wireless physiological sensor patches and systems",
        claims=31,
        depends_on={1: (), 2: (1,), 31: (27,)},
        published="2015-01-06",
        filed="2008-06-05",
        priority="2007-08-24",
        cpc=(
            "A61B 5/0205",
            "A61B 5/0024",
            "A61B 5/0404",
            "A61B 5/1112",
            "A61B 5/6833",
            "G06F 19/3418",
            "H04L 67/125",
            "H04L 67/04",
            "A61B 5/021",
            "A61B 5/02438",
            "A61B 5/0476",
            "A61B 5/0488",
            "A61B 5/14532",
            "A61B 5/7232",
            "A61B 2560/0209",
            "H04W 84/18",
            "H04W 88/08",
            "H04W 52/0235",
            "H04W 52/0274",
        ),
        ipc=(
            "A61B 5/00",
            "A61B 5/0205",
            "A61B 5/0404",
            "A61B 5/11",
            "H04L 29/08",
            "G06F 19/00",
            "H04W 88/00",
            "H04W 52/00",
            "H04W 84/00",
            "A61B 5/021",
            "A61B 5/024",
            "A61B 5/0476",
            "A61B 5/0488",
            "A61B 5/145",
        ),
        citations={"applicant": 117, "examiner": 13},
        literature=30,
        inventors=("Surendar Magar", "Venkateswara Rao Sattiraju", "Ali Niknejad", "Louis Yun", "James C. Beck"),
        applicants=("Hmicro, Inc.",),
        abstract=("The present invention", "various physiological parameters."),
        description=("CROSS-REFERENCE", "be covered thereby."),
        claim_text=("A system for", "the patch-ASIC chip."),
        paragraphs=312,
    ),
    "uspto_grant_xml_v4/US08930553.xml": Expected(
        id="US8930553B2",
        title="Managing mid-dialog session initiation protocol (SIP) messages",
        claims=8,
        depends_on={1: (), 2: (1,), 7: (1,)},
        published="2015-01-06",
        filed="2012-10-09",
        ipc=("G06F 15/16",),
        citations={"applicant": 10, "examiner": 6},
        literature=5,
        inventors=("Nitzan Nissim", "Brian Pulito", "Asaf Zinger"),
        applicants=("International Business Machines Corporation",),
        abstract=("Processing mid-dialog SIP", "new SIP session."),
        description=("FIELD OF THE", "of the invention."),
        claim_text=("A system for", "new SIP session."),
        paragraphs=42,
    ),
    "uspto_grant_xml_v4/USD0555863-20071120.xml": Expected(
        id="USD555863S1",
        title="Cylindrical receptacle with narrow aspect",
        claims=1,
        depends_on={1: ()},
        published="2007-11-20",
        filed="2005-12-28",
        citations={"examiner": 14},
        inventors=("Richard E. Weiss",),
        applicants=("United Metal Receptacle Corp.",),
        description=("FIG. 1 is", "bottom plan view."),
        claim_text=("The ornamental design", "shown and described."),
        paragraphs=7,
    ),
    "uspto_grant_xml_v4/USPP018237-20071120.xml": Expected(
        id="USPP18237P3",
        title="Gaura plant named ‘Gaudpin’",
        claims=1,
        depends_on={1: ()},
        published="2007-11-20",
        filed="2005-12-12",
        ipc=("A01H 5/00",),
        inventors=("Henricus G. W. Stemkens",),
        applicants=("Syngenta Seeds B.V.",),
        abstract=("A new and", "early to flower."),
        description=("Latin name: Gaura", "(8) and above."),
        claim_text=("A new and", "and described herein."),
    ),
    "uspto_grant_xml_v4/go-uspto_v4-0-B2.xml": Expected(
        id="US6857133B2",
        title="Method and apparatus for manufacturing and installing water resistant cover on a limb",
        claims=6,
        depends_on={1: (), 3: (2,), 5: (4,)},
        published="2005-02-22",
        filed="2002-05-07",
        ipc=("A41D 13/00",),
        citations={"examiner": 8},
        inventors=("David V. Reynolds",),
        abstract=("A water resistant", "a single hand."),
        description=("This invention pertains", "in FIG. 8."),
        claim_text=("A method for", "the engaging means."),
        paragraphs=57,
    ),
    "uspto_grant_xml_v4/go-uspto_v4-5-B1.xml": Expected(
        id="US9358892B1",
        title="System and method for pre-charging a hybrid vehicle for improving reverse driving performance",
        claims=20,
        depends_on={1: (), 2: (1,), 20: (19,)},
        published="2016-06-07",
        filed="2014-12-02",
        cpc=("B60L 11/1809", "B60K 35/00", "B60L 11/1861", "G01C 21/26", "B60K 2350/1076", "B60W 20/00"),
        ipc=("B60L 9/00", "B60L 11/00", "B60L 11/18", "G01C 21/26", "B60K 35/00", "B60W 20/00"),
        citations={"applicant": 14, "examiner": 10},
        literature=4,
        inventors=("Geoffrey D. Gaither",),
        applicants=("Toyota Motor Engineering & Manufacturing North America, Inc.",),
        abstract=("A method/system is", "start reverse driving."),
        description=("BACKGROUND", "of the method/system."),
        claim_text=("A pre-charging system", "battery load value."),
        paragraphs=77,
    ),
    "uspto_application_xml_v4/US20050004437A1.xml": Expected(
        id="US20050004437A1",
        title="Simulation device for playful evaluation and display of blood sugar levels",
        claims=10,
        depends_on={1: (), 2: (1,), 10: (1,)},
        published="2005-01-06",
        filed="2004-04-23",
        priority="2001-10-26",
        ipc=("A61B 5/00",),
        inventors=("Heiner Kaufmann", "Thomas Vering"),
        abstract=("A simulation device", "a virtual creature."),
        description=("CROSS-REFERENCE TO RELATED", "and equitably entitled."),
        claim_text=("A simulation device", "of wireless communication."),
        paragraphs=35,
    ),
    "uspto_application_xml_v4/US20050004974A1.xml": Expected(
        id="US20050004974A1",
        title="Device model agent",
        claims=21,
        depends_on={1: (), 2: (1,), 21: (17,)},
        published="2005-01-06",
        filed="2003-10-16",
        priority="2002-10-16",
        ipc=("G06F 15/16",),
        inventors=(
            "Naveen Sharma",
            "Michael R. Furst",
            "Claude S. Fillion",
            "Weixia Huang",
            "Michael P. Kehoe",
            "Arturo M. Lorenzo",
            "Mary C. McCorkindale",
            "Robert J. St. Jacques",
            "Tracy E. Thieret",
            "John C. Austin",
            "Marc D. Daniels",
            "Michael F. Cavanaugh",
        ),
        applicants=("Xerox Corporation",),
        abstract=("The Device Model", "embedded web server."),
        description=("PRIORITY CLAIM", "and substantial equivalents."),
        claim_text=("A device model", "deleting a service."),
        paragraphs=197,
    ),
    "uspto_application_xml_v4/go-uspto_v4-0-A1.xml": Expected(
        id="US20050000001A1",
        title="Novelty jeans",
        claims=0,
        published="2005-01-06",
        filed="2004-08-02",
        priority="2002-03-14",
        ipc=("A41D 1/06",),
        inventors=("Tina Goldkind",),
        abstract=("Novelty play jeans", "by the user."),
    ),
    "uspto_application_xml_v4/go-uspto_v4-4-A1.xml": Expected(
        id="US20210267109A1",
        title="METHODS AND APPARATUS FOR YARD AND GARDEN DEBRIS COLLECTION",
        claims=20,
        depends_on={1: (), 2: (1,), 18: (3,)},
        published="2021-09-02",
        filed="2021-02-11",
        priority="2020-02-27",
        cpc=("A01B 1/04", "A01D 11/06", "B08B 13/00", "B08B 1/005"),
        ipc=("A01B 1/04", "B08B 1/00", "B08B 13/00", "A01D 11/06"),
        inventors=("Daniel O'Keefe",),
        abstract=("Methods and apparatus", "and communications capability."),
        description=("CROSS REFERENCE TO", "of a sub-combination."),
        claim_text=("An apparatus to", "by the apparatus."),
        paragraphs=92,
    ),
    "uspto_application_xml_v4/go-uspto_v4-5-A1.xml": Expected(
        id="US20220159901A1",
        title="SEED DISTRIBUTOR USED FOR AGRICULTURAL MACHINES",
        claims=6,
        depends_on={1: (), 2: (1,), 6: (1,)},
        published="2022-05-26",
        filed="2019-09-19",
        cpc=("A01C 7/04",),
        ipc=("A01C 7/04",),
        inventors=("Ariel Alberto Antonio Spinsanti",),
        abstract=("Seed metering device", "annular gear performs."),
        description=("CROSS REFERENCE TO", "using any tool."),
        claim_text=("A seed metering", "the distributor disk."),
        paragraphs=55,
    ),
}
WEEKLY: dict[str, tuple[Expected, ...]] = {
    # 25 documents, US6836899B1 to US6839175B2
    "uspto_grant_xml_v4_weekly/ipg050104.small.xml": (
        Expected(
            id="US6836899B1",
            title="Device for detachably holding an absorbent napkin across the torso",
            claims=23,
            depends_on={1: (), 2: (1,), 23: (17,)},
            published="2005-01-04",
            filed="2003-01-09",
            ipc=("A45F 5/04",),
            citations={"examiner": 39},
            inventors=("Samuel G. Glasmire",),
            abstract=("A napkin holder", "usable combination product."),
            description=("BACKGROUND OF THE", "of the invention."),
            claim_text=("A holding device", "to 12 ounces."),
            paragraphs=88,
        ),
        Expected(
            id="US6837358B1",
            title="Device for storage and conveyance of bulky holders",
            claims=34,
            depends_on={1: (), 2: (1,), 32: (30,)},
            published="2005-01-04",
            filed="2000-07-21",
            priority="1999-07-23",
            ipc=("B65G 25/00", "B65G 29/00", "B65G 37/00", "B65G 47/84"),
            citations={"examiner": 4, "other": 3},
            inventors=("Hendricus Antonius Hoogland",),
            applicants=("Fountain Patents B.V.I.O.",),
            abstract=("The invention relates", "the vertical direction."),
            description=("This application is", "for example pallets."),
            claim_text=("Device for storage", "rotatable discs (40)."),
            paragraphs=34,
        ),
        Expected(
            id="US6838391B2",
            title="Method of semiconductor processing including fluoride",
            claims=24,
            depends_on={1: (), 2: (1,), 24: (13,)},
            published="2005-01-04",
            filed="2003-07-22",
            priority="1998-05-29",
            ipc=("H01L 21/302", "H01L 21/461"),
            citations={"other": 18},
            literature=13,
            inventors=("Volker Härle",),
            applicants=("Osram Opto Semiconductors GmbH & Co. oHG",),
            abstract=("A method for", "newly exposed windows."),
            description=("CROSS-REFERENCE TO RELATED", "the following claims."),
            claim_text=("A method of", "having different compositions."),
            paragraphs=32,
        ),
        Expected(
            id="US6838526B1",
            title="Modified conjugated diene polymer and method of producing the same and rubber composition",
            claims=4,
            depends_on={1: (), 2: (1,), 3: (1,)},
            published="2005-01-04",
            filed="2000-11-13",
            priority="1999-11-12",
            ipc=("C08F 8/34",),
            citations={"examiner": 3, "other": 14},
            literature=4,
            inventors=(
                "Takuo Sone",
                "Ryouji Tanaka",
                "Kouichirou Tani",
                "Iwakazu Hattori",
                "Hiroshi Akema",
                "Atsushi Nakayama",
            ),
            applicants=("JSR Corporation", "Bridgestone Corporation"),
            abstract=("A novel modified", "a rubber ingredient."),
            description=("BACKGROUND OF THE", "and mechanical strength."),
            claim_text=("A terminal-modified conjugated", "rubber=100% by weight)."),
            paragraphs=236,
        ),
        Expected(
            id="US6838578B2",
            title="Process for preparing (cyclo)aliphatic isocyanates",
            claims=10,
            depends_on={1: (), 2: (1,), 10: (1,)},
            published="2005-01-04",
            filed="2002-07-03",
            priority="2001-07-11",
            ipc=("C07C 249/00",),
            citations={"other": 7},
            inventors=("Hans-Joachim Leimkühler", "Herbert Stutz", "Wolfgang Leuckel"),
            applicants=("Bayer Aktiengesellschaft",),
            abstract=("The present invention", "the reaction zone."),
            description=("FIELD OF THE", "by the claims."),
            claim_text=("A process for", "triisocyanate comprises triisocyanatononane."),
            paragraphs=35,
        ),
    ),
    # 25 documents, USD513425S1 to US6983169B2
    "uspto_grant_xml_v4_weekly/ipg060103.small.xml": (
        Expected(
            id="USD513425S1",
            title="Skateboard",
            claims=1,
            depends_on={1: ()},
            published="2006-01-03",
            filed="2005-01-07",
            citations={"examiner": 6},
            inventors=("Harald Kohl",),
            description=("FIG. 1 is", "in FIG. 1."),
            claim_text=("The ornamental design", "shown and described."),
            paragraphs=7,
        ),
        Expected(
            id="USH2140H1",
            title="Bio-oxidation process and apparatus",
            claims=15,
            depends_on={1: (), 2: (1,), 15: (8,)},
            published="2006-01-03",
            filed="1999-10-22",
            priority="1998-11-18",
            ipc=("C22B 3/18",),
            citations={"examiner": 3, "other": 7},
            literature=5,
            inventors=("Mike Rhodes", "Paul C. Miller", "Richard Winby"),
            abstract=("Disclosed is a", "non-mechanically agitated reactor."),
            description=("This application claims", "of the invention."),
            claim_text=("A process for", "least one reactor."),
            paragraphs=149,
        ),
        Expected(
            id="US6981466B2",
            title="Milking",
            claims=57,
            depends_on={1: (), 2: (1,), 57: (55,)},
            published="2006-01-03",
            filed="2004-01-26",
            priority="2003-01-31",
            ipc=("A01J 5/00", "A01J 9/00"),
            citations={"examiner": 2, "other": 10},
            inventors=("Leif Lindholm",),
            applicants=("Delaval Holding AB",),
            abstract=("A milk metering", "herd management purposes."),
            description=("FIELD OF THE", "to the farmer."),
            claim_text=("A method of", "of the animal."),
            paragraphs=35,
        ),
        Expected(
            id="US6982249B1",
            title="Bradykinin analogs as selective inhibitors of cell activation",
            claims=12,
            depends_on={1: (), 5: (1,), 12: (2,)},
            published="2006-01-03",
            filed="1998-04-21",
            priority="1997-04-23",
            ipc=("C07K 5/09", "C07K 7/00"),
            citations={"other": 19},
            literature=22,
            inventors=("Alvin H. Schmaier", "Ahmed A. K. Hasan"),
            applicants=("The Regents of the University of Michigan",),
            abstract=("The present invention", "other cell activation."),
            description=("CROSS-REFERENCE TO RELATED", "of the invention."),
            claim_text=("A method of", "the compound is:"),
            paragraphs=186,
        ),
        Expected(
            id="US6982661B2",
            title="Method of performing huffman decoding",
            claims=16,
            depends_on={1: (), 2: (1,), 16: (15,)},
            published="2006-01-03",
            filed="2003-03-18",
            priority="2000-10-31",
            ipc=("H03M 7/40",),
            citations={"examiner": 5, "other": 118},
            literature=27,
            inventors=("Tinku Acharya", "Ping-Sing Tsai"),
            applicants=("Intel Corporation",),
            abstract=("Embodiments of a", "particular embodiments disclosed."),
            description=("RELATED APPLICATIONS", "of the invention."),
            claim_text=("A method of", "to each subgrouping."),
            paragraphs=50,
        ),
    ),
    # 1 documents, USD656296S1 to USD656296S1
    "uspto_grant_xml_v4_weekly/ipg120327.one.xml": (
        Expected(
            id="USD656296S1",
            title="Ready to eat snack piece",
            claims=1,
            depends_on={1: ()},
            published="2012-03-27",
            filed="2010-12-16",
            citations={"examiner": 36},
            literature=6,
            inventors=("Nicole Cavin", "Divya Paruchuri", "Michael Zbuchalski"),
            applicants=("Frito-Lay North America, Inc.",),
            description=("FIG. 1 is a", "no part thereof."),
            claim_text=("The ornamental design", "shown and described."),
            paragraphs=8,
        ),
    ),
    # 25 documents, USD680087S1 to US8421615B2
    "uspto_grant_xml_v4_weekly/ipg130416.small.xml": (
        Expected(
            id="USD680087S1",
            title="Television set",
            claims=1,
            depends_on={1: ()},
            published="2013-04-16",
            filed="2012-01-03",
            priority="2011-07-04",
            citations={"applicant": 72, "examiner": 9},
            literature=5,
            inventors=("Yoshito Fujii", "Katsuhiro Iida", "Tohru Ohtani", "Hiroshi Gomi"),
            applicants=("Sharp Kabushiki Kaisha",),
            description=("FIG. 1 is", "the claimed invention."),
            claim_text=("The ornamental design", "shown and described."),
            paragraphs=8,
        ),
        Expected(
            id="US8420021B2",
            title="Ignition or plasma generation apparatus",
            claims=6,
            depends_on={1: (), 2: (1,), 6: (3,)},
            published="2013-04-16",
            filed="2012-06-21",
            priority="2007-07-12",
            ipc=("B01J 19/08", "B01J 19/12", "G01N 27/00", "F02P 23/00"),
            citations={"applicant": 13},
            literature=1,
            inventors=("Minoru Makita", "Yuji Ikeda"),
            applicants=("Imagineering, Inc.",),
            abstract=("There is provided", "same transmission line."),
            description=("CROSS-REFERENCE OF RELATED", "the following claims."),
            claim_text=("An ignition or", "electromagnetic wave generator."),
            paragraphs=153,
        ),
        Expected(
            id="US8420318B2",
            title="Microfabricated integrated DNA analysis system",
            claims=18,
            depends_on={1: (), 2: (1,), 18: (1,)},
            published="2013-04-16",
            filed="2012-02-13",
            priority="2004-06-01",
            ipc=("C12Q 1/68", "B01D 59/50", "C12P 19/34", "C12M 1/00", "C12M 1/34", "C07H 21/00"),
            citations={"applicant": 294, "examiner": 1},
            literature=267,
            inventors=("Richard A. Mathies", "Robert Blazej", "Chung Liu", "Palani Kumaresan", "Stephanie H. I. Yeung"),
            applicants=("The Regents of the University of California",),
            abstract=("Methods and apparatus", "DNA or RNA."),
            description=("CROSS REFERENCE TO", "the appended claims."),
            claim_text=("A method comprising:", "actuate the valves."),
            paragraphs=111,
        ),
        Expected(
            id="US8420883B2",
            title="Absorbent article and method for maintaining or improving skin health",
            claims=20,
            depends_on={1: (), 2: (1,), 20: (16,)},
            published="2013-04-16",
            filed="2011-11-22",
            priority="1994-11-28",
            ipc=("A61F 13/15", "A61L 9/00"),
            citations={"applicant": 240},
            inventors=("Gretchen Louise Elder", "Donald Carroll Roe", "Thomas James Klofta"),
            applicants=("The Procter & Gamble Company",),
            abstract=("Disclosed is a", "improving skin health."),
            description=("CROSS REFERENCE TO", "| 4900"),
            claim_text=("A disposable absorbent", "stripes, or spirals."),
            paragraphs=253,
        ),
        Expected(
            id="US8421425B1",
            title="Non-positive inductor current detector for step down switching regulators",
            claims=15,
            depends_on={1: (), 2: (1,), 15: (10,)},
            published="2013-04-16",
            filed="2010-09-23",
            priority="2009-10-05",
            ipc=("G05F 1/618",),
            citations={"applicant": 11, "examiner": 2},
            inventors=("Andrew Wu", "Donald Wile"),
            applicants=("Adaptive Digital Power, Inc.",),
            abstract=("A current detector", "next switching cycle."),
            description=("This application claims", "unless specifically excluded."),
            claim_text=("A current detector", "step-down output voltage."),
            paragraphs=38,
        ),
    ),
    "uspto_application_xml_v4/ipa130117.one.xml": (
        Expected(
            id="US20130014308A1",
            title="TYPING-MATE",
            claims=12,
            depends_on={1: (), 2: (1,), 12: (1,)},
            published="2013-01-17",
            filed="2011-07-13",
            ipc=("A41D 13/08",),
            inventors=("Yennifer Feliciano",),
            abstract=("A finger nail", "is placed in."),
            description=("CROSS-REFERENCE TO RELATED", "of the invention."),
            claim_text=("A finger nail", "comfortable and accurate."),
            paragraphs=37,
        ),
        Expected(
            id="US20130014306A1",
            title="TACTICAL MIXED MARTIAL ARTS GLOVE",
            claims=14,
            depends_on={1: (), 2: (1,), 14: (2,)},
            published="2013-01-17",
            filed="2012-01-18",
            priority="2011-01-18",
            ipc=("A41D 13/08", "A41D 19/02"),
            inventors=("Christopher Mechling", "Nicholas Mechling"),
            abstract=("A glove employable", "against heavy strikes."),
            description=("PRIORITY CLAIM", "XL—52″"),
            claim_text=("An improved glove", "to claim 2."),
            paragraphs=75,
        ),
    ),
}
COUNTS = {
    "uspto_grant_xml_v4_weekly/ipg050104.small.xml": (25, "US6836899B1", "US6839175B2"),
    "uspto_grant_xml_v4_weekly/ipg060103.small.xml": (25, "USD513425S1", "US6983169B2"),
    "uspto_grant_xml_v4_weekly/ipg120327.one.xml": (1, "USD656296S1", "USD656296S1"),
    "uspto_grant_xml_v4_weekly/ipg130416.small.xml": (25, "USD680087S1", "US8421615B2"),
    "uspto_application_xml_v4/ipa130117.one.xml": (2, "US20130014308A1", "US20130014306A1"),
}


@pytest.mark.parametrize(("path", "facts"), files("", invented=INVENTED, real=SINGLE))
def test_files(path: Path, facts: Expected | tuple[Expected, ...]) -> None:
    check_file(path, facts)


def test_a_formula_and_a_table_are_in_their_paragraphs() -> None:
    beehive = only(OWN / "uspto_grant_xml_v4/US09990001-20180605.xml")
    assert [item.text for item in beehive.description][8:10] == [
        "The floor 12 sinks by s = F/k under the weight of the combs:\nF is the force, about 10^2 N; and\n"
        "k is the rate of the springs.",
        "TABLE 1\nMonth | kg\nMay | 31\nJune | 44",
    ]


@needs_raw
@pytest.mark.parametrize("file", COUNTS)
def test_weekly_files_are_cut_into_their_documents(file: str) -> None:
    found = [patent.id for patent in patents(RAW / file)]
    assert (len(found), found[0], found[-1]) == COUNTS[file]
    assert len(set(found)) == len(found)


@needs_raw
@pytest.mark.parametrize("file", WEEKLY)
def test_documents_of_weekly_files(file: str) -> None:
    by_id = {patent.id: patent for patent in patents(RAW / file)}
    for expected in WEEKLY[file]:
        check(by_id[expected.id], expected)


@needs_raw
def test_fields_beyond_the_expected() -> None:
    design = only(RAW / "uspto_grant_xml_v4/USD0555863-20071120.xml")
    assert (design.document_type, design.locarno, design.uspc) == ("design", ("09-09",), ("D34/7", "D34/1"))
    plant = only(RAW / "uspto_grant_xml_v4/USPP018237-20071120.xml")
    assert (plant.document_type, plant.uspc) == ("plant", ("PLT/263",))
    assert plant.family_refs == ("US20070136907P1",)
    application = only(RAW / "uspto_application_xml_v4/US20050004437A1.xml")
    assert application.uspc == ("600/300", "128/905", "345/952")
    assert application.priority_numbers == ("CH1974/01",)
    patch = only(RAW / "uspto_grant_xml_v4/US08926509.xml")
    assert patch.cpc[0] == Symbol("A61B 5/0205", "first", "inventive")
    assert patch.cpc[8] == Symbol("A61B 5/021", "later", "additional")
    assert patch.application_number == "US12/134151"
    registration = next(
        p for p in patents(RAW / "uspto_grant_xml_v4_weekly/ipg060103.small.xml") if p.id == "USH2140H1"
    )
    assert registration.document_type == "statutory invention registration"
    assert registration.family_refs == ("PCT/AU99/00917", "WO2000029629A")


def _document(biblio: str, body: str = "", root: str = "us-patent-grant") -> bytes:
    kind = root.removeprefix("us-patent-")
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE {root} SYSTEM "x.dtd" [ ]><{root} lang="EN">'
        f"<us-bibliographic-data-{kind}>{biblio}</us-bibliographic-data-{kind}>{body}</{root}>"
    ).encode()


def _publication(number: str = "09999999", kind: str = "B2", date: str = "20180612") -> str:
    return (
        "<publication-reference><document-id><country>US</country>"
        f"<doc-number>{number}</doc-number><kind>{kind}</kind><date>{date}</date></document-id></publication-reference>"
    )


def _read(biblio: str, body: str = "", root: str = "us-patent-grant") -> Patent:
    (patent,) = READER.parse(_document(biblio, body, root))
    return patent


def test_a_number_alone_is_enough() -> None:
    assert _read(_publication()) == Patent(
        "US9999999B2", published="2018-06-12", language="en", document_type="utility"
    )


def test_no_number_is_refused() -> None:
    with pytest.raises(BadRecord, match="no publication number"):
        _read("<invention-title>Nothing</invention-title>")
    with pytest.raises(BadRecord, match="no bibliographic data"):
        list(READER.parse(b"<us-patent-grant/>"))


def test_companions_hold_no_patent() -> None:
    assert list(READER.parse(b"<sequence-cwu><number>1</number></sequence-cwu>")) == []


def test_reissue_keeps_brackets_and_names_its_parent() -> None:
    related = (
        "<us-related-documents><reissue><relation><parent-doc><document-id><country>US</country>"
        "<doc-number>10123456</doc-number><date>20020418</date></document-id><parent-grant-document><document-id>"
        "<country>US</country><doc-number>6654321</doc-number></document-id></parent-grant-document></parent-doc>"
        "<child-doc><document-id><country>US</country><doc-number>11222333</doc-number></document-id></child-doc>"
        "</relation></reissue></us-related-documents>"
    )
    application = (
        '<application-reference appl-type="reissue"><document-id><country>US</country><doc-number>11222333</doc-number>'
        "<date>20050930</date></document-id></application-reference>"
    )
    body = (
        '<claims><claim id="CLM-00001" num="00001"><claim-text>1. A <?delete-start id="DEL-S-00001"?>bolt'
        '<?delete-end id="DEL-S-00001"?> <?insert-start id="INS-S-00001"?>screw<?insert-end?>.</claim-text></claim>'
        "</claims>"
    )
    patent = _read(_publication("RE040001", "E1") + application + related, body)
    assert (patent.id, patent.document_type) == ("USRE40001E1", "reissue")
    assert patent.claims[0].text == "A [bolt] screw."
    assert (patent.filed, patent.priority) == ("2005-09-30", "2002-04-18")
    assert patent.family_refs == ("US10/123456", "US6654321")
    assert patent.application_number == "US11/222333"


def test_parties_companies_persons_and_the_deceased() -> None:
    def party(tag: str, names: str, app_type: str = "") -> str:
        return f'<{tag} app-type="{app_type}"><addressbook>{names}</addressbook></{tag}>'

    deceased = party("us-deceased-inventor", "<last-name>Alt</last-name><first-name>Eva</first-name>")
    living = party("inventor", "<last-name>Neu</last-name><first-name>Udo</first-name><suffix>Jr.</suffix>")
    heir = party("us-applicant", "<last-name>Alt</last-name><first-name>Jan</first-name>", "legal-representative")
    firm = party("us-applicant", "<orgname>Bolt &amp; Co.</orgname>", "applicant")
    parties = (
        f"<us-parties><us-applicants>{heir}{firm}</us-applicants><inventors>{living}{deceased}</inventors></us-parties>"
    )
    patent = _read(_publication() + parties)
    assert patent.inventors == ("Udo Neu Jr.", "Eva Alt")
    assert patent.applicants == ("Bolt & Co.",)
    alone = _read(_publication() + parties.replace(firm, ""))
    assert alone.applicants == ("Jan Alt",)


def test_citations_with_classes_beside_them() -> None:
    cited = (
        '<us-references-cited><us-citation><patcit num="00001"><document-id><country>US</country><doc-number>D412345'
        "</doc-number>"
        "<kind>S</kind><date>19990700</date></document-id></patcit><category>cited by third party</category>"
        "<classification-cpc-text>A01B 1/00</classification-cpc-text></us-citation>"
        '<us-citation><nplcit num="00002"><othercit>A <i>book</i>, 46<sup>th </sup>ed.</othercit></nplcit>'
        "<category>cited by applicant</category></us-citation>"
        '<us-citation><patcit num="00003"><document-id><country>WO</country><doc-number>WO 96/25012</doc-number>'
        "</document-id>"
        "</patcit></us-citation></us-references-cited>"
    )
    patent = _read(_publication() + cited)
    assert patent.citations == (Citation("USD412345S", "other"), Citation("WO1996025012", "unknown"))
    assert patent.literature == (Literature("A book, 46th ed.", "applicant"),)
    assert patent.cpc == ()


def test_hague_design_and_its_locarno_class() -> None:
    hague = (
        "<hague-agreement-data><international-filing-date><date>20190401</date></international-filing-date>"
        "<international-registration-number>DM/201234</international-registration-number></hague-agreement-data>"
        "<classification-locarno><edition>12</edition><main-classification>06-1</main-classification>"
        "</classification-locarno>"
    )
    patent = _read(_publication("D0900001", "S1") + hague)
    assert (patent.id, patent.document_type, patent.filed) == ("USD900001S1", "design", "2019-04-01")
    assert (patent.locarno, patent.family_refs) == (("06-01",), ("DM/201234",))


def test_cancelled_claims_and_a_corrected_application() -> None:
    claims = (
        '<claims><claim id="CLM-00001-00012" num="00001-00012"><claim-text><b>1</b>-<b>12</b>. (canceled)'
        "</claim-text></claim>"
        '<claim id="CLM-00013" num="00013"><claim-text><b>13</b>. A nut.</claim-text></claim>'
        '<claim id="CLM-00014" num="00014"><claim-text><b>14</b>. The nut of <claim-ref idref="CLM-00013">claim 13'
        "</claim-ref>,"
        " of CO<sub>2</sub>:<claim-text>a) hard; and</claim-text><claim-text>b) 10<sup>6</sup> cycles.</claim-text>"
        "</claim-text>"
        "</claim></claims>"
    )
    patent = _read(_publication("20180123456", "A9"), claims, "us-patent-application")
    assert (patent.id, patent.publication_status) == ("US20180123456A9", "corrected")
    assert [(claim.number, claim.text, claim.depends_on) for claim in patent.claims] == [
        (1, "1-12. (canceled)", ()),
        (13, "A nut.", ()),
        (14, "The nut of claim 13, of CO2:\na) hard; and\nb) 10^6 cycles.", (13,)),
    ]


def test_tables_entities_and_a_wrong_encoding() -> None:
    body = (
        '<description id="description"><heading id="h-1" level="1">EXAMPLES</heading><p id="p-1" num="0000">25 &deg; '
        "C, "
        'caf\xe9 &nosuch;</p><p id="p-2" num="0002"><tables><table><tgroup><tbody><row><entry>A</entry><entry>1'
        "</entry></row>"
        "<row><entry>B</entry><entry/></row></tbody></tgroup></table></tables></p></description>"
    )
    data = _document(_publication(), body).decode().encode("latin-1")
    (patent,) = READER.parse(data)
    assert [(p.text, p.number, p.heading) for p in patent.description] == [
        ("EXAMPLES", "", "EXAMPLES"),
        ("25 ° C, café &nosuch;", "", "EXAMPLES"),
        ("A | 1\nB", "0002", "EXAMPLES"),
    ]


def test_the_old_ipc_stands_in_fixed_places() -> None:
    old = (
        "<classification-ipc><edition>7</edition><main-classification>A61K  7135</main-classification>"
        "<further-classification>C07C24900</further-classification></classification-ipc>"
    )
    assert _read(_publication() + old).ipc == (Symbol("A61K 7/135", "first"), Symbol("C07C 249/00", "later"))


def test_an_international_filing_date_is_no_priority_unless_earlier() -> None:
    def dated(filed: str, international: str) -> str:
        return (
            "<application-reference><document-id><country>US</country><doc-number>15555555</doc-number>"
            f"<date>{filed}</date>"
            "</document-id></application-reference><pct-or-regional-filing-data><document-id><country>WO</country>"
            f"<doc-number>PCT/DE2016/000001</doc-number><date>{international}</date></document-id>"
            "</pct-or-regional-filing-data>"
        )

    assert _read(_publication() + dated("20160104", "20160104")).priority == ""
    assert _read(_publication() + dated("20170704", "20160104")).priority == "2016-01-04"


def test_a_document_cut_off_does_not_take_its_neighbour_with_it(tmp_path: Path) -> None:
    whole = _document(_publication("09000001"))
    file = tmp_path / "ipg.xml"
    file.write_bytes(whole[:-40] + b"\n" + _document(_publication("09000002")) + b"\n")
    bad, good = scan(file)
    assert isinstance(bad, Reject)
    assert "document 1, byte 0" in str(bad)
    assert isinstance(good, Patent)
    assert good.id == "US9000002B2"
