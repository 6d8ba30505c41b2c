"""The section headings of applications, in English and German, and some in French."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

SectionName = Literal[
    "title",
    "related",
    "field",
    "background",
    "summary",
    "drawings",
    "detailed",
    "numerals",
    "description",
    "claims",
    "abstract",
]
SECTION_NAMES: tuple[SectionName, ...] = get_args(SectionName)

_OF = r"(?:\s+(?:of|to|for|der|des|zu|zum|zur|von|de|du)\s+(?:\S+\s+){0,7}?\S+)?"
_THE = r"(?:the\s+|a\s+|an\s+|any\s+|this\s+)?"
_SIGNS = r"(?:signs?|numerals?|numbers?|characters?|symbols?|marks?|letters?)"
_ART = (
    r"(?:related|prior|background|conventional|relevant"
    r"|known|existing)\s+(?:background\s+)?(?:arts?|technolog(?:y|ies)|technique|devices?)"
)
_SHOWN = (
    r"(?:(?:several|various|accompanying|attached|appended|different)\s+)*(?:views?\s+(?:of|in)\s+(?:the\s+)?)?"
    r"(?:(?:several|accompanying|attached|appended)\s+)*(?:drawing\s+figures|drawings?|figures?|photographs?"
    r"|figs?\.?)(?:\(s\))?"
)
_GEZEIGT = (
    r"(?:beigefügten\s+|beiliegenden\s+|anliegenden\s+)?(?:zeichnung(?:en|sfiguren)?|figur(?:en)?|abbildung(?:en)?)"
)
_KIND = (
    r"(?:(?:presently|currently|the|more|one|several|some|various|certain|many|different|at\s+least\s+one)\s+)*"
    r"(?:(?:preferred|illustrat(?:ive|ed)|exemplary|example|specific|particular|representative|disclosed|various|best|"
    r"alternative|other|additional|present|first|second|third|fourth|fifth|sixth|several|certain)\s+(?:and\s+|or\s+)?)*"
)

_PATTERNS: dict[SectionName, tuple[str, ...]] = {
    "title": (
        r"title(?:\s+of\s+(?:the\s+)?invention)?",
        r"invention\s+title",
        r"titel(?:\s+der\s+erfindung)?",
        r"bezeichnung(?:\s+der\s+erfindung)?",
        r"titre(?:\s+de\s+l.invention)?",
    ),
    "abstract": (
        r"abstract(?:\s+of\s+(?:the\s+)?(?:disclosure|invention|technical\s+disclosure))?",
        r"zusammenfassung",
        r"kurzfassung",
        r"abrégé(?:\s+descriptif)?",
    ),
    "claims": (
        r"(?:patent\s+|amended\s+|set\s+of\s+|list\s+of\s+|the\s+)?claims?(?:\s+set)?",
        r"(?:what|that\s+which)\s+(?:is|i|we)\s+claim(?:ed)?(?:\s+(?:as\s+)?(?:new|our\s+invention|my\s+invention))?"
        r"(?:\s+and\s+.{1,80}?)?(?:\s+is)?",
        r"(?:we|i|it\s+is)\s+claim(?:ed)?(?:\s+as\s+(?:my|our|the)\s+invention)?(?:\s+is)?",
        r"(?:(?:having|now\s+that).{3,90}?,?\s+)?(?:what|that\s+which)\s+(?:is|i"
        r"|we)\s+(?:now\s+)?claim(?:ed)?\s*(?:is)?",
        r"(?:the\s+)?invention\s+claimed(?:\s+is)?",
        r"the\s+claims\s+defining\s+the\s+invention\s+are(?:\s+as\s+follows)?",
        r"the\s+embodiments\s+of\s+the\s+invention\s+in\s+which\s+.{10,90}\s+defined\s+as\s+follows",
        r"(?:patent|schutz)?ansprüche",
        r"(?:patent|schutz)anspruch",
        r"patentansprueche",
        r"(?:es\s+wird\s+)?beansprucht(?:\s+wird)?",
        r"revendications?",
    ),
    "related": (
        r"(?:corresponding\s+)?cross[-\s]*referenc(?:es?|ed|ing)(?:\s+to\s+.{1,100}|\s+of\s+.{1,60})?",
        r"(?:reference\s+to\s+)?(?:earlier\s+|parent\s+|prior\s+)?(?:related"
        r"|co-?pending)\s+(?:and\s+)?(?:u\.?\s?s\.?\s+|patent\s+"
        r"|provisional\s+|co-?pending\s+)*(?:applications?|cases?|patents?|inventions?|data)(?:\(s\))?(?:\s+(?:data"
        r"|information|section))?",
        r"references?\s+to\s+(?:related|other|earlier|prior|priority|a\s+related|copending)\s+.{1,60}",
        r"(?:claim\s+(?:of|for|to)\s+|benefit\s+and\s+)?priority(?:\s+(?:claims?|data|information|applications?))?",
        r"(?:benefit|priority)\s+claims?\s+to\s+.{1,60}",
        r"(?:continuing|continuation|parent)\s+(?:application|case|data|information)(?:\s+data)?",
        r"incorporation\s+by\s+reference.{0,60}",
        r"statements?\s+(?:regarding|re|re:|of|as\s+to|under|concerning|on|about)\s+.{0,40}"
        r"(?:federal|government|rights?|sponsor|research|interest|support|disclosures?|joint).{0,100}",
        r"(?:federally|government)[-\s]sponsored.{0,80}",
        r"(?:federal\s+|u\.?\s?s\.?\s+)?(?:government|federal)\s+(?:license\s+|research\s+)?"
        r"(?:rights?|interests?|funding|support|contract|grants?|sponsorship)\b.{0,60}",
        r"acknowledge?ments?\s+of\s+(?:government|federal).{0,60}",
        r"(?:references?\s+to\s+(?:a\s+|an\s+|the\s+)?)?(?:microfiche|sequence\s+listing|computer\s+program\s+listing"
        r"|computer\s+listing|compact\s+dis[ck])s?(?:\s+appendi\w+)?(?:\s+(?:or|and|on|submitted)\s+.{1,50})?",
        r"names?\s+of\s+(?:the\s+)?parties.{0,80}",
        r"copyright\s+(?:notice|statement|authorization|notification)",
        r"(?:querverweise?|bezugnahme|verweis)\s+(?:auf|zu)\s+.{1,80}",
        r"verwandte\s+anmeldung(?:en)?",
        r"priorität(?:en|sanspruch|sangaben)?",
    ),
    "field": (
        rf"(?:technical\s+|technological\s+|general\s+)?field(?:s)?{_OF}",
        rf"(?:technical|technological)\s+(?:area|domain){_OF}",
        r"field\s+of\s+(?:use|application|endeavor)",
        rf"(?:technisches\s+|fach|anwendungs)?gebiet{_OF}",
        rf"technisches\s+anwendungsgebiet{_OF}",
        rf"domaine(?:\s+technique)?{_OF}",
    ),
    "background": (
        rf"(?:technical\s+|technological\s+|general\s+|field\s+and\s+"
        rf"|field\s+of\s+(?:the\s+)?invention\s+and\s+)?background(?:\s+(?:art|information|technology"
        rf"|discussion|section|description|and\s+(?:field|(?:related|relevant|prior)\s+art)))?{_OF}",
        rf"(?:brief\s+|general\s+|detailed\s+)?(?:description|discussion|statement|review"
        rf"|overview)\s+of\s+{_THE}{_ART}",
        rf"{_ART}(?:\s+(?:documents?|references?|description|statement))?",
        r"(?:description|discussion)\s+of\s+(?:the\s+)?(?:art|background|technology)",
        rf"(?:state|status)\s+of\s+(?:the\s+)?(?:prior\s+)?(?:art|technology){_OF}",
        r"(?:prior\s+art\s+)?(?:citation\s+list|patent\s+literature|non[-\s]patent\s+literature"
        r"|patent\s+documents?)(?:\s+\d+)?",
        rf"(?:bekannter\s+)?stand\s+der\s+technik{_OF}",
        rf"(?:technischer\s+|technologischer\s+)?hintergrund{_OF}",
        rf"(?:arrière-plan|état|art)\s+(?:de\s+la\s+technique|technologique|antérieur){_OF}",
    ),
    "drawings": (
        rf"(?:brief\s+|short\s+)?(?:descriptions?|explanations?|introductions?|overview|list"
        rf"|summary)\s+of\s+(?:the\s+)?{_SHOWN}",
        r"(?:(?:in|the)\s+)?(?:the\s+)?(?:accompanying\s+)?(?:drawings?|figures?)(?:\s+figures)?(?:\s+description)?",
        r"(?:drawing|figure)s?\s+descriptions?",
        rf"(?:kurze\s+|kurz)?(?:beschreibung|erläuterung|übersicht|auflistung)\s+(?:der|zu\s+den"
        rf"|über\s+die)\s+{_GEZEIGT}",
        r"(?:kurze\s+)?(?:figuren|zeichnungs)(?:beschreibung|übersicht|liste)",
        r"(?:zeichnung(?:en)?|figuren|abbildungen)",
        r"(?:brève\s+)?description\s+(?:sommaire\s+)?des\s+(?:dessins|figures)",
    ),
    "summary": (
        rf"(?:(?:brief|general|short|technical)\s+)?summary(?:\s+and\s+(?:objects?"
        rf"|advantages?)(?:\s+and\s+advantages?)?)?{_OF}",
        r"(?:objects?|advantages?|features?)\s+of\s+.{3,80}",
        rf"(?:background|objects?|advantages?|field)\s*,?\s+and\s+(?:a\s+)?(?:brief\s+)?summary{_OF}",
        rf"(?:general\s+|brief\s+)?disclosure{_OF}",
        rf"(?:principal\s+|primary\s+|further\s+)?(?:objects?|objectives?|aims?|purposes?)(?:\s+and\s+(?:advantages?"
        rf"|features?"
        rf"|summary))?{_OF}",
        r"(?:brief|general|short)\s+(?:description|statement|overview|introduction)\s+of\s+(?:the\s+"
        r"|this\s+)?(?:present\s+)?"
        r"(?:invention|disclosure|embodiments?|technology)",
        r"statements?\s+of\s+(?:the\s+)?invention",
        r"(?:problems?|subjects?|tasks?|objects?)\s+to\s+be\s+solved(?:\s+by.{1,40})?",
        r"technical\s+(?:problems?|solutions?|task)",
        r"(?:means|solutions?)\s+(?:for|of|to)\s+(?:solving|solve|solution|overcoming)?\s*(?:the\s+)?(?:problems?"
        r"|tasks?|subjects?)",
        r"(?:advantageous\s+)?effects?\s+of\s+(?:the\s+)?(?:present\s+)?invention",
        r"advantageous\s+effects?",
        rf"(?:technische\s+|zugrunde\s+liegende\s+)?aufgabe(?:nstellung)?(?:\s+und\s+lösung)?{_OF}",
        rf"lösung{_OF}",
        r"(?:darstellung|offenbarung|wesen|gegenstand|vorteile|ziel|kern)\s+der\s+(?:vorliegenden\s+)?erfindung",
        r"(?:kurze\s+)?zusammenfassung\s+der\s+(?:vorliegenden\s+)?(?:erfindung|offenbarung)",
        r"kurzdarstellung(?:\s+der\s+erfindung)?",
        r"(?:allgemeine\s+|kurze\s+|kurz)beschreibung\s+der\s+(?:vorliegenden\s+)?erfindung",
        r"(?:résumé|exposé|présentation)\s+de\s+l.invention",
    ),
    "detailed": (
        rf"(?:more\s+|further\s+)?detail(?:ed)?\s+(?:botanical\s+|technical\s+)?(?:descriptions?|explanations?"
        rf"|disclosure){_OF}",
        r"detailed\s+description\s+(?:and|with|in).{1,60}",
        rf"botanical\s+descriptions?{_OF}",
        rf"(?:descriptions?|disclosure)\s+of\s+{_THE}{_KIND}(?:embodiments?|implementations?|modes?|examples?|aspects?"
        rf"|inventions?)(?:\(s\))?{_OF}",
        rf"(?:preferred|exemplary|illustrative)\s+embodiments?{_OF}",
        rf"{_KIND}embodiments?(?:\s+(?:\d{{1,3}}|[ivxa-h]{{1,4}}|one|two|three|four|five))?{_OF}",
        rf"(?:best\s+)?modes?\s+(?:for|of)\s+(?:carrying\s+out|practi[cs]ing|working|implementing|realizing"
        rf"|the){_THE}.{{0,50}}",
        r"best\s+mode",
        r"(?:working\s+|comparative\s+|experimental\s+|reference\s+|specific\s+|test\s+)?examples?"
        r"(?:\s+(?:\d{1,3}[a-z]?|[ivx]{1,5}|[a-h]))?",
        r"exemplification|experimental(?:\s+(?:section|procedures?|examples?))?",
        r"(?:detaillierte|ausführliche|eingehende|nähere|genaue|detail)\s?beschreibung(?:\s+(?:\S+\s+){0,6}?\S+)?",
        rf"(?:bevorzugte\s+|weitere\s+)?(?:ausführungsbeispiele?|ausführungsform(?:en)?|ausführungsarten){_OF}",
        r"beschreibung\s+(?:der\s+|von\s+|einer\s+|eines\s+|bevorzugter\s+|der\s+bevorzugten\s+|einiger\s+)+"
        r"(?:ausführungs\w+|erfindung)(?:\s+der\s+erfindung)?",
        r"wege?\s+zur\s+ausführung\s+der\s+erfindung|ausführung\s+der\s+erfindung",
        r"(?:vergleichs)?beispiele?(?:\s+\d{1,3})?",
        rf"description\s+détaillée{_OF}|(?:mode|modes)\s+de\s+réalisation{_OF}",
    ),
    "numerals": (
        rf"(?:brief\s+)?(?:list|explanation|description|table|index"
        rf"|legend)\s+of\s+(?:the\s+)?(?:reference\s+)?{_SIGNS}(?:\s+(?:and|&)\s+{_SIGNS})?"
        r"(?:\s+(?:list|used.{1,40}))?",
        rf"(?:indication\s+by\s+)?reference\s+{_SIGNS}(?:\s+and\s+{_SIGNS})?(?:\s+(?:list|used.{{1,40}}"
        rf"|in\s+.{{1,30}}))?",
        r"(?:parts|component)\s+list|list\s+of\s+(?:parts|components|elements)",
        r"bezugszeichen(?:liste|verzeichnis|aufstellung)?|liste\s+der\s+bezugszeichen"
        r"|verzeichnis\s+der\s+bezugszeichen",
    ),
    "description": (
        r"(?:the\s+)?(?:patent\s+)?(?:description|specification)",
        r"beschreibung",
    ),
}  # fmt: skip
_NUMBERING = (
    r"(?:[\[\u3010]\s*\d{1,5}\s*[\]\u3011]\s*)?"
    r"(?:(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,4}|[A-Ha-h])\s?[.):]\s*|\d{1,2}(?:\.\d{1,2})*\s+|[\u2022*-]\s+)?"
)
_RUN_IN = re.compile(
    r"(?P<heading>[A-Z][A-Z ,()/&-]{3,78}[A-Z)])\s*[:.\u2014\u2013-]?\s+(?P<rest>(?:\[\d{1,5}\]"
    r"\s*)?[A-Z][a-z]?[\w,-]* [a-z].*)$", re.DOTALL)  # fmt: skip
_SENTENCE = re.compile(
    r"\b(?:and|the|to|of|a|an|in|for|with|der|die|das|und|von|zu)$|\b(?:is|are|was|were|be|been|will|may|can|has|have"
    r"|includes?|comprises?|follows?|following|shows?|now|do|does|not|which|that|requires?|provided|provides?|relates?|describes?|concerns?|betrifft|betreffen"
    r"|wird|werden|ist|sind|zeigt|zeigen|umfasst|kann)\b",
    re.IGNORECASE,
)
# Claims may be introduced by a sentence; no other heading is one.
_MAY_BE_SENTENCE = ("claims",)
_MAX_LENGTH = 140
# A heading with its numbering and the first words of text on its line fit into this many characters. Patterns see no
# more than that and no runs of spaces, so that the cost of one line is bounded.
_WINDOW = 300
_SPACES = re.compile(r"\s{2,}+")


@dataclass(frozen=True, slots=True)
class Heading:
    """A known heading, the section it opens, and the text after it on its line."""

    section: SectionName
    text: str
    rest: str = ""


def known_heading(line: str) -> Heading | None:
    """Parses a line as a known heading, or returns None. Markdown marks and numbering before it are skipped.

    >>> known_heading("## 1. Technical Field"), known_heading("The field of use is wide.")
    (Heading(section='field', text='Technical Field', rest=''), None)
    """
    text = unmarked(line)
    if not text or text[0].islower():
        return None
    if _SPACES.search(text, 0, _WINDOW):
        text = _SPACES.sub(lambda run: "\n" if "\n" in run[0] else " ", text)
    head = text[:_MAX_LENGTH].split("\n", 1)[0]
    if len(text) <= _MAX_LENGTH or ":" in head:
        seen = text[:_WINDOW] if ":" in head else head
        for name, pattern in _patterns():
            found = pattern.match(seen)
            if found and _plausible(name, found["heading"], found["rest"]):
                return Heading(name, found["heading"], text[found.start("rest") :] if found["rest"] else "")
    run_in = _RUN_IN.match(text[:_WINDOW])
    if run_in:
        known = known_heading(run_in["heading"])
        if known and len(known.text.split()) * len(known.text) > 8:
            return Heading(known.section, known.text, text[run_in.start("rest") :])
    return None


@cache
def _patterns() -> tuple[tuple[SectionName, re.Pattern[str]], ...]:
    """A pattern for each section, compiled on first use: they are large."""
    end = r"\s*(?:[:.\u2014\u2013-]*\s*$|[:]\s*(?P<rest>\S.*)$)"
    return tuple(
        (name, re.compile(rf"{_NUMBERING}(?P<heading>(?:{'|'.join(patterns)})){end}", re.IGNORECASE | re.DOTALL))
        for name, patterns in _PATTERNS.items()
    )


def unmarked(line: str) -> str:
    """A line without the Markdown marks of a heading or of bold text."""
    text = re.sub(r"^#{1,6}\s+", "", line.strip())
    bare = text.rstrip("#")
    if bare != text and bare[-1:].isspace():
        text = bare.rstrip()
    return re.sub(r"^(\*\*|__)(.+)\1(:?)$", r"\2\3", text).strip()


def _plausible(name: SectionName, heading: str, rest: str | None) -> bool:
    if len(heading) > _MAX_LENGTH or (rest and len(heading) > 60):
        return False
    if heading.isupper() or name in _MAY_BE_SENTENCE:
        return True
    return _SENTENCE.search(heading) is None
