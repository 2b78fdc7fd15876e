from anthropic import Anthropic, AuthenticationError, NotFoundError, beta_tool
from cases import *
from pydantic import BaseModel


class Person(BaseModel):
    name: str
    age: int


client = Anthropic(base_url=ORIGIN, api_key=KEY)
api = Api("Messages")
USUAL = {"model": MODEL, "max_tokens": 1000}


def user(content):
    return {"role": "user", "content": content}


def ask(*messages, **options):
    return client.messages.create(messages=list(messages), **USUAL, **options)


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


@api.case
def plain():
    echoes(text_of(ask(user(HELLO))))


@api.case
def streamed():
    with client.messages.stream(messages=[user(HELLO)], **USUAL) as stream:
        echoes(came_in_pieces(list(stream.text_stream)))
        echoes(text_of(stream.get_final_message()))


@api.case
def client_tool():
    weather = Weather()

    @beta_tool
    def get_weather(city: str) -> str:
        """Tells the weather of a city.

        Args:
            city: its name
        """
        return weather.report(city)

    runner = client.beta.messages.tool_runner(messages=[user(USE_TOOL)], tools=[get_weather], **USUAL)
    weather.was_told(text_of(runner.until_done()))


@api.case
def host_tool():
    has(text_of(ask(user(USE_HOST_TOOL))), PRODUCT)
    shown = client.beta.messages.create(messages=[user(USE_HOST_TOOL)], betas=["mcp-client-2025-11-20"], **USUAL)
    assert [block.name for block in shown.content if block.type == "mcp_tool_use"] == ["calculate"]


@api.case
def structured():
    person = client.messages.parse(messages=[user(PERSON)], output_format=Person, **USUAL).parsed_output
    is_ada(person.name, person.age)


@api.case
def turns():
    word = a_word()
    first = ask(user(word))
    answer = ask(user(word), {"role": "assistant", "content": first.content}, user(RECALL))
    has(text_of(answer), word)


@api.case
def image():
    image = Image()
    source = {"type": "base64", "media_type": "image/png", "data": image.base64}
    image.was_seen(text_of(ask(user([{"type": "image", "source": source}, {"type": "text", "text": LOOK}]))))


@api.case
def stop():
    count = Count()
    with client.messages.stream(messages=[user(count.question)], **USUAL) as stream:
        for _ in zip(range(5), stream.text_stream):
            pass
    count.was_stopped()


@api.case
def errors():
    other = {**USUAL, "model": UNKNOWN_MODEL}
    raises(NotFoundError, lambda: client.messages.create(messages=[user(HELLO)], **other))
    stranger = client.with_options(api_key=WRONG_KEY)
    raises(AuthenticationError, lambda: stranger.messages.create(messages=[user(HELLO)], **USUAL))
