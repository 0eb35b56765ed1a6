"""`lpclc new`: files to begin with, which pass `lpclc check` and `lpclc test` as they are."""

from __future__ import annotations

import os
import re

import click

from lpcl import service
from lpcl.cli.composing import BROKEN, refuse

_NAME = re.compile(r"[A-Za-z](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")

_CONTRACT = """\
package @word@

import lpcl.core.*

/// What @name@ asks of the machine. Say here what a reader has to know, and mend each clause below.
@source("@name@: how many threads it starts", "https://example.org/")
contract @word@ {
  library { pypi "@name@" }

  control threads: count in 1..1024 {
    env @VARIABLE@_NUM_THREADS
    default machine.cpus.affinity
    read at load
  }

  pool workers {
    size threads
    callers queue
    caller joins
  }

  operation compute { runs on workers }
}

/// One call at a time, for the tests.
application @word@_alone {
  machine { cpus.online = 8 }
  use @word@
  run { @word@.compute }
}

test "@name@ starts a thread for each CPU" {
  check @word@_alone
  expect clean
  expect demand cpu = 8
}

test "@name@ does as its variable says" {
  check @word@_alone
  env @VARIABLE@_NUM_THREADS = 16
  expect overcommit cpu 16 / 8
}
"""

_APPLICATION = """\
package @word@

import lpcl.core.*
import multiprocessing.multiprocessing
import numpy.numpy

/// Worker processes that each multiply matrices. Name the libraries that your program uses, and what it does.
application @word@ {
  machine { cpus.online = 8 }
  use multiprocessing, numpy
  env OPENBLAS_NUM_THREADS = 4
  control jobs: count in 1..64 { argument "--jobs"  default 2 }
  run { multiprocessing.pool(processes = jobs, start = spawn) { numpy.matmul } }
  command "python @word@.py --jobs 2"
}

test "@name@ keeps to its CPUs" {
  check @word@
  expect no overcommit of cpu
}
"""

_PROJECT = """\
[build-system]
requires = ["hatchling>=1.24"]
build-backend = "hatchling.build"

[project]
name = "lpcl-@name@"
version = "0.1.0"
description = "The performance contract of @name@."
readme = "README.md"
requires-python = ">=3.11"

[project.entry-points."lpcl.contracts"]
@word@ = "lpcl_@word@"

[tool.hatch.build.targets.wheel]
packages = ["lpcl_@word@"]

[tool.lpcl]
contracts = ["lpcl_@word@"]
"""

_README = """\
# lpcl-@name@

The performance contract of @name@. `lpclc check` and `lpclc test` try it; once this package is installed,
`import @word@.@word@` finds it.
"""

_FILES = {
    "contract": {"@word@.lpcl": _CONTRACT},
    "application": {"@word@.lpcl": _APPLICATION},
    "package": {
        "lpcl-@name@/pyproject.toml": _PROJECT,
        "lpcl-@name@/README.md": _README,
        "lpcl-@name@/lpcl_@word@/__init__.py": '"""The performance contract of @name@."""\n',
        "lpcl-@name@/lpcl_@word@/@word@.lpcl": _CONTRACT,
    },
}


@click.command("new", short_help="write files to begin with")
@click.argument("kind", type=click.Choice(list(_FILES)))
@click.argument("name")
@click.option(
    "-o",
    "--output",
    default=".",
    metavar="FOLDER",
    help="Where to write them.  [default: the current folder]",
)
def command(kind: str, name: str, output: str) -> None:
    """Write a contract, an application, or a package of a contract that others can install.

    NAME is that of the library or of the program. What is written passes 'lpclc check' and 'lpclc test' as it
    is; no file is overwritten.

    Exit status: 0, or 2 where it cannot be written.
    """
    if _NAME.fullmatch(name) is None:
        refuse("new", f"'{name}' is no name: letters, digits, '-', '_' and '.', a letter first")
    files = {
        os.path.join(output, _filled(path, name)): _filled(text, name) for path, text in _FILES[kind].items()
    }
    for path, text in files.items():
        if path.endswith(".lpcl") and not _is_sound(path, text):
            refuse("new", f"'{name}' means something in LPCL: take another name")
        if os.path.lexists(path):
            refuse("new", f"{path} is there already")
    try:
        for path, text in files.items():
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            with open(path, "x", encoding="utf-8") as file:
                file.write(text)
            click.echo(os.path.normpath(path))
    except OSError as fault:
        click.echo(f"lpclc new: cannot write {fault.filename}: {fault.strerror}", err=True)
        raise SystemExit(BROKEN) from None


def _filled(text: str, name: str) -> str:
    word = re.sub(r"[-.]", "_", name)
    return text.replace("@VARIABLE@", word.upper()).replace("@word@", word).replace("@name@", name)


def _is_sound(path: str, text: str) -> bool:
    """Whether the file would have no error where it is to stand."""
    workspace = service.open_workspace((path,), {path: text})
    own = os.path.abspath(path)
    return not any(os.path.abspath(item.location.path) == own for item in workspace.errors)
