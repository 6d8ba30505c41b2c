"""Every table and figure of Helmers et al. (2019), for any corpus."""

from foreart.paper.exhibits import EXHIBITS
from foreart.paper.making import OMISSIBLE, Made, make_paper
from foreart.paper.running import Progress
from foreart.paper.study import Settings

__all__ = ["EXHIBITS", "OMISSIBLE", "Made", "Progress", "Settings", "make_paper"]
