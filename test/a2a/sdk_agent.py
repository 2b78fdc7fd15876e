"""An agent made with the package a2a-sdk. Prints its address, and ends with its input."""

import asyncio
import socket
import sys

import uvicorn
from a2a.helpers.proto_helpers import new_task_from_user_message, new_text_part
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import a2a_pb2 as a2a
from starlette.applications import Starlette


class Executor(AgentExecutor):
    """Repeats what it is told, piece by piece; asks who asks, fails and waits where it is told to."""

    async def execute(self, context, event_queue):
        asked = context.get_user_input()
        task = context.current_task
        if task is None:
            task = new_task_from_user_message(context.message)
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        if asked == "ask":
            await updater.requires_input(self.said(updater, "Who are you?"))
        elif asked == "fail":
            await updater.failed(self.said(updater, "It cannot be done."))
        elif asked == "wait":
            await updater.add_artifact([new_text_part("Waiting")], artifact_id="wait")
            await asyncio.sleep(60)
        else:
            await self.repeat(asked, updater)

    async def repeat(self, asked, updater):
        for at, word in enumerate(asked.split(" ")):
            part = new_text_part(f"You said: {word}" if at == 0 else f" {word}")
            await updater.add_artifact([part], artifact_id="echo", name="echo", append=at > 0)
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()
        print("cancelled", flush=True)

    def said(self, updater, words):
        return updater.new_agent_message([new_text_part(words)])


def card_at(url):
    bindings = [
        a2a.AgentInterface(url=url, protocol_binding=binding, protocol_version="1.0")
        for binding in ("JSONRPC", "HTTP+JSON")
    ]
    return a2a.AgentCard(
        name="Python agent",
        description="Repeats what it is told",
        version="1.0.0",
        supported_interfaces=bindings,
        capabilities=a2a.AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[a2a.AgentSkill(id="echo", name="echo", description="Repeats", tags=["echo"])],
    )


async def main():
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    card = card_at(url)
    handler = DefaultRequestHandler(Executor(), InMemoryTaskStore(), card)
    routes = [*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/"), *create_rest_routes(handler)]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="warning", lifespan="off"))
    print(url, flush=True)
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    await ended
    server.should_exit = server.force_exit = True
    await serving


asyncio.run(main())
