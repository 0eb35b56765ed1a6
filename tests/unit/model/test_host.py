"""The host's figures: of folders that look like machines of many kinds, and of the machine of the tests."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from lpcl.model import cgroups
from lpcl.model.host import HostFacts, cpu_list, read_host
from lpcl.model.machine import FACTS

NO_LIMIT_V1 = 9223372036854771712
USER = "Uid:\t1000\nCapEff:\t0000000000000000\nCpus_allowed_list:\t0-15\n"
ROOT = "Uid:\t0\nCapEff:\t000001ffffffffff\nCpus_allowed_list:\t0-15\n"
MOUNT_V2 = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate"


class Machine:
    """A folder that looks like the root of a machine with 8 CPUs on 4 cores, and 16 GiB."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("sys/devices/system/cpu/online", "0-7")
        for cpu in range(8):
            self.write(f"sys/devices/system/cpu/cpu{cpu}/topology/core_cpus_list", f"{cpu % 4},{cpu % 4 + 4}")
        self.write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:        1 kB")
        self.write("proc/self/status", USER)
        self.limits()
        self.write("proc/sys/kernel/threads-max", "127000")
        self.write("proc/sys/kernel/pid_max", "4194304")

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")

    def limits(self, processes: str = "unlimited", **others: str) -> None:
        values = {"files": "1024", "locked memory": "65536", "address space": "unlimited"}
        values |= {name.replace("_", " "): value for name, value in others.items()}
        lines = ["Limit                     Soft Limit           Hard Limit           Units     "]
        for name, unit, value in (
            ("Max processes", "processes", processes),
            ("Max open files", "files", values["files"]),
            ("Max locked memory", "bytes", values["locked memory"]),
            ("Max address space", "bytes", values["address space"]),
        ):
            lines.append(f"{name:<25} {value:<20} {'unlimited':<20} {unit:<10}")
        lines.append(f"{'Max nice priority':<25} {'0':<20} {'0':<20} {'':<10}")
        self.write("proc/self/limits", "\n".join(lines))

    def groups(self, paths: str, *mounts: str) -> None:
        self.write("proc/self/cgroup", paths)
        other = "22 27 0:21 / /proc rw,relatime - proc proc rw"
        self.write("proc/self/mountinfo", "\n".join([other, *mounts]))

    def read(self) -> HostFacts:
        return read_host(self.root)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


# ------------------------------------------------------------------ CPUs


@pytest.mark.parametrize(
    ("text", "cpus"),
    [("0", {0}), ("0-3", {0, 1, 2, 3}), ("0-1,8,10-11\n", {0, 1, 8, 10, 11}), ("", None), ("x", None)],
)
def test_lists_of_cpus(text: str, cpus: set[int] | None) -> None:
    assert cpu_list(text) == cpus


def test_every_fact_is_either_read_or_said_to_be_absent(machine: Machine) -> None:
    facts = machine.read()
    assert set(facts.readings) | set(facts.absent) == set(FACTS)
    assert not set(facts.readings) & set(facts.absent)


def test_cpus_and_cores(machine: Machine) -> None:
    values = machine.read().values
    assert values["cpus.online"] == 8
    assert values["cpus.affinity"] == 8  # the mask names 16, of which 8 exist
    assert values["cpus.physical"] == 4


def test_affinity_mask(machine: Machine) -> None:
    machine.write("proc/self/status", USER.replace("0-15", "2,5-6"))
    assert machine.read().values["cpus.affinity"] == 3


def test_a_core_of_which_one_thread_is_offline(machine: Machine) -> None:
    machine.write("sys/devices/system/cpu/online", "0-4")
    for cpu in range(4):
        siblings = "0,4" if cpu == 0 else str(cpu)
        machine.write(f"sys/devices/system/cpu/cpu{cpu}/topology/core_cpus_list", siblings)
    values = machine.read().values
    assert (values["cpus.online"], values["cpus.physical"]) == (5, 4)


def test_cores_from_cpuinfo(machine: Machine) -> None:
    machine.write("sys/devices/system/cpu/online", "8-9")
    blocks = [f"processor : {n}\nphysical id : {n % 2}\ncore id : {n // 2 % 2}" for n in range(8)]
    machine.write("proc/cpuinfo", "\n\n".join(blocks))
    found = machine.read().readings["cpus.physical"]
    assert (found.value, found.source) == (4, "/proc/cpuinfo, physical id and core id")


def test_cpus_from_the_statistics_where_there_is_no_sys(machine: Machine) -> None:
    (machine.root / "sys/devices/system/cpu/online").unlink()
    machine.write("proc/stat", "cpu  9 9 9\ncpu0 3 3 3\ncpu1 3 3 3\nintr 5")
    facts = machine.read()
    assert facts.readings["cpus.online"].value == 2
    assert facts.readings["cpus.quota"].value == 2
    assert "share a core" in facts.absent["cpus.physical"].reason


# ------------------------------------------------------------------ control groups


def test_no_control_groups_at_all(machine: Machine) -> None:
    facts = machine.read()
    assert facts.readings["cpus.quota"].value == 8
    assert facts.readings["cpus.quota"].source == "no control group limits it: cpus.online"
    assert facts.readings["memory.limit"].value == 16 * 2**30


def test_version_2_takes_the_least_on_the_way_up(machine: Machine) -> None:
    machine.groups("0::/user.slice/app.service", MOUNT_V2)
    machine.write("sys/fs/cgroup/user.slice/app.service/cpu.max", "max 100000")
    machine.write("sys/fs/cgroup/user.slice/app.service/memory.max", "8589934592")
    machine.write("sys/fs/cgroup/user.slice/app.service/pids.max", "500")
    machine.write("sys/fs/cgroup/user.slice/cpu.max", "250000 100000")
    machine.write("sys/fs/cgroup/user.slice/memory.max", "4294967296")
    machine.write("sys/fs/cgroup/user.slice/pids.max", "max")
    facts = machine.read()
    assert facts.readings["cpus.quota"].value == Fraction(5, 2)
    assert facts.readings["cpus.quota"].source == "/sys/fs/cgroup/user.slice/cpu.max"
    assert facts.readings["memory.limit"].value == 2**32
    assert facts.readings["limits.threads"].value == 500
    assert facts.readings["limits.threads"].source == "/sys/fs/cgroup/user.slice/app.service/pids.max"


def test_version_2_in_a_container_sees_itself_as_the_root(machine: Machine) -> None:
    machine.groups("0::/", MOUNT_V2)
    machine.write("sys/fs/cgroup/cpu.max", "400000 100000")
    assert machine.read().values["cpus.quota"] == 4


def test_version_1_with_shared_controllers(machine: Machine) -> None:
    machine.groups(
        "7:cpu,cpuacct:/slurm/job_7/step_0\n4:memory:/slurm/job_7\n2:pids:/slurm",
        "31 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
        "34 30 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
        "35 30 0:32 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids",
    )
    cpu = "sys/fs/cgroup/cpu,cpuacct/slurm/job_7"
    machine.write(f"{cpu}/step_0/cpu.cfs_quota_us", "-1")
    machine.write(f"{cpu}/step_0/cpu.cfs_period_us", "100000")
    machine.write(f"{cpu}/cpu.cfs_quota_us", "150000")
    machine.write(f"{cpu}/cpu.cfs_period_us", "100000")
    machine.write("sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "2147483648")
    machine.write("sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", str(NO_LIMIT_V1))
    machine.write("sys/fs/cgroup/pids/slurm/pids.max", "4096")
    values = machine.read().values
    assert values["cpus.quota"] == Fraction(3, 2)
    assert values["memory.limit"] == 2**31
    assert values["limits.threads"] == values["limits.processes"] == 4096


def test_version_1_without_limits(machine: Machine) -> None:
    machine.groups("4:memory:/", "34 30 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory")
    machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", str(NO_LIMIT_V1))
    machine.write("sys/fs/cgroup/memory/memory.stat", f"cache 1\nhierarchical_memory_limit {NO_LIMIT_V1}")
    assert machine.read().readings["memory.limit"].source == "no control group limits it: memory.total"


def test_version_1_in_a_container_without_a_namespace(machine: Machine) -> None:
    """The process is known by the host's path, of which the mount shows only the container's part."""
    machine.groups(
        "5:cpu:/docker/abc/inner",
        "31 30 0:28 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu",
    )
    machine.write("sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "300000")
    machine.write("sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000")
    assert machine.read().values["cpus.quota"] == 3


@pytest.mark.parametrize("path", ["/elsewhere/abc", "/../other"])
def test_a_group_outside_of_what_is_mounted(machine: Machine, path: str) -> None:
    machine.groups(f"5:cpu:{path}", "31 30 0:28 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu")
    machine.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000")
    machine.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000")
    assert machine.read().values["cpus.quota"] == Fraction(1, 2)


def test_memory_that_groups_above_the_container_allow(machine: Machine) -> None:
    machine.groups("4:memory:/pod/c", "34 30 0:31 /pod/c /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory")
    machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", str(NO_LIMIT_V1))
    machine.write("sys/fs/cgroup/memory/memory.stat", "cache 1\nhierarchical_memory_limit 1073741824")
    found = machine.read().readings["memory.limit"]
    assert (found.value, found.source) == (2**30, "/sys/fs/cgroup/memory/memory.stat")


def test_hybrid_layout(machine: Machine) -> None:
    """Version 1 has the controllers, and version 2 is mounted beside it without any."""
    machine.groups(
        "5:cpu:/job\n0::/job",
        "31 30 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu",
        "41 30 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw",
    )
    machine.write("sys/fs/cgroup/unified/job/cpu.stat", "usage_usec 1")
    machine.write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "200000")
    machine.write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000")
    assert machine.read().values["cpus.quota"] == 2


def test_hybrid_layout_with_limits_in_both(machine: Machine) -> None:
    machine.groups(
        "5:cpu:/job\n0::/job",
        "31 30 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu",
        "41 30 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw",
    )
    machine.write("sys/fs/cgroup/unified/job/memory.max", "1073741824")
    machine.write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "200000")
    machine.write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000")
    values = machine.read().values
    assert (values["cpus.quota"], values["memory.limit"]) == (2, 2**30)


def test_a_mount_point_with_a_blank_in_its_name(machine: Machine) -> None:
    machine.groups("0::/", MOUNT_V2.replace("/sys/fs/cgroup", r"/my\040groups"))
    machine.write("my groups/cpu.max", "100000 100000")
    assert machine.read().readings["cpus.quota"].source == "/my groups/cpu.max"


@pytest.mark.parametrize("text", ["", "max", "nonsense", "0 100000", "100000 0", "100000"])
def test_a_quota_that_says_nothing(machine: Machine, text: str) -> None:
    machine.groups("0::/", MOUNT_V2)
    machine.write("sys/fs/cgroup/cpu.max", text)
    assert machine.read().values["cpus.quota"] == 8


def test_a_memory_limit_above_the_memory(machine: Machine) -> None:
    machine.groups("0::/", MOUNT_V2)
    machine.write("sys/fs/cgroup/memory.max", str(2**40))
    assert machine.read().values["memory.limit"] == 16 * 2**30


# ------------------------------------------------------------------ limits, shared memory, GPUs


def test_resource_limits(machine: Machine) -> None:
    machine.limits(address_space=str(2**34), files="4096")
    values = machine.read().values
    assert values["limits.files"] == 4096
    assert values["limits.address_space"] == 2**34
    assert values["limits.locked_memory"] == 65536


def test_what_is_not_limited_is_absent(machine: Machine) -> None:
    machine.limits(address_space="unlimited", files="unlimited")
    absent = machine.read().absent
    assert absent["limits.address_space"].reason == "not limited (RLIMIT_AS)"
    assert absent["limits.files"].reason == "not limited (RLIMIT_NOFILE)"


def test_threads_are_limited_by_the_least_of_user_group_and_kernel(machine: Machine) -> None:
    assert machine.read().values["limits.threads"] == 127000
    machine.write("proc/sys/kernel/pid_max", "32768")
    assert machine.read().values["limits.threads"] == 32768
    machine.limits(processes="4096")
    assert machine.read().values["limits.threads"] == 4096
    machine.groups("0::/", MOUNT_V2)
    machine.write("sys/fs/cgroup/pids.max", "100")
    assert machine.read().values["limits.threads"] == 100


def test_limits_that_do_not_bind_the_superuser(machine: Machine) -> None:
    machine.limits(processes="4096")
    machine.write("proc/self/status", ROOT)
    machine.write("proc/self/uid_map", "         0          0 4294967295")
    facts = machine.read()
    assert facts.values["limits.threads"] == 127000
    assert "RLIMIT_MEMLOCK is 64 KiB" in facts.absent["limits.locked_memory"].reason


def test_limits_that_bind_the_superuser_of_a_user_namespace(machine: Machine) -> None:
    machine.limits(processes="4096")
    machine.write("proc/self/status", ROOT)
    machine.write("proc/self/uid_map", "         0       1000          1")
    values = machine.read().values
    assert (values["limits.threads"], values["limits.locked_memory"]) == (4096, 65536)


def test_shared_memory(machine: Machine) -> None:
    assert "No such file" in machine.read().absent["shm"].reason
    (machine.root / "dev/shm").mkdir(parents=True)
    size = os.statvfs(machine.root / "dev/shm")
    assert machine.read().values["shm"] == size.f_blocks * size.f_frsize


def test_no_gpu(machine: Machine) -> None:
    facts = machine.read()
    assert facts.values["gpus"] == 0
    assert facts.absent["gpu.memory"].reason == "there is no GPU"


def test_gpus_that_a_container_was_given(machine: Machine) -> None:
    for name in ("nvidia0", "nvidia3", "nvidiactl", "nvidia-uvm"):
        machine.write(f"dev/{name}", "")
    for name in ("0000:01:00.0", "0000:02:00.0", "0000:03:00.0", "0000:04:00.0"):
        machine.write(f"proc/driver/nvidia/gpus/{name}/information", "Model: x")
    facts = machine.read()
    assert facts.values["gpus"] == 2
    assert "driver does not tell" in facts.absent["gpu.memory"].reason


def test_gpus_by_their_driver(machine: Machine) -> None:
    machine.write("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: x")
    assert machine.read().values["gpus"] == 1


def test_gpus_that_tell_their_memory(machine: Machine) -> None:
    for card, size in (("card0", 16 * 2**30), ("card1", 8 * 2**30)):
        machine.write(f"sys/class/drm/{card}/device/mem_info_vram_total", str(size))
    machine.write("sys/class/drm/card2/device/vendor", "0x8086")
    machine.write("sys/class/drm/card0-DP-1/status", "connected")
    values = machine.read().values
    assert (values["gpus"], values["gpu.memory"]) == (2, 8 * 2**30)


def test_an_empty_root(tmp_path: Path) -> None:
    facts = read_host(tmp_path)
    assert set(facts.values) == {"gpus"}
    assert all(item.reason for item in facts.absent.values())


# ------------------------------------------------------------------ this machine

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads Linux's /proc and /sys")


@linux
def test_this_machine_agrees_with_the_os_module() -> None:
    facts = read_host()
    values = facts.values
    assert values["cpus.online"] == os.cpu_count()
    assert values["cpus.affinity"] == len(os.sched_getaffinity(0))
    assert 1 <= values["cpus.physical"] <= values["cpus.online"]
    assert values["memory.total"] == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0 < values["memory.limit"] <= values["memory.total"]
    assert values["cpus.quota"] > 0
    limits = {"limits.files": resource.RLIMIT_NOFILE, "limits.address_space": resource.RLIMIT_AS}
    for path, limit in limits.items():
        soft = resource.getrlimit(limit)[0]
        assert values.get(path, resource.RLIM_INFINITY) == soft
    assert values["limits.threads"] > 0
    size = os.statvfs("/dev/shm")
    assert values["shm"] == size.f_blocks * size.f_frsize


@linux
def test_this_machine_under_an_affinity_mask() -> None:
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert read_host().values["cpus.affinity"] == 1
    finally:
        os.sched_setaffinity(0, before)


@dataclass(frozen=True)
class Limited:
    """A limit to set in a control group, and what the host's figure is then."""

    controller: str
    files: Mapping[int, tuple[str, str]]
    fact: str
    value: int | Fraction


LIMITED = (
    Limited(
        "cpu",
        {1: ("cpu.cfs_quota_us", "50000"), 2: ("cpu.max", "50000 100000")},
        "cpus.quota",
        Fraction(1, 2),
    ),
    Limited(
        "memory",
        {1: ("memory.limit_in_bytes", "1073741824"), 2: ("memory.max", "1073741824")},
        "memory.limit",
        2**30,
    ),
    Limited("pids", {1: ("pids.max", "99"), 2: ("pids.max", "99")}, "limits.threads", 99),
)


@contextmanager
def group_with(limited: Limited) -> Iterator[Path]:
    """A control group with the limit, taken away in the end; skips the test where there can be none."""
    reason = f"no control group with the controller {limited.controller} is mounted"
    for group in cgroups.groups(Path("/")):
        if group.version == 1 and limited.controller not in group.controllers:
            continue
        name, text = limited.files[group.version]
        folder = group.folders[0] / f"lpcl-test-{os.getpid()}"
        try:
            folder.mkdir()
        except OSError as error:
            reason = f"control groups cannot be made here: {error.strerror}"
            continue
        try:
            if not (folder / name).exists():
                reason = f"the controller {limited.controller} is off in {group.folders[0]}"
                continue
            try:
                (folder / name).write_text(text)
            except OSError as error:
                reason = f"{folder / name} cannot be set: {error.strerror}"
                continue
            yield folder
            return
        finally:
            folder.rmdir()
    pytest.skip(reason)


@linux
@pytest.mark.parametrize("limited", LIMITED, ids=lambda limited: limited.controller)
def test_this_machine_under_a_limit(limited: Limited) -> None:
    code = (
        "import sys; sys.stdin.readline(); from lpcl.model.host import read_host; "
        f"found = read_host().readings[{limited.fact!r}]; print(found.value, found.source)"
    )
    with group_with(limited) as folder:
        child = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            (folder / "cgroup.procs").write_text(str(child.pid))
        except OSError as error:
            child.kill()
            child.communicate()
            pytest.skip(f"a process cannot be put into a control group here: {error.strerror}")
        printed, _ = child.communicate("go\n", timeout=30)
        assert printed.startswith(f"{limited.value} {folder}/")
