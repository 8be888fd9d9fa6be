"""How many processors this process may use."""

import os
from pathlib import Path


def usable_cores() -> int:
    """Processors granted by affinity and by the control group's quota; at least 1."""
    granted = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(granted or 1, _quota() or granted or 1))


def _quota() -> int | None:
    """Whole processors of the control group's share of time, version 2 or 1."""
    root = Path("/sys/fs/cgroup")
    try:
        share, period = (root / "cpu.max").read_text().split()
    except (OSError, ValueError):
        try:
            share = (root / "cpu/cpu.cfs_quota_us").read_text()
            period = (root / "cpu/cpu.cfs_period_us").read_text()
        except OSError:
            return None
    try:
        return round(int(share) / int(period)) if int(share) > 0 else None
    except ValueError:
        return None  # "max": no limit
