"""Normalisation of names, and comparison of people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.identifiers.parties import Agreement, Parties, folded_name, folded_names


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Smith, John", "John Smith"),
        ("SMITH John", "John Smith"),
        ("Smith, John A.", "John Smith"),
        ("Dr. John A. B. Smith, Jr.", "SMITH JOHN"),
        ("José Peña", "PENA JOSE"),
        ("Sean O'Brien", "OBRIEN, Sean"),
        ("Jean-Pierre Dupont", "DUPONT Jean Pierre"),
        ("  Müller & Söhne, G.m.b.H. ", "MULLER & SOHNE GMBH"),
        ("Acme G.m.b.H.", "ACME GmbH"),
        ("ACME-Inc.", "Acme Incorporated"),
        ("Weiß AG", "WEISS AKTIENGESELLSCHAFT"),
        ("The University of Utah", "UNIVERSITY OF UTAH"),
        ("Acme GmbH & Co. KG", "ACME"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert folded_name(one) == folded_name(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("John Smith", "Robert Smith"),
        ("J. Smith", "K. Smith"),
        ("A. B. Dick", "C. D. Dick"),
        ("Siemens AG", "Bayer AG"),
        ("\u674e \u660e", "\u738b \u660e"),
    ],
)
def test_names_that_differ(one: str, other: str) -> None:
    assert folded_name(one) != folded_name(other)


@given(st.lists(st.text(max_size=12), max_size=5))
def test_folding_is_idempotent_and_ignores_word_order(words: list[str]) -> None:
    folded = folded_name(" ".join(words))
    assert folded == folded_name(", ".join(reversed(words))) or any("." in word for word in words)
    assert folded_name(folded) == folded


def test_a_name_that_is_only_a_legal_form_is_kept_and_one_of_punctuation_is_empty() -> None:
    assert folded_name("LIMITED") == "limited"
    assert folded_names(["--", " ", "Ann Hall"]) == {"ann hall"}


@pytest.mark.parametrize(
    ("draft", "patent", "expected"),
    [
        ((["Acme"], []), (["ACME "], []), "same"),
        (([], ["John Smith"]), (["Beta Ltd"], ["SMITH, John"]), "same"),
        ((["John Smith"], []), ([], ["Smith John"]), "same"),
        (([], ["John Smith"]), ([], ["Wei Zhang"]), "other"),
        ((["Acme"], ["John Smith"]), (["Beta"], ["Wei Zhang"]), "other"),
        (([], ["John Smith"]), ([], ["J. Smith"]), "unclear"),
        (([], ["Ann Hall"]), ([], ["Ann Hall-Meyer"]), "unclear"),
        ((["Acme"], []), (["Beta"], ["Wei Zhang"]), "unclear"),
        ((["Acme"], []), ([], ["Wei Zhang"]), "unknown"),
        (([], []), (["Beta"], ["Wei Zhang"]), "unknown"),
        ((["--"], []), (["--"], []), "unknown"),
    ],
)
def test_agreement(
    draft: tuple[list[str], list[str]], patent: tuple[list[str], list[str]], expected: Agreement
) -> None:
    mine = Parties.of(Draft(applicants=tuple(draft[0]), inventors=tuple(draft[1])))
    theirs = Parties.of(Patent("EP1A1", applicants=tuple(patent[0]), inventors=tuple(patent[1])))
    assert mine.agreement(theirs) == theirs.agreement(mine) == expected
