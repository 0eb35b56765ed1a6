"""Control groups with a quota: what is written, what a run in one sees, what is said where there is none."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lpcl.verify import quotas
from lpcl.verify.judgement import Verdict
from lpcl.verify.laboratory import unsupported
from tests.unit.verify.conftest import host_of

if TYPE_CHECKING:
    from tests.unit.verify.conftest import Bench

VERSION_1 = "30 20 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct"
VERSION_2 = "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw"


def machine(root: Path, mount: str, membership: str, controllers: str = "") -> Path:
    """A root folder whose process is in the topmost group of one hierarchy."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/mountinfo").write_text(mount + "\n")
    (root / "proc/self/cgroup").write_text(membership + "\n")
    top = root / mount.split()[4].removeprefix("/")
    top.mkdir(parents=True)
    (top / "cgroup.subtree_control").write_text(controllers)
    return top


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders that are no control groups keep their files, so that they cannot be removed."""
    monkeypatch.setattr(quotas, "_REMOVAL", 0.0)


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(("cpus", "figure"), [(Fraction(3, 2), 150000), (4, 400000), (Fraction(1, 3), 33333)])
def test_version_1(tmp_path: Path, cpus: Fraction, figure: int) -> None:
    top = machine(tmp_path, VERSION_1, "3:cpu,cpuacct:/")
    with quotas.group(Fraction(cpus), tmp_path) as group:
        made = Path(group.folder)
        assert made.parent == top
        assert (group.version, group.point, group.controllers) == (1, str(top), "cpu,cpuacct")
        assert (made / "cpu.cfs_quota_us").read_text() == str(figure)
        assert (made / "cpu.cfs_period_us").read_text() == "100000"


@pytest.mark.usefixtures("kept")
def test_version_2(tmp_path: Path) -> None:
    top = machine(tmp_path, VERSION_2, "0::/", "cpuset cpu memory")
    with quotas.group(Fraction(3, 2), tmp_path) as group:
        assert (group.version, group.point, group.controllers) == (2, str(top), "")
        assert Path(group.folder, "cpu.max").read_text() == "150000 100000"


def test_a_group_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = machine(tmp_path, VERSION_2, "0::/", "cpu")
    monkeypatch.setattr(quotas, "_limit", lambda *_: None)
    with quotas.group(Fraction(1), tmp_path) as group:
        assert Path(group.folder).is_dir()
    assert [item.name for item in top.iterdir()] == ["cgroup.subtree_control"]


@pytest.mark.parametrize(
    ("mount", "membership"),
    [
        (VERSION_2, "0::/"),  # the controller is not handed down
        (VERSION_1.replace("cpu,cpuacct", "memory"), "3:memory:/"),
    ],
)
def test_no_controller(tmp_path: Path, mount: str, membership: str) -> None:
    machine(tmp_path, mount, membership, "memory")
    with (
        pytest.raises(quotas.Unavailable, match="none here has the CPU controller"),
        quotas.group(Fraction(1), tmp_path),
    ):
        pass


def test_folders_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = machine(tmp_path, VERSION_1, "3:cpu:/")

    def refused(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(quotas.Unavailable) as caught, quotas.group(Fraction(1), tmp_path):
        pass
    assert str(caught.value) == (
        f"it needs a control group of its own, and {top} cannot be written: Permission denied"
    )


EVIDENCE = '''
contract probe {
  let whole = ceil(machine.cpus.quota)
  evidence "it holds" {
    python """
      from pathlib import Path
      top = Path("/sys/fs/cgroup")
      one, two = top / "cpu/cpu.cfs_quota_us", top / "cpu.max"
      report(quota=int((one if one.exists() else two).read_text().split()[0]))
    """
    quota cpus = 1.5
    expect quota == 150000
    expect self.whole == 2
  }
}
'''


@pytest.mark.skipif(unsupported() is not None, reason=unsupported() or "")
def test_a_run_sees_its_quota_as_in_a_container(bench: Bench) -> None:
    """Where no group can be made the experiment is not tried, and says why."""
    outcome = bench.attempt_file(EVIDENCE)
    if outcome.verdict is Verdict.NOT_TRIED:
        assert outcome.reason
        assert "control group" in outcome.reason
    else:
        assert outcome.verdict is Verdict.PROVED


@pytest.mark.skipif(unsupported() is not None, reason=unsupported() or "")
def test_what_cannot_be_entered_is_not_tried(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    class Nowhere:
        def __init__(self, cpus: Fraction) -> None:
            self.cpus = cpus

        def __enter__(self) -> quotas.Group:
            return quotas.Group(1, "/no/such/group", "/no/such", "cpu")

        def __exit__(self, *ignored: object) -> None:
            pass

    monkeypatch.setattr(quotas, "group", Nowhere)
    outcome = bench.attempt_file(EVIDENCE)
    assert outcome.verdict is Verdict.NOT_TRIED
    assert outcome.reason == "no control group can be entered: No such file or directory"


@pytest.mark.parametrize(("value", "seen"), [("1.5", Fraction(3, 2)), ("64", 8)])
def test_the_machine_of_a_run_has_the_quota(bench: Bench, value: str, seen: Fraction) -> None:
    made = bench.experiment(
        f'python "pass" expect true quota cpus = {value}', host_of(cpus__online=8, cpus__quota=8)
    )
    assert made.setup is not None
    assert made.setup.quota == Fraction(value)
    assert made.setup.machine.fact("cpus.quota") == seen


@pytest.mark.parametrize("value", ["0", "0.001"])
def test_a_quota_that_the_kernel_does_not_grant(bench: Bench, value: str) -> None:
    made = bench.experiment(f'python "pass" expect true quota cpus = {value}')
    assert made.fault == f"its control group is to allow {value} CPUs, and the least quota is 0.01"
