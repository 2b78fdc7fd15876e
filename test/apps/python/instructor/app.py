import instructor
from anthropic import Anthropic
from cases import *
from instructor.core.exceptions import InstructorRetryException
from pydantic import BaseModel


class Person(BaseModel):
    name: str
    age: int


class Answer(BaseModel):
    text: str


def user(content):
    return {"role": "user", "content": content}


def openai(model, key, **options):
    return instructor.from_provider(f"openai/{model}", base_url=OPENAI_URL, api_key=key, **options)


def responses(model, key):
    return openai(model, key, mode=instructor.Mode.RESPONSES_TOOLS)


def anthropic(model, key):
    return instructor.from_anthropic(Anthropic(base_url=ORIGIN, api_key=key), model=model, max_tokens=1000)


def run(api, connect):
    def ask(*messages, model=MODEL, key=KEY, response_model=Answer):
        return connect(model, key).create(response_model=response_model, messages=list(messages))

    client = connect(MODEL, KEY)

    @api.case
    def plain():
        echoes(ask(user(HELLO)).text)

    @api.case
    def streamed():
        answers = list(client.create_partial(response_model=Answer, messages=[user(HELLO)]))
        assert len(answers) > 1, f"{len(answers)} states of the answer came"
        echoes(answers[-1].text)

    api.cannot("client tool", "instructor has no tools but its response model")

    @api.case
    def host_tool():
        has(ask(user(USE_HOST_TOOL)).text, PRODUCT)

    @api.case
    def structured():
        person = ask(user(PERSON), response_model=Person)
        is_ada(person.name, person.age)

    @api.case
    def turns():
        word = a_word()
        has(ask(user(word), {"role": "assistant", "content": "Yes."}, user(RECALL)).text, word)

    @api.case
    def image():
        image = Image()
        image.was_seen(ask(user([LOOK, instructor.Image.from_base64(image.url)])).text)

    @api.case
    def stop():
        count = Count()
        stream = client.create(response_model=None, messages=[user(count.question)], stream=True)
        for _ in zip(range(9), stream):
            pass
        stream.close()
        count.was_stopped()

    @api.case
    def errors():
        unknown = raises(InstructorRetryException, lambda: ask(user(HELLO), model=UNKNOWN_MODEL))
        has(str(unknown), "does not publish")
        stranger = raises(InstructorRetryException, lambda: ask(user(HELLO), key=WRONG_KEY))
        has(str(stranger), "401")


run(Api("Chat Completions"), openai)
run(Api("Responses"), responses)
run(Api("Messages"), anthropic)
