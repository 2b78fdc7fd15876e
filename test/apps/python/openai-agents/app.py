import base64

from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    SQLiteSession,
    function_tool,
    set_tracing_disabled,
)
from cases import *
from openai import AsyncOpenAI, AuthenticationError, NotFoundError
from pydantic import BaseModel

set_tracing_disabled(True)


class Person(BaseModel):
    name: str
    age: int


def run(api, kind):
    def agent(name=MODEL, key=KEY, **options):
        model = kind(model=name, openai_client=AsyncOpenAI(base_url=OPENAI_URL, api_key=key))
        return Agent(name="helper", model=model, **options)

    def ask(question, **options):
        return Runner.run(agent(**options), question)

    @api.case
    async def plain():
        echoes((await ask(HELLO)).final_output)

    @api.case
    async def streamed():
        answer = Runner.run_streamed(agent(), HELLO)
        deltas = [
            event.data.delta
            async for event in answer.stream_events()
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta"
        ]
        echoes(came_in_pieces(deltas))
        echoes(answer.final_output)

    @api.case
    async def client_tool():
        weather = Weather()

        @function_tool
        def get_weather(city: str) -> str:
            """Tells the weather of a city."""
            return weather.report(city)

        weather.was_told((await ask(USE_TOOL, tools=[get_weather])).final_output)

    @api.case
    async def host_tool():
        has((await ask(USE_HOST_TOOL)).final_output, PRODUCT)

    @api.case
    async def structured():
        person = (await ask(PERSON, output_type=Person)).final_output
        is_ada(person.name, person.age)

    @api.case
    async def turns():
        word = a_word()
        session = SQLiteSession(word)
        await Runner.run(agent(), word, session=session)
        await Runner.run(agent(), USE_HOST_TOOL, session=session)
        has((await Runner.run(agent(), RECALL, session=session)).final_output, word)
        if kind is OpenAIResponsesModel:
            first = await ask(word)
            second = await Runner.run(agent(), RECALL, previous_response_id=first.last_response_id)
            has(second.final_output, word)

    @api.case
    async def image():
        image = Image()
        parts = [{"type": "input_text", "text": LOOK}, {"type": "input_image", "image_url": image.url, "detail": "auto"}]
        image.was_seen((await ask([{"role": "user", "content": parts}])).final_output)

    @api.case
    async def stop():
        count = Count()
        answer = Runner.run_streamed(agent(), count.question)
        seen = 0
        async for event in answer.stream_events():
            seen += event.type == "raw_response_event"
            if seen == 9:
                answer.cancel()
        await asyncio.to_thread(count.was_stopped)

    @api.case
    async def errors():
        await raises_async(NotFoundError, ask(HELLO, name=UNKNOWN_MODEL))
        await raises_async(AuthenticationError, ask(HELLO, key=WRONG_KEY))


run(Api("Chat Completions"), OpenAIChatCompletionsModel)
run(Api("Responses"), OpenAIResponsesModel)
