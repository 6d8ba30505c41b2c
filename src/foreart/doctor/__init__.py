"""Health checks of installation, corpus, indexes, ranking and kept files; nothing is changed."""

from foreart.doctor.examining import examine
from foreart.doctor.health_check import HealthCheck

__all__ = ["HealthCheck", "examine"]
