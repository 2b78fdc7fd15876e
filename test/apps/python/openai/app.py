from cases import *
from openai import AuthenticationError, NotFoundError, OpenAI
from pydantic import BaseModel


class Person(BaseModel):
    name: str
    age: int


client = OpenAI(base_url=OPENAI_URL, api_key=KEY)
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def test_chat():
    api = Api("Chat Completions")
    tool = {"type": "function", "function": {"name": "get_weather", "parameters": PARAMETERS}}
    user = lambda content: {"role": "user", "content": content}

    def ask(*messages, **options):
        answer = client.chat.completions.create(model=MODEL, messages=list(messages), **options)
        return answer.choices[0].message

    @api.case
    def plain():
        echoes(ask(user(HELLO)).content)

    @api.case
    def streamed():
        stream = client.chat.completions.create(model=MODEL, messages=[user(HELLO)], stream=True)
        echoes(came_in_pieces([c.choices[0].delta.content for c in stream if c.choices and c.choices[0].delta.content]))

    @api.case
    def client_tool():
        weather = Weather()
        called = ask(user(USE_TOOL), tools=[tool])
        (call,) = called.tool_calls
        result = weather.report(**json.loads(call.function.arguments))
        told = {"role": "tool", "tool_call_id": call.id, "content": result}
        weather.was_told(ask(user(USE_TOOL), called, told, tools=[tool]).content)

    @api.case
    def host_tool():
        has(ask(user(USE_HOST_TOOL)).content, PRODUCT)

    @api.case
    def structured():
        answer = client.chat.completions.parse(model=MODEL, messages=[user(PERSON)], response_format=Person)
        person = answer.choices[0].message.parsed
        is_ada(person.name, person.age)

    @api.case
    def turns():
        word = a_word()
        first = ask(user(word))
        has(ask(user(word), first, user(RECALL)).content, word)

    @api.case
    def image():
        image = Image()
        parts = [{"type": "text", "text": LOOK}, {"type": "image_url", "image_url": {"url": image.url}}]
        image.was_seen(ask(user(parts)).content)

    @api.case
    def stop():
        count = Count()
        stream = client.chat.completions.create(model=MODEL, messages=[user(count.question)], stream=True)
        for _ in zip(range(5), stream):
            pass
        stream.close()
        count.was_stopped()

    @api.case
    def errors():
        raises(NotFoundError, lambda: client.chat.completions.create(model=UNKNOWN_MODEL, messages=[user(HELLO)]))
        stranger = client.with_options(api_key=WRONG_KEY)
        raises(AuthenticationError, lambda: stranger.chat.completions.create(model=MODEL, messages=[user(HELLO)]))


def test_responses():
    api = Api("Responses")
    tool = {"type": "function", "name": "get_weather", "parameters": PARAMETERS, "strict": False}

    def ask(input, **options):
        return client.responses.create(model=MODEL, input=input, **options)

    @api.case
    def plain():
        echoes(ask(HELLO).output_text)

    @api.case
    def streamed():
        with client.responses.stream(model=MODEL, input=HELLO) as stream:
            pieces = [event.delta for event in stream if event.type == "response.output_text.delta"]
            echoes(came_in_pieces(pieces))
            echoes(stream.get_final_response().output_text)

    @api.case
    def client_tool():
        weather = Weather()
        called = ask(USE_TOOL, tools=[tool])
        (call,) = [item for item in called.output if item.type == "function_call"]
        result = weather.report(**json.loads(call.arguments))
        told = {"type": "function_call_output", "call_id": call.call_id, "output": result}
        weather.was_told(ask([told], tools=[tool], previous_response_id=called.id).output_text)

    @api.case
    def host_tool():
        answer = ask(USE_HOST_TOOL)
        has(answer.output_text, PRODUCT)
        (call,) = [item for item in answer.output if item.type == "mcp_call"]
        has(call.output, PRODUCT)

    @api.case
    def structured():
        person = client.responses.parse(model=MODEL, input=PERSON, text_format=Person).output_parsed
        is_ada(person.name, person.age)

    @api.case
    def turns():
        word = a_word()
        first = ask(word)
        has(ask(RECALL, previous_response_id=first.id).output_text, word)
        conversation = client.conversations.create()
        ask(word, conversation=conversation.id)
        has(ask(RECALL, conversation=conversation.id).output_text, word)

    @api.case
    def image():
        image = Image()
        parts = [{"type": "input_text", "text": LOOK}, {"type": "input_image", "image_url": image.url}]
        image.was_seen(ask([{"role": "user", "content": parts}]).output_text)

    @api.case
    def stop():
        count = Count()
        stream = client.responses.create(model=MODEL, input=count.question, stream=True)
        for _ in zip(range(9), stream):
            pass
        stream.close()
        count.was_stopped()

    @api.case
    def errors():
        raises(NotFoundError, lambda: client.responses.create(model=UNKNOWN_MODEL, input=HELLO))
        stranger = client.with_options(api_key=WRONG_KEY)
        raises(AuthenticationError, lambda: stranger.responses.create(model=MODEL, input=HELLO))


test_chat()
test_responses()
