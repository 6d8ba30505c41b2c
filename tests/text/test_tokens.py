"""Splitting text into words."""

from __future__ import annotations

from foreart.text import tokens


def test_as_published_gives_the_golden_example() -> None:
    text = "The Device-10 (FIG. 3A), U.S. Pat. No. 7,585,299; see http://www.x.com/a,b and co2."
    assert " ".join(tokens(text, as_published=True)) == "the device-11 fig 1a u s pat no 1 111 111 see and co1"


def test_words_are_runs_of_letters_and_digits_in_lower_case() -> None:
    assert tokens("A Spring-loaded_pawl (30), 3.5 mm!") == ["a", "spring", "loaded", "pawl", "30", "3", "5", "mm"]
    assert tokens("") == []
    assert tokens("…—!") == []


def test_other_alphabets_are_kept_and_ligatures_do_not_split() -> None:
    assert tokens("Dornfortsätze, größer, 骨") == ["dornfortsätze", "größer", "骨"]
    assert tokens("\ufb01xation") == ["fixation"]
    assert tokens("cathe\u0301ter") == ["cathéter"]  # a combining accent


def test_as_published_transliterates_to_ascii() -> None:
    assert tokens("Größe cathéter end", as_published=True) == ["grosse", "catheter", "end"]


def test_as_published_drops_only_urls_with_a_lower_case_scheme() -> None:
    text = "see www.example.org/x or https://example.org/a-b?c=1 or http:// or HTTP://Example.org/7 end"
    assert " ".join(tokens(text, as_published=True)) == "see www example org x or or or http example org 1 end"
