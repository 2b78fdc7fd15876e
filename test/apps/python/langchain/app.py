import anthropic
import openai
from cases import *
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from pydantic import BaseModel


class Person(BaseModel):
    """A person."""

    name: str
    age: int


def chat(model=MODEL, key=KEY):
    return ChatOpenAI(model=model, base_url=OPENAI_URL, api_key=key)


def responses(model=MODEL, key=KEY, **options):
    return ChatOpenAI(model=model, base_url=OPENAI_URL, api_key=key, use_responses_api=True, **options)


def messages(model=MODEL, key=KEY):
    return ChatAnthropic(model=model, base_url=ORIGIN, api_key=key)


def run(api, model_of, sdk):
    model = model_of()

    @api.case
    def plain():
        echoes(model.invoke(HELLO).text)

    @api.case
    def streamed():
        echoes(came_in_pieces([piece.text for piece in model.stream(HELLO)]))

    @api.case
    def client_tool():
        weather = Weather()

        def get_weather(city: str) -> str:
            """Tells the weather of a city."""
            return weather.report(city)

        agent = create_agent(model, tools=[get_weather])
        state = agent.invoke({"messages": [HumanMessage(USE_TOOL)]})
        weather.was_told(state["messages"][-1].text)

    @api.case
    def host_tool():
        has(model.invoke(USE_HOST_TOOL).text, PRODUCT)

    @api.case
    def structured():
        person = model.with_structured_output(Person).invoke(PERSON)
        is_ada(person.name, person.age)
        agent = create_agent(model, tools=[], response_format=Person)
        person = agent.invoke({"messages": [HumanMessage(PERSON)]})["structured_response"]
        is_ada(person.name, person.age)

    @api.case
    def turns():
        word = a_word()
        first = model.invoke(word)
        has(model.invoke([HumanMessage(word), first, HumanMessage(RECALL)]).text, word)
        if model_of is responses:
            linked = responses(use_previous_response_id=True)
            first = linked.invoke(word)
            has(linked.invoke([HumanMessage(word), first, HumanMessage(RECALL)]).text, word)

    @api.case
    def image():
        image = Image()
        block = {"type": "image", "base64": image.base64, "mime_type": "image/png"}
        message = HumanMessage(content=[{"type": "text", "text": LOOK}, block])
        image.was_seen(model.invoke([message]).text)

    @api.case
    def stop():
        count = Count()
        stream = model.stream(count.question)
        for _ in zip(range(5), stream):
            pass
        stream.close()
        count.was_stopped()

    @api.case
    def errors():
        raises(sdk.NotFoundError, model_of(model=UNKNOWN_MODEL).invoke, HELLO)
        raises(sdk.AuthenticationError, model_of(key=WRONG_KEY).invoke, HELLO)


run(Api("Chat Completions"), chat, openai)
run(Api("Responses"), responses, openai)
run(Api("Messages"), messages, anthropic)
