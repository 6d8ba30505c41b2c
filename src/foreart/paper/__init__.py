"""Every table and figure of Helmers et al. (2019), for any corpus."""

from foreart.paper.exhibits.exhibits import EXHIBITS
from foreart.paper.experiments.step_runner import Progress
from foreart.paper.experiments.study import StudySettings
from foreart.paper.report_making import OMISSIBLE, Made, estimated_seconds, make_paper

__all__ = ["EXHIBITS", "OMISSIBLE", "Made", "Progress", "StudySettings", "estimated_seconds", "make_paper"]
