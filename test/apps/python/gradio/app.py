import os
import pathlib

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

import gradio as gr
from cases import *
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError

api = Api("Chat Completions")


def served(model=MODEL, key=KEY, file_types=None):
    """A page of `load_chat`, and a client which does in it what a person does."""
    page = gr.load_chat(OPENAI_URL, model=model, token=key, file_types=file_types)
    _, url, _ = page.launch(prevent_thread_lock=True, quiet=True, show_error=True)
    return Client(url, verbose=False)


client = served()


def ask(message, client=client):
    return client.predict(message, api_name="/open_api_stream")


@api.case
def plain():
    echoes(ask(HELLO))


@api.case
def streamed():
    states = list(client.submit(HELLO, api_name="/open_api_stream"))
    came_in_pieces(states)
    echoes(states[-1])


api.cannot("client tool", "load_chat sends no tools")


@api.case
def host_tool():
    has(ask(USE_HOST_TOOL), PRODUCT)


api.cannot("structured", "load_chat asks for no schema")


@api.case
def turns():
    word = a_word()
    ask(word)
    has(ask(RECALL), word)


@api.case
def image():
    image = Image()
    path = pathlib.Path("image.png")
    path.write_bytes(image.bytes)
    message = {"text": LOOK, "files": [handle_file(str(path.absolute()))]}
    image.was_seen(ask(message, served(file_types=["image"])))


@api.case
def stop():
    count = Count()
    job = client.submit(count.question, api_name="/open_api_stream")
    count.has_begun()
    job.cancel()
    count.was_stopped()


@api.case
def errors():
    unknown = raises(AppError, ask, HELLO, served(model=UNKNOWN_MODEL))
    has(str(unknown), "does not publish")
    has(str(raises(AppError, ask, HELLO, served(key=WRONG_KEY))), "401")


# Its server and clients have threads that would stay.
os._exit(0)
