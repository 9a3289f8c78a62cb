"""`puzzlemill secret`: 256 random bits for the blind splits of one release."""

from __future__ import annotations

import argparse
import os
import secrets

from puzzlemill.core.errors import BadFile
from puzzlemill.publish.secret import SECRET_BYTES, commitment


def run(options: argparse.Namespace) -> int:
    secret = secrets.token_bytes(SECRET_BYTES)
    try:
        with os.fdopen(os.open(options.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secret.hex() + "\n")
    except FileExistsError:
        raise BadFile(f"{options.file}: is there already, and a secret is never overwritten; choose another name") from None
    except OSError as error:
        raise BadFile(f"{options.file}: {error.strerror}; choose a place that can be written to") from None
    print(f"commitment {commitment(secret)}")
    print(f"secret in {options.file}: keep it, and keep it to yourself until you reveal the release that it is for")
    return 0
