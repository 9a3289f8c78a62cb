"""Secrets of blind splits: 256 random bits that nobody sees until they are revealed.

A release states a secret's commitment, which reveals nothing of it and fits no other secret. Blind keys stand for canonical keys
in the ledger: whoever has the secret can compare them with puzzles, nobody else can. No message of this module shows a secret.
"""

from __future__ import annotations

import hmac
import re
from hashlib import sha256
from pathlib import Path

from puzzlemill.core.errors import BadFile, BadParams

SECRET_BYTES = 32
KEY_BYTES = 16
_COMMITTED = b"puzzlemill secret 1\0"
_TEXT = re.compile(rb"[0-9a-fA-F]{64}")


def commitment(secret: bytes) -> str:
    """The commitment to a secret, published before it is revealed: 64 hex digits."""
    return sha256(_COMMITTED + _checked(secret)).hexdigest()


def blind_key(secret: bytes, key: str) -> bytes:
    """The mark that stands in the ledger for the canonical key of a blind row: HMAC-SHA256(secret, key), its first 16 bytes."""
    return hmac.digest(_checked(secret), key.encode(), "sha256")[:KEY_BYTES]


def read_secret(path: Path) -> bytes:
    """The secret in a file of 64 hex digits, with or without a line end. Raises BadFile, which does not show what is there."""
    try:
        with path.open("rb") as file:
            raw = file.read(SECRET_BYTES * 2 + 16)
    except OSError as error:
        raise BadFile(f"{path}: the secret cannot be read ({error.strerror or 'error'}); name the file that holds it") from None
    text = raw.strip()
    if not _TEXT.fullmatch(text):
        raise BadFile(f"{path}: expected 64 hex digits, the 256 bits of a secret, and nothing else")
    return bytes.fromhex(text.decode("ascii"))


def _checked(secret: bytes) -> bytes:
    if type(secret) is not bytes or len(secret) != SECRET_BYTES:
        raise BadParams(f"secret: expected {SECRET_BYTES} bytes")
    return secret
