"""Terms that a text must have or must not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.errors import ForeartError
from foreart.search.term_filters import Term, rows_of, term_of, terms_of
from foreart.text import tokens


@pytest.mark.parametrize(
    ("written", "words", "stars"),
    [
        ("screw", ("screw",), (False,)),
        ("Screw*", ("screw",), (True,)),
        ('"pedicle screw"', ("pedicle", "screw"), (False, False)),
        ("pedicle screw*", ("pedicle", "screw"), (False, True)),
        ("piezo* element", ("piezo", "element"), (True, False)),
        ("X-ray", ("x", "ray"), (False, False)),
        ("„Schraube“", ("schraube",), (False,)),
        ("Ultraschall*-Sonde", ("ultraschall", "sonde"), (True, False)),
        ("ﬁlter", ("filter",), (False,)),
    ],
)
def test_what_a_person_writes(written: str, words: tuple[str, ...], stars: tuple[bool, ...]) -> None:
    term = term_of(written)
    assert (term.words, term.open_ended) == (words, stars)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("", "no word"),
        ("*", "end of a word"),
        ("scr*w", "end of a word"),
        ("*screw", "end of a word"),
        ("...", "no word"),
    ],
)
def test_what_is_no_term(written: str, told: str) -> None:
    with pytest.raises(ForeartError, match=told):
        term_of(written)


@pytest.mark.parametrize(
    ("written", "text", "found"),
    [
        ("pedicle screw", "A Pedicle\nscrew.", True),
        ("pedicle screw", "a pedicle-screw", True),
        ("pedicle screw", "a pedicle and a screw", False),
        ("pedicle screw", "pedicle screws", False),
        ("pedicle screw*", "pedicle screws", True),
        ("screw", "unscrew it", False),
        ("screw", "unscrew the screw", True),
        ("a a", "ba a a", True),
        ("a a", "ba a", False),
        ("screw", "pedicle_screw", True),
        ("größe", "GRÖSSE Größe", True),
        ("filter", "a ﬁlter", True),
    ],
)
def test_where_a_term_stands(written: str, text: str, found: bool) -> None:
    assert term_of(written).occurs_in(text) is found


def _stands(term: Term, text: str) -> bool:
    """The same, told from the words of the text."""
    words = tokens(text)
    pairs = list(zip(term.words, term.open_ended, strict=True))
    return any(
        all(
            word.startswith(wanted) if star else word == wanted
            for word, (wanted, star) in zip(words[at : at + len(pairs)], pairs, strict=True)
        )
        for at in range(len(words) - len(pairs) + 1)
    )


PIECES = st.sampled_from(["a", "ab", "abc", "b", "ß", "Ab", "é", "1", " ", " ", "-", "_", ".", "\n", "ﬁ", "İ"])
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@given(TEXTS, st.lists(st.sampled_from(["a", "ab", "b*", "a*", "1", "é"]), min_size=1, max_size=3).map(" ".join))
@settings(max_examples=500, deadline=None)
def test_a_term_stands_where_its_words_do(text: str, written: str) -> None:
    assert term_of(written).occurs_in(text) == _stands(term_of(written), text)


def test_words_are_looked_up_and_only_phrases_are_read() -> None:
    texts = ["a screw", "a pedicle and a screw", "pedicle screw", "nothing", "pedicle screw"]
    read: list[int] = []

    def lookup(word: str, star: bool) -> np.ndarray:
        return np.array([any(w.startswith(word) if star else w == word for w in tokens(text)) for text in texts])

    def reading(row: int) -> str:
        read.append(row)
        return texts[row]

    among = np.array([True, True, True, True, False])
    assert rows_of(term_of("scr*"), among, lookup, reading).tolist() == [True, True, True, False, False]
    assert read == []
    assert rows_of(term_of("pedicle screw"), among, lookup, reading).tolist() == [False, False, True, False, False]
    assert read == [1, 2]
    assert rows_of(term_of("screw"), among, None, reading).tolist() == [True, True, True, False, False]
    assert among.tolist() == [True, True, True, True, False]


def test_a_term_given_twice_is_one() -> None:
    assert [str(term) for term in terms_of(["screw", "pawl", '"screw"'])] == ["screw", "pawl"]
