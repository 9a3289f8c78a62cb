"""A real browser for tests: Chromium without a window, driven over its DevTools protocol by the standard library alone."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

BROWSER = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
PATIENCE = 30.0  # seconds until what a test waits for must be there; a limit, no measurement


class Socket:
    """A WebSocket's client side (RFC 6455): text frames, as DevTools sends them."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.line = socket.create_connection((parts.hostname, parts.port), PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self.line.sendall(
            f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.line.recv(1)
        assert b" 101 " in head.split(b"\r\n")[0], head

    def send(self, text: str) -> None:
        raw = text.encode()
        size = struct.pack(">BH", 0xFE, len(raw)) if 126 <= len(raw) < 1 << 16 else struct.pack(">B", 0x80 | len(raw))
        assert len(raw) < 1 << 16, "longer messages are not needed"
        self.line.sendall(b"\x81" + size + b"\0\0\0\0" + raw)  # a mask of zeros

    def read(self) -> str:
        text = b""
        while True:
            first, second = self._exactly(2)
            size = second & 0x7F
            if size >= 126:
                size = int.from_bytes(self._exactly(2 if size == 126 else 8), "big")
            text += self._exactly(size)
            if first & 0x80:
                return text.decode()

    def _exactly(self, count: int) -> bytes:
        out = b""
        while len(out) < count:
            more = self.line.recv(count - len(out))
            assert more, "the browser went away"
            out += more
        return out


class Page:
    """One page. problems: what its scripts or its policy complained about."""

    def __init__(self, line: Socket) -> None:
        self.line, self.count, self.problems = line, 0, list[str]()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log"):
            self.call(f"{part}.enable")

    session = ""

    def call(self, method: str, **params: Any) -> Any:
        self.count += 1
        asked = {"id": self.count, "method": method, "params": params} | ({"sessionId": self.session} if self.session else {})
        self.line.send(json.dumps(asked))
        while True:
            found = json.loads(self.line.read())
            if found.get("method") == "Runtime.exceptionThrown":
                self.problems.append(found["params"]["exceptionDetails"].get("text", "an exception"))
            if found.get("method") == "Log.entryAdded" and found["params"]["entry"]["level"] == "error":
                self.problems.append(found["params"]["entry"]["text"])
            if found.get("id") == self.count:
                assert "error" not in found, found
                return found["result"]

    def open(self, url: str) -> None:
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def value(self, script: str) -> Any:
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, (script, found)
        return found["result"].get("value")

    def wait(self, script: str) -> None:
        """Until this is true."""
        end = time.monotonic() + PATIENCE
        while not self.value(script):
            assert time.monotonic() < end, f"never true: {script}; {self.value('document.body.innerText')}"
            time.sleep(0.02)

    def picture(self, width: int, height: int) -> bytes:
        """A PNG of the page in a window of this size."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])


@contextmanager
def browsing(folder: Path) -> Iterator[Page]:
    """A new page of a new browser that keeps what it writes in this folder, gone at the end."""
    assert BROWSER is not None
    command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
    command += ["--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"]
    log = folder.with_name(folder.name + ".log")
    with log.open("wb") as file, subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=file) as process:
        try:
            end = time.monotonic() + PATIENCE
            while not (
                found := [line for line in log.read_text(errors="replace").splitlines() if "DevTools listening on" in line]
            ):
                assert process.poll() is None and time.monotonic() < end, log.read_text(errors="replace")
                time.sleep(0.05)
            line = Socket(found[0].rpartition(" on ")[2].strip())
            try:
                yield Page(line)
            finally:
                line.line.close()
        finally:
            process.kill()
