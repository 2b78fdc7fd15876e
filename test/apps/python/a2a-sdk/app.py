import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as a2a
from a2a.utils.errors import TaskNotFoundError
from cases import *


def http(key):
    return httpx.AsyncClient(headers={"authorization": f"Bearer {key}"}, timeout=SECONDS)


def message(text, task="", context="", parts=()):
    asked = a2a.Message(message_id=str(uuid.uuid4()), role=a2a.ROLE_USER, task_id=task, context_id=context)
    asked.parts.extend([a2a.Part(text=text), *parts])
    return a2a.SendMessageRequest(message=asked)


class Told:
    """What a client makes of an answer: the task, and its texts as they came."""

    def __init__(self):
        self.task = None
        self.state = None
        self.pieces = []

    async def read(self, events, until=None):
        async for event in events:
            kind = event.WhichOneof("payload")
            if kind == "task":
                self.task, self.state = event.task, event.task.status.state
                self.pieces += [part.text for one in self.task.artifacts for part in one.parts]
            elif kind == "status_update":
                self.state = event.status_update.status.state
            elif kind == "artifact_update":
                self.pieces += [part.text for part in event.artifact_update.artifact.parts]
            if until is not None and len(self.pieces) >= until:
                break
        return self

    @property
    def text(self):
        return "".join(self.pieces)


def run(api, binding):
    async def asked(question, streaming=False, key=KEY, model=MODEL, context="", parts=()):
        async with http(key) as client:
            card = await A2ACardResolver(client, f"{ORIGIN}/a2a/{model}").get_agent_card()
            options = {"supported_protocol_bindings": [binding], "use_client_preference": True}
            agent = ClientFactory(ClientConfig(httpx_client=client, streaming=streaming, **options)).create(card)
            return await Told().read(agent.send_message(message(question, context=context, parts=parts)))

    @api.case
    async def plain():
        told = await asked(HELLO)
        echoes(told.text)
        assert told.state == a2a.TASK_STATE_COMPLETED, told.state

    @api.case
    async def streamed():
        told = await asked(HELLO, streaming=True)
        echoes(came_in_pieces(told.pieces))
        assert told.state == a2a.TASK_STATE_COMPLETED, told.state

    api.cannot("client tool", "A2A has no tools of the client")

    @api.case
    async def host_tool():
        has((await asked(USE_HOST_TOOL)).text, PRODUCT)

    api.cannot("structured", "A2A has no schema for answers")

    @api.case
    async def turns():
        word = a_word()
        first = await asked(word)
        has((await asked(RECALL, context=first.task.context_id)).text, word)

    @api.case
    async def image():
        image = Image()
        part = a2a.Part(raw=image.bytes, media_type="image/png", filename="color.png")
        image.was_seen((await asked(LOOK, parts=[part])).text)

    @api.case
    async def stop():
        count = Count()
        async with http(KEY) as client:
            card = await A2ACardResolver(client, f"{ORIGIN}/a2a/{MODEL}").get_agent_card()
            options = {"supported_protocol_bindings": [binding], "use_client_preference": True}
            agent = ClientFactory(ClientConfig(httpx_client=client, **options)).create(card)
            told = await Told().read(agent.send_message(message(count.question)), until=9)
            again = await Told().read(agent.subscribe(a2a.SubscribeToTaskRequest(id=told.task.id)), until=1)
            has(again.text, told.text)
            task = await agent.cancel_task(a2a.CancelTaskRequest(id=told.task.id))
            assert task.status.state == a2a.TASK_STATE_CANCELED, task.status.state
        count.was_stopped()

    @api.case
    async def errors():
        for options in ({"model": UNKNOWN_MODEL}, {"key": WRONG_KEY}):
            refused = await raises_async(Exception, asked(HELLO, **options))
            has(str(refused), "401" if "key" in options else "404")
        async with http(KEY) as client:
            card = await A2ACardResolver(client, f"{ORIGIN}/a2a/{MODEL}").get_agent_card()
            agent = ClientFactory(ClientConfig(httpx_client=client, supported_protocol_bindings=[binding])).create(card)
            await raises_async(TaskNotFoundError, agent.get_task(a2a.GetTaskRequest(id="none")))


run(Api("A2A, JSON-RPC"), "JSONRPC")
run(Api("A2A, HTTP+JSON"), "HTTP+JSON")
