"""Commitments, blind keys, and files that hold a secret."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

import pytest

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.publish.secret import blind_key, commitment, read_secret

SECRET = bytes(range(32))


def test_a_commitment_is_what_the_documents_say() -> None:
    """Others must be able to check a revealed secret with a tool of their own."""
    assert commitment(SECRET) == hashlib.sha256(b"puzzlemill secret 1\0" + SECRET).hexdigest()
    assert commitment(SECRET) != commitment(bytes(32))


def test_a_blind_key_is_a_plain_hmac() -> None:
    """Blind ledger keys must be checkable with the standard library alone, and differ by secret and by puzzle."""
    key = "sudoku:1:00112233445566778899aabbccddeeff"
    assert blind_key(SECRET, key) == hmac.new(SECRET, key.encode(), hashlib.sha256).digest()[:16]
    assert len({blind_key(SECRET, key), blind_key(bytes(32), key), blind_key(SECRET, key[:-1] + "0")}) == 3


@pytest.mark.parametrize("text", [SECRET.hex(), SECRET.hex().upper(), SECRET.hex() + "\n", f" {SECRET.hex()}\r\n"])
def test_a_secret_is_read_from_hex(tmp_path: Path, text: str) -> None:
    """An editor's line end or capital digits are no other secret."""
    (tmp_path / "secret").write_bytes(text.encode())
    assert read_secret(tmp_path / "secret") == SECRET


@pytest.mark.parametrize(
    "text", ["", SECRET.hex()[:-1], SECRET.hex() + "0", "x" * 64, SECRET.hex() * 9, "\udcff\udcfe", "0x" + "1" * 64]
)
def test_what_is_no_secret_is_refused_untold(tmp_path: Path, text: str) -> None:
    """A half-written secret would commit to something else; its digits in an error would end in a log."""
    (tmp_path / "secret").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadFile, match="64 hex digits") as caught:
        read_secret(tmp_path / "secret")
    assert len(text) < 8 or text[:8] not in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    """The path is told, so that the user can mend it."""
    with pytest.raises(BadFile, match="nowhere"):
        read_secret(tmp_path / "nowhere")
    with pytest.raises(BadFile, match="cannot be read"):
        read_secret(tmp_path)


@pytest.mark.parametrize("secret", [b"", b"hunter22hunter22", bytes(33)])
def test_short_or_long_secrets_are_refused_untold(secret: bytes) -> None:
    """A password in place of 256 random bits can be guessed; its text must not be told."""
    for use in (lambda: commitment(secret), lambda: blind_key(secret, "k")):
        with pytest.raises(BadParams) as caught:
            use()
        assert "hunter" not in str(caught.value)
