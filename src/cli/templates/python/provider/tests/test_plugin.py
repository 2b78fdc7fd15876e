"""{{name}}, without a host, and with an API on this machine."""

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from braidwork.testing import Request, check, load_plugin

plugin = load_plugin("{{module}}/plugin.py")

TOOL = {"name": "add", "description": "Adds one.", "input_schema": {"type": "object"}}
FIRST = {"index": 0, "id": "c1", "function": {"name": "add", "arguments": '{"a":'}}
SECOND = {"index": 0, "function": {"arguments": "1}"}}


class Api(BaseHTTPRequestHandler):
    """Gives every request the answer of the test."""

    status = 200
    chunks: "list[Any]" = []
    end = "data: [DONE]\n\n"
    asked: Any = None

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        Api.asked = json.loads(body)
        self.send_response(Api.status)
        self.end_headers()
        events = [f"data: {json.dumps(chunk)}\n\n" for chunk in Api.chunks]
        self.wfile.write("".join([*events, Api.end]).encode())

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Answers(unittest.TestCase):
    def setUp(self) -> None:
        Api.status, Api.end = 200, "data: [DONE]\n\n"
        self.server = HTTPServer(("127.0.0.1", 0), Api)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def tearDown(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def ask(self, chunks: Any, messages: Any = "Hello", **config: Any) -> Any:
        Api.chunks = chunks
        base_url = f"http://127.0.0.1:{self.server.server_port}"
        own = {"settings": {"{{name}}": {"base_url": base_url}}}
        return check(plugin, Request(messages=messages, config={**own, **config}))

    def test_are_read_as_text_and_usage(self) -> None:
        answer = self.ask(
            [
                {"choices": [{"delta": {"content": "Hel"}}]},
                {"choices": [{"delta": {"content": "lo."}, "finish_reason": "stop"}]},
                {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}},
            ]
        )
        self.assertEqual("Hello.", answer.text)
        usage = {"input": 3, "output": 2}
        self.assertEqual({"finishReason": "stop", "usage": usage}, answer.finals[0]["metadata"])

    def test_may_be_tool_calls_in_pieces(self) -> None:
        pieces = [{"choices": [{"delta": {"tool_calls": [piece]}}]} for piece in (FIRST, SECOND)]
        answer = self.ask(pieces, tools=[TOOL])
        call = {"type": "tool-call", "callId": "c1", "name": "add", "input": {"a": 1}}
        self.assertEqual([call], answer.finals[0]["parts"])

    def test_follow_the_calls_and_results_that_the_request_tells(self) -> None:
        call = {"type": "tool-call", "callId": "c1", "name": "add", "input": {"a": 1}}
        result = {"type": "tool-result", "callId": "c1", "name": "add", "output": 2}
        self.ask(
            [{"choices": [{"delta": {"content": "2"}}]}],
            [{"role": "assistant", "parts": [call]}, {"role": "tool", "parts": [result]}],
        )
        asked, told = Api.asked["messages"]
        self.assertEqual('{"a": 1}', asked["tool_calls"][0]["function"]["arguments"])
        self.assertEqual({"role": "tool", "content": "2", "tool_call_id": "c1"}, told)

    def test_that_break_off_are_errors_and_refusals_too(self) -> None:
        Api.end = ""
        with self.assertRaisesRegex(Exception, "ended its answer too early"):
            self.ask([])
        Api.status, Api.end = 401, "no such key"
        with self.assertRaisesRegex(Exception, "status 401: no such key"):
            self.ask([])


if __name__ == "__main__":
    unittest.main()
