"""The words of the language by the place where they are valid, with what each says.

The tests hold these tables against the grammar, so that neither can be changed alone.
"""

from __future__ import annotations

from collections.abc import Mapping

CLAUSES: Mapping[str, Mapping[str, str]] = {
    "file": {
        "package": "the dotted name of the package that this file belongs to",
        "import": "makes a declaration of another package known here",
        "resource": "something that is shared: its capacity, how it is shared, and what exceeding it does",
        "machine": "the figures of a machine; what is left out follows from the others",
        "interface": "controls, pools and operations that its providers must offer",
        "contract": "what a library demands, assumes, and lets be set and observed",
        "application": "a program: its machine, libraries, environment, and what it does",
        "test": "what the composer must find in an application",
    },
    "interface": {
        "control": "a knob that every provider has",
        "pool": "threads that every provider keeps",
        "operation": "something that every provider can do",
    },
    "contract": {
        "library": "how the library is recognised: distributions and shared objects",
        "control": "a knob: type and range, the ways to set it, and its default",
        "pool": "threads that the library keeps",
        "operation": "something that an application can do with the library",
        "uses": "a dependency on another library, by its interface",
        "on load": "what importing the library does to its process",
        "demand": "what each process that loads the library holds of a resource",
        "let": "a name for a value",
        "assume": "what must hold for the contract to speak true",
        "hazard": "what goes wrong without a resource running out",
        "signal": "a named measurement of a running program",
        "evidence": "an experiment on the real library that shows a clause to be true",
        "scales": "how much of an operation gains from a control",
    },
    "library": {
        "pypi": "a distribution and the versions that the contract speaks about",
        "file": "file names of shared objects, as a running process maps them",
        "command": "commands by which the library is started",
    },
    "control": {
        "env": "environment variables; the first that is set wins",
        "api": "a call that sets it",
        "argument": "an argument that sets it",
        "config": "a configuration entry that sets it",
        "default": "its value where nothing sets it",
        "read": "when the library looks at it",
        "text": "what of a variable's text is the number",
        "invalid": "what becomes of a value outside the range",
        "scope": "for whom it holds",
    },
    "pool": {
        "size": "threads at work",
        "existing": "threads that exist, where that is not the size",
        "callers": "what happens when several threads want the pool",
        "caller": "whether the calling thread works too",
        "threads": "whether its threads wait for each other",
        "created": "when its threads come to exist",
        "idle": "what threads without work do",
        "fork": "what a fork does to it",
        "nested": "entered from one of its own threads it makes a further team",
    },
    "operation": {
        "runs on": "the pool whose threads do the work",
        "calls": "an operation of a dependency that is carried out too",
        "workers": "processes or threads that each do the caller's block",
        "demand": "what each caller needs of a resource while it runs",
        "let": "a name for a value",
        "assume": "what must hold for the operation to work",
        "hazard": "what goes wrong without a resource running out",
        "limit": "holds a control to a value while it runs",
        "scales": "how much of it gains from a control",
    },
    "workers": {
        "set": "a variable in the environment of each worker",
        "set default": "the same, where the variable is not set already",
        "limit": "holds a control to a value inside each worker",
        "start": "how worker processes are started",
        "pin cpus": "the number of CPUs to which each worker is bound",
        "caller": "whether the calling thread works too",
        "demand": "what each worker needs of a resource",
    },
    "on load": {
        "set": "a variable that importing sets in the process",
        "set default": "the same, where the variable is not set already",
        "limit": "holds a control to a value from then on",
        "pin cpus": "the number of CPUs that are left to the process",
        "demand": "what importing takes of a resource",
    },
    "evidence": {
        "set": "a variable for the experiment",
        "set default": "the same, where the variable is not set already",
        "pin cpus": "the number of CPUs that the experiment may use",
        "quota cpus": "CPU time that the experiment's own control group allows",
        "needs": "a distribution that must be installed",
        "needs command": "a program that must be found on the search path",
        "needs file": "a shared object that must lie where the loader looks",
        "timeout": "the time after which a run of the experiment is ended",
        "limit": "a control that the program sets by a call of the library, to `given`",
        "let": "a named value, which the program finds in `given`",
        "run": "what the program does, in operations: what is `predicted`",
        "try": "a run of the program, with settings and expectations of its own",
        "python": "the program, which calls `report(name=value)`",
        "expect": "what must hold of the reported values and what the contract says: `self.threads`",
    },
    "try": {
        "set": "a variable for this run",
        "set default": "the same, where the variable is not set already",
        "pin cpus": "the number of CPUs that this run may use",
        "quota cpus": "CPU time that this run's own control group allows",
        "limit": "a control that the program sets by a call of the library, to `given`",
        "let": "a named value, which the program finds in `given`",
        "expect": "what must hold of this run",
    },
    "resource": {
        "capacity": "how much there is",
        "sharing": "by time, what is runnable counts; by space, what is held",
        "exceed": "whether asking for more slows down or fails",
    },
    "application": {
        "machine": "the machine it runs on",
        "use": "the libraries that it uses, and what they are bound to",
        "env": "a variable of its environment, as it is run today",
        "control": "a knob of its own",
        "let": "a name for a value",
        "limit": "holds a control of a library to a value",
        "run": "what it does, in order",
        "command": "the command that runs it",
        "measure": "what the tuner improves: the wall time",
        "maximize": "what the tuner improves: a figure that the program prints",
        "minimize": "what the tuner improves: a figure that the program prints",
        "background": "what else uses a resource",
    },
    "run": {
        "together": "what is done at the same time, in one process",
        "limit": "holds a control to a value while a block runs",
    },
    "test": {
        "machine": "the machine of the test",
        "check": "the applications that are composed",
        "env": "a variable of their environment",
        "expect": "a finding, or a value, that must come out",
    },
}
"""Block to the words that begin a clause in it."""

VALUES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "control": {
        "read": {"at load": "", "at first use": "", "at each call": ""},
        "read at": {
            "load": "when the library is imported",
            "first use": "when it is first needed",
            "each call": "again at every call",
        },
        "text": {
            "digits": "those at its beginning, and 0 without any",
            "first item": "the first of numbers with commas between",
            "second item": "the second of them",
        },
        "invalid": {
            "rejects": "an error",
            "clamps": "moved to the nearest bound",
            "clamps above": "the upper bound, and below the range as if it were not set",
            "ignored": "as if it were not set",
        },
        "scope": {
            "process": "the whole process",
            "thread": "the thread that sets it",
            "call": "one call",
        },
    },
    "pool": {
        "callers": {
            "fork": "each gets a team of its own (OpenMP)",
            "queue": "one at a time has the pool, the others wait",
            "submit": "they hand work to one pool and wait",
            "join": "they work beside the pool's threads",
            "forbid": "a second one is an error",
        },
        "caller": {"joins": "it is one of the threads at work", "waits": "it waits for them"},
        "threads": {
            "coupled": "they wait for each other: too many collapse",
            "independent": "each takes its own tasks",
        },
        "created": {"at load": "", "at first use": ""},
        "created at": {"load": "when the library is imported", "first use": "when first used"},
        "idle": {"blocks": "they sleep", "spins": "they keep a CPU busy; `for` says how long"},
        "idle spins": {"for": "how long they spin"},
        "fork": {
            "safe": "the child can go on using it",
            "unsafe": "the child hangs when it uses it",
            "resets": "the child makes its own",
        },
    },
    "operation": {
        "runs": {"on": "the pool whose threads do the work"},
        "workers": {"processes": "each in a process of its own", "threads": "in the same process"},
    },
    "workers": {
        "caller": {"joins": "it is one of the workers", "waits": "it waits for them"},
        "start": {
            "fork": "a copy of the parent",
            "spawn": "a fresh interpreter",
            "forkserver": "copies of a clean server process",
            "loky": "joblib's own start",
        },
        "pin": {"cpus": "the number of CPUs"},
    },
    "on load": {
        "pin": {"cpus": "the number of CPUs"},
    },
    "evidence": {
        "pin": {"cpus": "the number of CPUs"},
        "quota": {"cpus": "CPU time that its control group allows, in CPUs"},
    },
    "try": {
        "pin": {"cpus": "the number of CPUs"},
        "quota": {"cpus": "CPU time that its control group allows, in CPUs"},
    },
    "resource": {
        "sharing": {
            "time": "what is runnable at one moment counts",
            "space": "what is held counts",
        },
        "exceed": {"degrades": "everything becomes slower", "fails": "something fails"},
    },
    "file": {
        "per": {
            "machine": "one sum over the whole machine",
            "process": "a sum for each process",
            "device": "a sum for each device",
        },
    },
    "contract": {
        "on": {"load": "what importing the library does to its process"},
    },
    "application": {
        "measure": {"time": "the wall time of the command"},
        "maximize": {"metric": "the pattern of the figure, with `{}` in its place"},
        "minimize": {"metric": "the pattern of the figure, with `{}` in its place"},
    },
    "test": {
        "expect": {
            "overcommit": "more is asked for than there is: `cpu 64 / 8`",
            "possible": "an over-commit that may happen",
            "serialized": "more callers than a pool can serve",
            "hazard": "what goes wrong without a resource running out",
            "assumption": "an `assume` that does not hold",
            "underuse": "half of the CPUs are never used",
            "clean": "nothing to report",
            "no": "no finding of a kind",
            "safe": "no finding, with settings if given",
            "demand": "how much of a resource is asked for",
            "avoidable": "some configuration has no finding",
            "unavoidable": "no configuration is without a finding",
            "value": "what a control comes out as",
        },
        "expect possible": {"overcommit": "more may be asked for than there is"},
        "expect no": {
            "overcommit": "more is asked for than there is",
            "serialized": "more callers than a pool can serve",
            "hazard": "what goes wrong without a resource running out",
            "assumption": "an `assume` that does not hold",
            "underuse": "half of the CPUs are never used",
        },
        "as": {
            "collapse": "coupled threads exceed the CPUs in one process",
            "slow": "coupled teams of several processes do",
            "mild": "only independent workers do",
        },
    },
}
"""Block to the words before the place to the words that may follow them."""

HAZARD_EFFECTS: Mapping[str, str] = {
    "hangs": "the program stops and waits",
    "aborts": "the program crashes",
    "wrong_results": "the program computes something else",
}

TYPES: Mapping[str, str] = {
    "bool": "true or false",
    "int": "a whole number",
    "count": "a whole number from 0 on",
    "real": "a number",
    "string": "a text",
    "bytes": "an amount of memory",
    "time": "a duration",
    "bandwidth": "bytes per time",
    "share": "a number from 0 to 1",
}

UNITS: Mapping[str, str] = {
    "%": "hundredths",
    "B": "bytes",
    "KiB": "2^10 bytes",
    "MiB": "2^20 bytes",
    "GiB": "2^30 bytes",
    "TiB": "2^40 bytes",
    "kB": "10^3 bytes",
    "MB": "10^6 bytes",
    "GB": "10^9 bytes",
    "TB": "10^12 bytes",
    "B/s": "bytes per second",
    "MB/s": "10^6 bytes per second",
    "GB/s": "10^9 bytes per second",
    "MiB/s": "2^20 bytes per second",
    "GiB/s": "2^30 bytes per second",
    "ns": "10^-9 seconds",
    "us": "10^-6 seconds",
    "ms": "10^-3 seconds",
    "s": "seconds",
    "min": "60 seconds",
    "h": "3600 seconds",
}

FUNCTIONS: Mapping[str, tuple[str, str]] = {
    "abs": ("abs(x)", "the value without its sign"),
    "ceil": ("ceil(x)", "the least whole number that is not below x"),
    "clamp": ("clamp(x, low, high)", "x, moved to the nearest bound where it lies outside"),
    "defined": ("defined(x)", "whether the control or environment variable x is set"),
    "floor": ("floor(x)", "the greatest whole number that is not above x"),
    "loaded": ("loaded(x)", "whether the process has loaded the library x"),
    "max": ("max(x, ...)", "the greatest"),
    "min": ("min(x, ...)", "the least"),
}

THREADPOOL = ("threadpool(name)", "a thread pool of the running program, as threadpoolctl reports it")

ANNOTATIONS: Mapping[str, str] = {
    "source": "where the fact stands: title and address",
    "measured": "the package and version on which it was measured",
    "since": "the version from which on it holds",
    "deprecated": "what to use instead",
}

OPERATORS: Mapping[str, str] = {
    "and": "both hold",
    "or": "at least one holds",
    "implies": "the right holds wherever the left does",
    "div": "division, rounded down",
    "mod": "what a division leaves",
}

STARTERS: Mapping[str, str] = {
    "true": "holds",
    "false": "does not hold",
    "not": "the opposite",
    "if": "if c then a else b",
}
