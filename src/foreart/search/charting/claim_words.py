"""Stop words of claims: words that do not describe the claimed subject and have no weight."""

from __future__ import annotations

_ENGLISH = """
a about above according across after against all along also although always am among an and another any are around as
at away be because become becomes been before being below beneath beside between beyond both but by can cannot could
did do does doing done due during each either else especially even every few for from further furthermore given gives
had has have having he hence her here herein hereby hereinafter his how however if in into is it its itself just
latter let likely made make makes making many may me might more moreover most much must my nearly neither no nor not
now of off on once one ones only onto or other others otherwise our out over overall particular per preferably
preferred rather same shall she should since so some such than that the their them then thence there thereafter
thereby therefore therefrom therein thereof thereon thereto therewith these they this those though through throughout
thus to together too toward towards under until unto up upon use used uses using very via was way we well were what
when whenever where whereas whereat whereby wherefore wherefrom wherein whereof whereon whereto whereupon wherewith
whether which while who whole whom whose why will with within without would yet you your adapted additional
additionally aforementioned aforesaid arranged associated based capable characterised characterized claim claimed
claims composed comprise comprised comprises comprising configured consist consisting consists contain contained
containing contains corresponding define defined defines defining designed embodiment embodiments essentially example
exemplary feature features fifth first following follows fourth include included includes including intended invention
kind least means namely operable operably operatively optionally order particularly partly plurality predetermined
provide provided provides providing relate relates respective respectively said second several similar similarly sixth
so-called specific specified step steps substantially suitable suitably third type types various
"""
_GERMAN = """
ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus außer
außerdem bei beide beiden beim bereits bevorzugt bezüglich bis bzw da dabei dadurch dafür dagegen daher dahin damit
danach daneben dann daran darauf daraus darin darüber das dass daß davon dazu dem den denen denn der deren derart des
dessen die dies diese diesem diesen dieser dieses doch dort durch ein eine einem einen einer eines einige einigen
einiger entlang entsprechend entsprechende entsprechenden entweder er es etwa etwas falls ferner folgend folgende
folgenden folgender für gegen gegenüber gemäß genannt genannte genannten genannter gleich haben hat hierbei hierfür
hierzu hin hinter ihr ihre ihrem ihren ihrer im in indem innerhalb insbesondere ist ja je jede jedem jeden jeder jedes
jedoch jeweilige jeweiligen jeweils kann kein keine keinem keinen keiner können lediglich man mehr mehrere mehreren
mindestens mit mittels muss müssen nach neben nicht noch nur ob oben oder ohne sein seine seinem seinen seiner sich
sie sind so sobald soll sondern sowie sowohl über um und unten unter vom von vor vorzugsweise während war waren was
weil weiter weitere weiteren weiterhin welche welchem welchen welcher welches wenigstens wenn werden wie wird wobei
wodurch worden worin wurde wurden zu zueinander zum zumindest zur zusätzlich zwei zwischen anordnung anspruch
ansprüche ansprüchen anspruchs aufweisen aufweisend aufweist ausgebildet ausgebildete ausgestaltet angeordnet
angeordnete beinhaltend beinhaltet bestehend besteht bildet dient dienend dienen drei dritte dritten eingerichtet
enthält enthalten enthaltend erfindung erste ersten erster erstes gebildet gekennzeichnet geeignet gestaltet merkmal
merkmale mittel mitteln schritt schritte teil teile teilen umfassen umfassend umfasst umfaßt verfahren verfahrens
vorgesehen vorrichtung vorrichtungen zweite zweiten zweiter zweites
"""
# By language: "die" is an article in German and a tool in English.
NO_WEIGHT = {"en": frozenset(_ENGLISH.split()), "de": frozenset(_GERMAN.split())}


def has_weight(word: str, language: str) -> bool:
    """Whether a word of a claim has weight: not a stop word, not a single letter."""
    return len(word) > 1 and word not in NO_WEIGHT.get(language or "en", NO_WEIGHT["en"])
