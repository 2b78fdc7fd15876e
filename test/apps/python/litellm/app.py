import os

# Its list of prices comes from the package and not from a server.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from cases import *
from pydantic import BaseModel

litellm.suppress_debug_info = True
# Of a model that it does not know, LiteLLM waits for the whole response and then makes a stream of it.
KNOWN = {"litellm_provider": "openai", "mode": "responses", "supports_native_streaming": True}
litellm.register_model({f"openai/{MODEL}": KNOWN})
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


class Person(BaseModel):
    name: str
    age: int


def user(content):
    return {"role": "user", "content": content}


def run(api, provider, base):
    def complete(*messages, model=MODEL, key=KEY, **options):
        return litellm.completion(
            model=f"{provider}/{model}", api_base=base, api_key=key, messages=list(messages), **options
        )

    def ask(*messages, **options):
        return complete(*messages, **options).choices[0].message

    @api.case
    def plain():
        echoes(ask(user(HELLO)).content)

    @api.case
    def streamed():
        pieces = [chunk.choices[0].delta.content or "" for chunk in complete(user(HELLO), stream=True)]
        echoes(came_in_pieces(pieces))

    @api.case
    def client_tool():
        weather = Weather()
        tool = {"type": "function", "function": {"name": "get_weather", "parameters": PARAMETERS}}
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
        person = Person.model_validate_json(ask(user(PERSON), response_format=Person).content)
        is_ada(person.name, person.age)

    @api.case
    def turns():
        word = a_word()
        has(ask(user(word), ask(user(word)), user(RECALL)).content, word)

    @api.case
    def image():
        image = Image()
        parts = [{"type": "text", "text": LOOK}, {"type": "image_url", "image_url": {"url": image.url}}]
        image.was_seen(ask(user(parts)).content)

    @api.case
    async def stop():
        count = Count()
        stream = await litellm.acompletion(
            model=f"{provider}/{MODEL}", api_base=base, api_key=KEY, messages=[user(count.question)], stream=True
        )
        await anext(aiter(stream))
        await stream.aclose()
        await asyncio.to_thread(count.was_stopped)

    @api.case
    def errors():
        raises(litellm.NotFoundError, lambda: ask(user(HELLO), model=UNKNOWN_MODEL))
        raises(litellm.AuthenticationError, lambda: ask(user(HELLO), key=WRONG_KEY))


def run_responses():
    api = Api("Responses")
    usual = {"api_base": OPENAI_URL, "api_key": KEY}

    def ask(input, model=MODEL, **options):
        return litellm.responses(model=f"openai/{model}", input=input, **{**usual, **options})

    def text_of(response):
        messages = [item for item in response.output if item.type == "message"]
        return "".join(part.text for item in messages for part in item.content)

    @api.case
    def plain():
        echoes(text_of(ask(HELLO)))

    @api.case
    def streamed():
        echoes(came_in_pieces([e.delta for e in ask(HELLO, stream=True) if e.type == "response.output_text.delta"]))

    @api.case
    def client_tool():
        weather = Weather()
        tool = {"type": "function", "name": "get_weather", "parameters": PARAMETERS}
        called = ask(USE_TOOL, tools=[tool])
        (call,) = [item for item in called.output if item.type == "function_call"]
        result = weather.report(**json.loads(call.arguments))
        told = {"type": "function_call_output", "call_id": call.call_id, "output": result}
        weather.was_told(text_of(ask([told], tools=[tool], previous_response_id=called.id)))

    @api.case
    def host_tool():
        has(text_of(ask(USE_HOST_TOOL)), PRODUCT)

    @api.case
    def structured():
        person = Person.model_validate_json(text_of(ask(PERSON, text_format=Person)))
        is_ada(person.name, person.age)

    @api.case
    def turns():
        word = a_word()
        has(text_of(ask(RECALL, previous_response_id=ask(word).id)), word)

    @api.case
    def image():
        image = Image()
        parts = [{"type": "input_text", "text": LOOK}, {"type": "input_image", "image_url": image.url}]
        image.was_seen(text_of(ask([{"role": "user", "content": parts}])))

    @api.case
    def stop():
        count = Count()
        stream = ask(count.question, stream=True)
        for _ in zip(range(9), stream):
            pass
        stream.close()
        count.was_stopped()

    @api.case
    def errors():
        raises(litellm.NotFoundError, lambda: ask(HELLO, model=UNKNOWN_MODEL))
        raises(litellm.AuthenticationError, lambda: ask(HELLO, api_key=WRONG_KEY))


run(Api("Chat Completions"), "openai", OPENAI_URL)
run_responses()
run(Api("Messages"), "anthropic", ORIGIN)
