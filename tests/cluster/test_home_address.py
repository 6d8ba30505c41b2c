"""Addresses of clusters."""

import pytest

from foreart.cluster.home_address import HomeAddress, home_address
from foreart.errors import BadRequest


@pytest.mark.parametrize(
    ("text", "wanted", "endpoint"),
    [
        ("dask://node7:8786", HomeAddress("dask", "node7", 8786), "tcp://node7:8786"),
        ("dask://node7", HomeAddress("dask", "node7", 8786), "tcp://node7:8786"),
        ("tcp://10.0.0.1:9", HomeAddress("dask", "10.0.0.1", 9), "tcp://10.0.0.1:9"),
        ("tls://node7/", HomeAddress("dask", "node7", 8786, True), "tls://node7:8786"),
        ("dask+tls://[::1]:77", HomeAddress("dask", "::1", 77, True), "tls://[::1]:77"),
        ("http://h", HomeAddress("opensearch", "h", 9200), "http://h:9200"),
        (" https://h:443 ", HomeAddress("opensearch", "h", 443, True), "https://h:443"),
    ],
)
def test_an_address_names_a_home(text: str, wanted: HomeAddress, endpoint: str):
    assert home_address(text) == wanted
    assert wanted.endpoint == endpoint
    assert home_address(str(wanted)) == wanted


@pytest.mark.parametrize(
    "text",
    ["", "node7", "node7:8786", "ray://h:1", "dask://", "dask://h:port", "dask://h:99999", "https://h/path", "http://h?q=1",
     "http://[::1"],
)  # fmt: skip
def test_anything_else_is_refused_in_one_sentence(text: str):
    with pytest.raises(BadRequest, match=r"address.*dask://HOST:8786"):
        home_address(text)


def test_a_password_is_refused_and_not_repeated():
    with pytest.raises(BadRequest) as refused:
        home_address("https://admin:secret@h:9200")
    assert "secret" not in str(refused.value)
