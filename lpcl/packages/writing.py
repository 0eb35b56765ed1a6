"""Texts back to disk: a file is replaced as a whole or stays as it was."""

from __future__ import annotations

import os
import tempfile
from codecs import BOM_UTF8

from lpcl.cache.territory import WHY_NOT, is_installed


def replace(path: str, before: str, after: str) -> str | None:
    """Put `after` in the place of `before`; why that could not be done, or None.

    The file keeps its mode and its byte order mark, and a link stays a link. A file that is no longer what it
    was when it was read is left alone, and so is one that is installed.
    """
    if is_installed(path):
        return WHY_NOT
    real = os.path.realpath(path)
    temporary = None
    try:
        with open(real, "rb") as file:
            data = file.read()
        mark = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
        if data[len(mark) :] != before.encode("utf-8"):
            return "it has changed in the meantime"
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(real), prefix=".lpcl-", suffix=".tmp")
        with open(handle, "wb") as file:
            file.write(mark + after.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, os.stat(real).st_mode & 0o7777)
        os.replace(temporary, real)
        temporary = None
    except OSError as fault:
        return fault.strerror or str(fault)
    finally:
        if temporary is not None:
            os.unlink(temporary)
    return None
