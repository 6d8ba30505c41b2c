"""Codes of the USPTO's text systems, each against the characters it was printed with."""

from __future__ import annotations

import pytest

from foreart.sources.markup.dotcodes import readable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CO.sub.2, x.sub.n-1), T.sub.TX", "CO2, x_n-1), T_TX"),
        ("10.sup.-6 m.sup.2, the 2.sup.nd, R.sup.1", "10^-6 m^2, the 2nd, R^1"),
        ("H.sub.2 SO.sub.4; CH.sub.3 (CH.sub.2).sub.4 OH", "H2SO4; CH3(CH2)4OH"),
        ("coils B.sub.1 B.sub.2; NH.sub.3 in water; V.sub.1 ON", "coils B1 B2; NH3 in water; V1 ON"),
        ("GeSb.sub.2Te.sub.4", "GeSb2Te4"),
        (".alpha.,.beta.-.DELTA. 5 .mu.m 20.degree. C.", "α,β-Δ 5 μm 20° C."),
        ("0.38.+-.0.18 mm (.+-.0.001 in)", "0.38±0.18 mm (±0.001 in)"),
        ("x.sub..beta. and Cut.sup..TM.", "x_β and Cut™"),
        ("a.fwdarw.b, a.ltoreq.b, C.dbd.O, C.tbd.N", "a→b, a≤b, C=O, C≡N"),
        ("file.sub.-- name", "file_name"),
        (".[.old.]. .Iadd.new.Iaddend.", "[old] new"),
        ("2.Math.d is 25 .Math.m", "2·d is 25 μm"),
        ("e.g. U.S. Pat. No. 5; i.e. 1.0.2", "e.g. U.S. Pat. No. 5; i.e. 1.0.2"),
        ("A##STR00012##B ##EQU1##", "A B  "),
        ("see.nothing.here. .unknown-name.", "see.nothing.here. .unknown-name."),
    ],
)
def test_readable(text: str, expected: str) -> None:
    assert readable(text) == expected
