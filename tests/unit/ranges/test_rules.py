"""Rules about what values can come to: what they find, with which values, and what they leave alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], list[tuple[str, str, str]]]

FOUND = {
    "a default beyond its range, on the plainest machine": (
        "control n: count in 1..64 { env N  default machine.cpus.online }\npool t { size n  callers fork }",
        [("default-out-of-range", "machine.cpus.online", "so it is with machine.cpus.online = 128")],
    ),
    "a default below its range": (
        "control n: count in 4..2000 { env N  default machine.cpus.affinity }\n"
        "pool t { size n  callers fork }",
        [("default-out-of-range", "machine.cpus.affinity", "so it is with machine.cpus.affinity = 1")],
    ),
    "a default that another control takes out of its range": (
        "control m: count in 1..128 { env M  default 8 }\ncontrol n: count in 1..64 { env N  default m }\n"
        "pool t { size n  callers fork }",
        [("default-out-of-range", "m", "so it is with m = 128")],
    ),
    "a range that another control ends below a constant default": (
        "control m: count in 1..8 { env M  default 8 }\ncontrol n: count in 1..m { env N  default 4 }\n"
        "pool t { size n  callers fork }",
        [("default-out-of-range", "4", "so it is with m = 1")],
    ),
    "a range that another control begins above a constant default": (
        "control m: count in 1..8 { env M  default 1 }\ncontrol n: count in m..9 { env N  default 4 }\n"
        "pool t { size n  callers fork }",
        [("default-out-of-range", "4", "so it is with m = 8")],
    ),
    "a range that ends below the default": (
        "control n: count in 1..machine.cpus.affinity { env N  default machine.cpus.online }\n"
        "pool t { size n  callers fork }",
        [
            (
                "default-out-of-range",
                "machine.cpus.online",
                "so it is with machine.cpus.affinity = 1, machine.cpus.online = 2",
            )
        ],
    ),
    "a parameter's default": (
        "operation go(n: count in 1..8 = machine.gpus) { demand memory = n * 1 MiB }",
        [("default-out-of-range", "machine.gpus", "so it is with machine.gpus = 0")],
    ),
    "an assumption that cannot hold": (
        "control n: count in 1..64 { env N  default 1 }\npool t { size n  callers fork }\n"
        'assume n > 64 or n < 1 else "no"',
        [("impossible-assumption", "n > 64 or n < 1", "")],
    ),
    "assumptions that cannot hold together": (
        "control n: count in 1..64 { env N  default 1 }\npool t { size n  callers fork }\n"
        'assume n > 32 else "no"\nassume n < 16 else "no"',
        [("impossible-assumption", "n < 16", "")],
    ),
    "an assumption that always holds": (
        'assume machine.cpus.affinity <= machine.cpus.online else "no"',
        [("empty-assumption", "machine.cpus.affinity <= machine.cpus.online", "")],
    ),
    "a condition that a range rules out": (
        "control n: count in 1..64 { env N  default 1 }\ndemand memory = n * 1 MiB when n > 64",
        [("unreachable-clause", "n > 64", "")],
    ),
    "a condition that an assumption rules out": (
        'control n: count in 1..64 { env N  default 1 }\nassume n < 8 else "no"\n'
        "demand memory = n * 1 MiB when n >= 8",
        [("unreachable-clause", "n >= 8", "")],
    ),
    "a hazard that never occurs": (
        "control n: count in 1..64 { env N  default 1 }\npool t { size n  callers fork }\n"
        'hazard "h" hangs when n < 1',
        [("unreachable-clause", "n < 1", "")],
    ),
    "workers behind others that leave nothing": (
        "control n: count in 1..64 { env N  default 1 }\n"
        "operation go { workers threads n when n > 1  workers threads 2 when n > 4 }",
        [("unreachable-clause", "n > 4", "")],
    ),
    "a demand below 0": (
        "control n: count in 0..64 { env N  default 8 }\ndemand memory = (n - 1) * 1 MiB",
        [("demand-below-zero", "(n - 1) * 1 MiB", "so it is with n = 0")],
    ),
    "the least of a demand below 0": (
        "control n: count in 0..64 { env N  default 8 }\ndemand memory in n * 1 MiB - 4 MiB .. 1 GiB",
        [("demand-below-zero", "n * 1 MiB - 4 MiB", "so it is with n = 1")],
    ),
    "a division by what can be 0": (
        "control n: count in 0..64 { env N  default 8 }\ndemand memory = 1 GiB / n",
        [("division-by-zero", "/", "so it is with n = 0")],
    ),
    "a division in a let, where it is read": (
        "control n: count in 0..64 { env N  default 8 }\nlet part = 1 GiB / n\n"
        "demand memory = part when n > 4\ndemand memory = part when n < 4",
        [("division-by-zero", "/", "so it is with n = 0")],
    ),
    "a division by what a machine may lack": (
        "demand memory = 1 GiB / machine.gpus",
        [("division-by-zero", "/", "so it is with machine.gpus = 0")],
    ),
    "a control that another one hides": (
        "control n: count in 1..4 { env N  default 1 }\ncontrol m: count in 8..64 { env M  default 8 }\n"
        "demand memory = min(n, m) * 1 MiB",
        [("control-without-effect", "m", "")],
    ),
    "a pool that can be of no threads": (
        "control n: count in 0..64 { env N  default 8 }\npool t { size n  callers fork }\n"
        "operation go { runs on t }",
        [("nobody-at-work", "runs on t", "so it is with n = 0")],
    ),
    "a pool of no threads where nothing sets it, told of once": (
        "control n: count { env N  default 0 }\nlet m = n div 2\npool t { size m  callers queue }\n"
        "operation go { runs on t when n > 4 }\noperation on { runs on t }\noperation off { runs on t }",
        [("nobody-at-work", "runs on t", "so it is with n = 0")],
    ),
    "a guard that lets 0 through": (
        "control n: count in 0..64 { env N  default 8 }\npool t { size n div 4  callers fork }\n"
        "operation go { runs on t when n > 0 }",
        [("nobody-at-work", "runs on t when n > 0", "so it is with n = 1")],
    ),
    "a pool whose size an operation makes 0": (
        "pool t { size 4  callers fork }\noperation go(k: int = -1) { runs on t with size = min(k, 4) }",
        [("nobody-at-work", "min(k, 4)", "so it is with k = -1")],
    ),
    "a pool of 0 on some machine": (
        "pool t { size machine.cpus.affinity - 1  callers submit }\noperation go { runs on t }",
        [("nobody-at-work", "runs on t", "so it is with machine.cpus.affinity = 1")],
    ),
    "workers in threads that can be none": (
        "operation go(k: count = 0) { workers threads k }",
        [("nobody-at-work", "k", "so it is with k = 0")],
    ),
    "workers in processes that can be none, behind others": (
        "control n: count in 0..64 { env N  default 8 }\npool t { size 4  callers fork }\n"
        "operation go(k: count = 4) { runs on t when n > 8  workers processes n }",
        [("nobody-at-work", "n", "so it is with n = 0")],
    ),
    "a pool of another library": (
        "package p\nimport lpcl.core.*\ncontract c {\n  uses runtime = r\n"
        "  operation go { runs on runtime.team }\n}\ncontract r {\n"
        "  control n: count in 0..64 { env N  default 8 }\n  pool team { size n  callers fork }\n}\n",
        [("nobody-at-work", "runs on runtime.team", "so it is with runtime.n = 0")],
    ),
    "an operation that takes more than all": (
        "operation go { demand memory = 120% * machine.memory.limit }",
        [("overcommit-alone", "go", "so it is with machine.cpus.online = 8")],
    ),
    "an operation that takes too much on large machines": (
        "operation go { demand memory = "
        "if machine.cpus.online > 300 then 2 * machine.memory.limit else 1 GiB }",
        [("overcommit-alone", "go", "so it is with machine.cpus.online = 512")],
    ),
}

LEFT_ALONE = {
    "a default held to its range": (
        "control n: count in 1..64 { env N  default min(machine.cpus.affinity, 64) }\n"
        "pool t { size n  callers fork }"
    ),
    "a default within a range that moves with it": (
        "control n: count in 1..machine.cpus.online { env N  default machine.cpus.affinity }\n"
        "pool t { size n  callers fork }"
    ),
    "a quota rounded up": (
        "control n: count in 1..1024 { env N  default ceil(machine.cpus.quota) }\n"
        "pool t { size n  callers fork }"
    ),
    "a division that is guarded": (
        "control n: count in 0..64 { env N  default 8 }\ndemand memory = if n == 0 then 0 B else 1 GiB / n"
    ),
    "a division behind `and`": (
        "control n: count in 0..64 { env N  default 8 }\ndemand memory = 1 MiB when n > 0 and 64 div n > 3"
    ),
    "a division behind `when`": (
        "control n: count in 0..64 { env N  default 8 }\ndemand memory = 1 GiB / n when n > 0"
    ),
    "a division by a let that is at least 1": (
        "control n: count in 0..64 { env N  default 8 }\nlet m = max(1, n)\ndemand memory = 1 GiB / m"
    ),
    "a division that an assumption rules out": (
        'control n: count in 0..64 { env N  default 8 }\nassume n > 0 else "no"\ndemand memory = 1 GiB / n'
    ),
    "a demand that is 0 at the least": (
        "control n: count in 1..64 { env N  default 8 }\ndemand memory = (n - 1) * 1 MiB"
    ),
    "a control that only shows together with another": (
        "control on: bool { env ON  default false }\ncontrol n: count in 1..64 { env N  default 8 }\n"
        "demand memory = if on then n * 1 MiB else 1 MiB"
    ),
    "a control that only tells whether it is set": (
        "control n: count in 1..64 { env N  default 8 }\ndemand memory = 1 MiB when defined(n)"
    ),
    "a default by what only a variable can set": (
        "control most: count in 1..64 { env MOST  default 64 }\n"
        "control n: count in 1..most { env N  default if defined(MOST) then most else 16 }\n"
        "pool t { size n  callers fork }"
    ),
    "a pool of at least one thread": (
        "control n: count in 0..64 { env N  default 8 }\npool t { size max(1, n)  callers fork }\n"
        "operation go { runs on t }"
    ),
    "a pool that is left out where it has no threads": (
        "control n: int in -1..64 { env N  default 0 }\npool t { size n  callers fork }\n"
        "operation go { runs on t when n > 0 }"
    ),
    "a pool of no threads that is a hazard": (
        "control n: count in 0..64 { env N  default 8 }\npool t { size n  callers fork }\n"
        'operation go { runs on t }\nhazard "no threads" aborts when n == 0'
    ),
    "a pool of no threads that an operation calls a hazard": (
        "control n: count in 0..64 { env N  default 8 }\npool t { size n  callers fork }\n"
        'operation go { runs on t  hazard "no threads" aborts when n == 0 }'
    ),
    "a pool of no threads that is assumed away": (
        "control n: count in 0..64 { env N  default 8 }\npool t { size n  callers fork }\n"
        'operation go { runs on t }\nassume n > 0 else "no threads"'
    ),
    "a pool that nothing runs on": (
        "control n: count in 0..64 { env N  default 8 }\npool t { size n  callers fork }"
    ),
    "as many workers as a call asks for": "operation go(j: count, k: count = 4) { workers threads j * k }",
    "workers only where there are some": "operation go(k: count = 0) { workers processes k when k > 1 }",
    "fixed amounts on a small machine": "operation go { demand memory = 2 GiB }",
    "an amount for each CPU": "operation go { demand memory = 200 MB * machine.cpus.online }",
    "an operation that needs an argument": (
        "operation go(n: count) { demand memory = n * machine.memory.limit }"
    ),
}


@pytest.mark.parametrize("title", FOUND)
def test_found(title: str, judged: Judged) -> None:
    text, expected = FOUND[title]
    assert judged(text) == expected


@pytest.mark.parametrize("title", LEFT_ALONE)
def test_left_alone(title: str, judged: Judged) -> None:
    assert judged(LEFT_ALONE[title]) == []


def test_inherited_clauses_are_judged_where_they_stand(judged: Judged) -> None:
    text = (
        "package p\nimport lpcl.core.*\ncontract base {\n  control n: count in 0..8 { env N  default 1 }\n"
        "  demand memory = 1 GiB / n\n}\ncontract child extends base {\n"
        "  control n: count in 1..8 { env N  default 1 }\n}\n"
    )
    assert judged(text) == [("division-by-zero", "/", "so it is with n = 0")]


@pytest.mark.parametrize(
    "text",
    [
        "let a = " + "1 + " * 90 + "machine.cpus.online\ndemand memory = a * 1 B",
        "\n".join(
            ["let a0 = machine.cpus.online", *(f"let a{n} = a{n - 1} * a{n - 1}" for n in range(1, 40))]
        )
        + "\ndemand memory = a39 * 1 B",
        "\n".join(
            ["let a0 = machine.cpus.online", *(f"let a{n} = a{n - 1} - a{n - 1}" for n in range(1, 60))]
        )
        + "\ndemand memory = a59 * 1 B",
    ],
    ids=["deep", "huge", "wide"],
)
def test_what_is_too_large_is_told(text: str, judged: Judged) -> None:
    assert {code for code, _, _ in judged(text)} <= {"not-decided"}
