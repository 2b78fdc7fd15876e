import pathlib
import socket
import subprocess

from cases import *
from openai import AuthenticationError, NotFoundError, OpenAI, OpenAIError
from pydantic import BaseModel

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
MASTER_KEY = f"sk-{secrets.token_hex(32)}"
USES = {"openai": OPENAI_URL, "anthropic": ORIGIN}


class Person(BaseModel):
    name: str
    age: int


def entry(name, provider, model=MODEL, key=KEY):
    parameters = {"model": f"{provider}/{model}", "api_base": USES[provider], "api_key": key}
    info = {"supports_native_streaming": True}
    return {"model_name": name, "litellm_params": parameters, "model_info": info}


def start():
    models = [
        listed
        for provider in USES
        for listed in (
            entry(provider, provider),
            entry(f"{provider}-unknown", provider, model=UNKNOWN_MODEL),
            entry(f"{provider}-stranger", provider, key=WRONG_KEY),
        )
    ]
    config = {
        "model_list": models,
        "litellm_settings": {"num_retries": 0},
        # The same model is asked with a wrong key and under an unknown name in each API.
        "router_settings": {"disable_cooldowns": True},
        "general_settings": {"master_key": MASTER_KEY},
    }
    pathlib.Path("proxy.yaml").write_text(json.dumps(config))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    arguments = ["litellm", "--config", "proxy.yaml", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=open("proxy.log", "w"))
    limit = time.monotonic() + 120
    while time.monotonic() < limit:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness")
            return process, port
        except OSError:
            assert process.poll() is None, pathlib.Path("proxy.log").read_text()[-2000:]
            time.sleep(0.2)
    raise AssertionError("the proxy did not start within two minutes")


def user(content):
    return {"role": "user", "content": content}


def run(api, client, name):
    def complete(*messages, model=name, **options):
        return client.chat.completions.create(model=model, messages=list(messages), **options)

    def ask(*messages, **options):
        return complete(*messages, **options).choices[0].message

    @api.case
    def plain():
        echoes(ask(user(HELLO)).content)

    @api.case
    def streamed():
        chunks = complete(user(HELLO), stream=True)
        echoes(came_in_pieces([c.choices[0].delta.content for c in chunks if c.choices and c.choices[0].delta.content]))

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
        answer = client.chat.completions.parse(model=name, messages=[user(PERSON)], response_format=Person)
        person = answer.choices[0].message.parsed
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
    def stop():
        count = Count()
        stream = complete(user(count.question), stream=True)
        for _ in zip(range(5), stream):
            pass
        stream.close()
        count.was_stopped()

    @api.case
    def errors():
        raises(NotFoundError, lambda: ask(user(HELLO), model=f"{name}-unknown"))
        raises(AuthenticationError, lambda: ask(user(HELLO), model=f"{name}-stranger"))


def run_responses(api, client):
    def ask(input, model="openai", **options):
        return client.responses.create(model=model, input=input, **options)

    @api.case
    def plain():
        echoes(ask(HELLO).output_text)

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
        weather.was_told(ask([told], tools=[tool], previous_response_id=called.id).output_text)

    @api.case
    def host_tool():
        has(ask(USE_HOST_TOOL).output_text, PRODUCT)

    @api.case
    def structured():
        person = client.responses.parse(model="openai", input=PERSON, text_format=Person).output_parsed
        is_ada(person.name, person.age)

    @api.case
    def turns():
        word = a_word()
        has(ask(RECALL, previous_response_id=ask(word).id).output_text, word)

    @api.case
    def image():
        image = Image()
        parts = [{"type": "input_text", "text": LOOK}, {"type": "input_image", "image_url": image.url}]
        image.was_seen(ask([{"role": "user", "content": parts}]).output_text)

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
        raises(NotFoundError, lambda: ask(HELLO, model="openai-unknown"))
        raises(AuthenticationError, lambda: ask(HELLO, model="openai-stranger"))


process, port = start()
try:
    client = OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key=MASTER_KEY, max_retries=0)
    run(Api("Chat Completions"), client, "openai")
    run_responses(Api("Responses"), client)
    run(Api("Messages"), client, "anthropic")
finally:
    process.terminate()
    process.wait()
