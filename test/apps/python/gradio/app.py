import os
import pathlib
import shutil
from contextlib import contextmanager

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

import gradio as gr
from cases import *
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError
from playwright.sync_api import sync_playwright

api = Api("Chat Completions")


def served(model=MODEL, key=KEY, file_types=None):
    """A page of `load_chat`, and a client which does in it what a person does."""
    page = gr.load_chat(OPENAI_URL, model=model, token=key, file_types=file_types)
    _, url, _ = page.launch(prevent_thread_lock=True, quiet=True, show_error=True)
    return Client(url, verbose=False)


def ask(message, **options):
    return served(**options).predict(message, api_name="/open_api_stream")


@api.case
def plain():
    echoes(ask(HELLO))


@api.case
def streamed():
    states = list(served().submit(HELLO, api_name="/open_api_stream"))
    came_in_pieces(states)
    echoes(states[-1])


api.cannot("client tool", "`load_chat` sends no tools")


@api.case
def host_tool():
    has(ask(USE_HOST_TOOL), PRODUCT)


api.cannot("structured", "`load_chat` asks for no schema")


@contextmanager
def opened():
    """The page in a browser: the second turn of a session of Gradio's own client fails in Gradio."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(served().src)
        yield page
        browser.close()


def type_into(page, text):
    box = page.get_by_role("textbox").last
    box.fill(text)
    box.press("Enter")


@api.case
def turns():
    word = a_word()
    with opened() as page:
        answers = page.get_by_test_id("bot")
        type_into(page, word)
        answers.nth(0).get_by_text("You said:").wait_for(timeout=20_000)
        type_into(page, RECALL)
        answers.nth(1).get_by_text("Before, you said:").wait_for(timeout=20_000)
        answers.nth(1).get_by_text(word).wait_for(timeout=20_000)


@api.case
def image():
    image = Image()
    path = pathlib.Path("image.png")
    path.write_bytes(image.bytes)
    message = {"text": LOOK, "files": [handle_file(str(path.absolute()))]}
    image.was_seen(ask(message, file_types=["image"]))


@api.case
def stop():
    count = Count()
    with opened() as page:
        type_into(page, count.question)
        count.has_begun()
        page.locator("button.stop-button").click()
        count.was_stopped(
            "Gradio's stop button ends the display, but its process keeps the connection, and leaves unread what"
            " comes: to a server it is a slow reader"
        )


@api.case
def errors():
    unknown = raises(AppError, lambda: ask(HELLO, model=UNKNOWN_MODEL))
    has(str(unknown), "does not publish")
    has(str(raises(AppError, lambda: ask(HELLO, key=WRONG_KEY))), "401")


# Its server and clients have threads that would stay.
os._exit(0)
