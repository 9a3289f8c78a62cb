"""A chat endpoint that knows the answers of a release: to see that rows, tool and scorer fit together before a model is asked.

    python examples/gold_endpoint.py out/puzzles -- COMMAND WITH {url} ...

runs the command with the endpoint's address in place of {url} and ends with it; without a command it serves until interrupted.
It listens on 127.0.0.1 only, and gives every prompt of the release its gold reply.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from puzzlemill.core.errors import BadInput
from puzzlemill.factory.read import open_release, rows


class Gold(BaseHTTPRequestHandler):
    replies: dict[str, str]

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = next(message["content"] for message in asked["messages"] if message["role"] == "user")
        message = {"role": "assistant", "content": self.replies.get(prompt, "This is no prompt of the release.")}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        head = {"id": "gold", "object": "chat.completion", "created": 0, "model": str(asked.get("model"))}
        body = json.dumps({**head, "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 256  # tools ask many at a time
    daemon_threads = True


def main(release: str, command: list[str]) -> int:
    Gold.replies = {row["prompt"]: row["gold_reply"] for row in rows(open_release(Path(release)), ("prompt", "gold_reply"))}
    with Server(("127.0.0.1", 0), Gold) as server:
        url = f"http://127.0.0.1:{server.server_port}/v1"
        if not command:
            print(url, flush=True)
            server.serve_forever()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        status = subprocess.run([word.replace("{url}", url) for word in command], check=False).returncode
        server.shutdown()
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        usage="%(prog)s [-h] RELEASE [-- COMMAND WITH {url} ...]", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("release", metavar="RELEASE", help="the folder of a release, for instance out/quick")
    parser.add_argument(
        "command",
        metavar="COMMAND",
        nargs="*",
        default=[],
        help="what to run, after --, {url} standing for the address; without it, serve",
    )
    options = parser.parse_args()
    try:
        status = main(options.release, options.command)
    except BadInput as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)
