"""A client of Python's `mcp` that starts a server as a command, and prints what came of it as JSON.

Arguments: the way to agree on a revision, `legacy` or `auto`, and the command.
"""

import asyncio
import json
import os
import sys

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult

forms = []


async def approve(context, params):
    """Approve what is asked."""
    forms.append(params.message)
    return ElicitResult(action="accept", content={"approve": True})


async def cancelled(client):
    """Begin a call, leave it, and say whether the server still answers."""
    call = asyncio.create_task(client.call_tool("slow", {"message": "count"}))
    await asyncio.sleep(0.5)
    call.cancel()
    try:
        await call
    except asyncio.CancelledError:
        pass
    tools = await client.list_tools()
    return len(tools.tools) > 0


async def main(mode, command, *args):
    told = []

    async def progress(done, total, message):
        told.append(message)

    def text_of(result):
        return "".join(getattr(part, "text", "") for part in result.content)

    # Without it, the server would keep its conversations among the user's data.
    server = StdioServerParameters(command=command, args=list(args), env=dict(os.environ))
    async with Client(server, mode=mode, elicitation_callback=approve) as client:
        tools = await client.list_tools()
        first = await client.call_tool("quick", {"message": "calculate"}, progress_callback=progress)
        asked = await client.call_tool("careful", {"message": "calculate"})
        wrong = await client.call_tool("quick", {})
        found = {
            "protocol": client.protocol_version,
            "tools": [tool.name for tool in tools.tools],
            "first": text_of(first),
            "progress": len(told),
            "asked": text_of(asked),
            "forms": forms,
            "wrong": [bool(wrong.is_error), text_of(wrong)],
            "answersAfterCancel": await cancelled(client),
        }
    print(json.dumps(found))


asyncio.run(main(*sys.argv[1:]))
