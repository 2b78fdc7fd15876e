from cases import *
from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider


class Person(BaseModel):
    name: str
    age: int


def chat(name=MODEL, key=KEY):
    return OpenAIChatModel(name, provider=OpenAIProvider(base_url=OPENAI_URL, api_key=key))


def responses(name=MODEL, key=KEY):
    return OpenAIResponsesModel(name, provider=OpenAIProvider(base_url=OPENAI_URL, api_key=key))


def messages(name=MODEL, key=KEY):
    return AnthropicModel(name, provider=AnthropicProvider(base_url=ORIGIN, api_key=key))


def run(api, model_of):
    agent = Agent(model_of())

    @api.case
    def plain():
        echoes(agent.run_sync(HELLO).output)

    @api.case
    async def streamed():
        async with agent.run_stream(HELLO) as answer:
            echoes(came_in_pieces([piece async for piece in answer.stream_text(delta=True, debounce_by=None)]))

    @api.case
    def client_tool():
        weather = Weather()
        weather_agent = Agent(model_of())

        @weather_agent.tool_plain
        def get_weather(city: str) -> str:
            """Tells the weather of a city."""
            return weather.report(city)

        weather.was_told(weather_agent.run_sync(USE_TOOL).output)

    @api.case
    def host_tool():
        has(agent.run_sync(USE_HOST_TOOL).output, PRODUCT)

    @api.case
    def structured():
        person = Agent(model_of(), output_type=Person).run_sync(PERSON).output
        is_ada(person.name, person.age)

    @api.case
    def turns():
        word = a_word()
        first = agent.run_sync(word)
        has(agent.run_sync(RECALL, message_history=first.all_messages()).output, word)

    @api.case
    def image():
        image = Image()
        content = BinaryContent(image.bytes, media_type="image/png")
        image.was_seen(agent.run_sync([LOOK, content]).output)

    @api.case
    async def stop():
        count = Count()
        task = asyncio.create_task(_read(agent, count.question))
        await asyncio.to_thread(count.has_begun)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        await asyncio.to_thread(count.was_stopped)

    @api.case
    def errors():
        unknown = raises(ModelHTTPError, Agent(model_of(name=UNKNOWN_MODEL)).run_sync, HELLO)
        assert unknown.status_code == 404, unknown
        stranger = raises(ModelHTTPError, Agent(model_of(key=WRONG_KEY)).run_sync, HELLO)
        assert stranger.status_code == 401, stranger


async def _read(agent, question):
    async with agent.run_stream(question) as answer:
        async for _ in answer.stream_text(delta=True):
            pass


run(Api("Chat Completions"), chat)
run(Api("Responses"), responses)
run(Api("Messages"), messages)
