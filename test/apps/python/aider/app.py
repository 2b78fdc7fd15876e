import pathlib
import subprocess

from cases import *

api = Api("Chat Completions")
METADATA = {f"openai/{MODEL}": {"supports_vision": True, "max_input_tokens": 100_000, "mode": "chat"}}
pathlib.Path("models.json").write_text(json.dumps(METADATA))
pathlib.Path("notes.txt").write_text("nothing yet\n")


def command(*arguments, model=MODEL, key=KEY):
    connection = ["--openai-api-base", OPENAI_URL, "--openai-api-key", key, "--model", f"openai/{model}"]
    quiet = "--no-git --yes-always --no-pretty --no-fancy-input --no-check-update --no-show-release-notes"
    quiet += " --no-show-model-warnings --no-analytics --map-tokens 0 --disable-playwright --no-detect-urls"
    return ["aider", *connection, *quiet.split(), "--model-metadata-file", "models.json", *arguments]


def aider(*arguments, **options):
    ran = subprocess.run(
        command(*arguments, **options), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=55
    )
    return ran.stdout + ran.stderr


@api.case
def plain():
    echoes(aider("--no-stream", "--message", HELLO))
    edit = "<reply>\nnotes.txt\n```\nan edit\n```\n</reply>"
    aider("--no-stream", "--edit-format", "whole", "--message", edit, "notes.txt")
    has(pathlib.Path("notes.txt").read_text(), "an edit")


@api.case
def streamed():
    echoes(aider("--message", HELLO))


api.cannot("client tool", "aider edits files by text and offers no tools")


@api.case
def host_tool():
    has(aider("--message", USE_HOST_TOOL), PRODUCT)


api.cannot("structured", "aider asks for no schema")


@api.case
def turns():
    word = a_word()
    talk = subprocess.run(command(), input=f"{word}\n{RECALL}\n/exit\n", capture_output=True, text=True, timeout=55)
    has(talk.stdout.split("Before, you said: ")[-1], word)


@api.case
def image():
    image = Image()
    pathlib.Path("image.png").write_bytes(image.bytes)
    image.was_seen(aider("--message", LOOK, "image.png"))


@api.case
def stop():
    count = Count()
    running = subprocess.Popen(
        command("--message", count.question), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    count.has_begun()
    try:
        # The first Ctrl-C is lost now and then; a person presses it again.
        for _ in range(3):
            if count.look()["state"] == "running":
                running.send_signal(signal.SIGINT)
                time.sleep(1)
        count.was_stopped()
    finally:
        running.kill()


@api.case
def errors():
    has(aider("--message", HELLO, model=UNKNOWN_MODEL), "NotFoundError")
    has(aider("--message", HELLO, key=WRONG_KEY), "AuthenticationError")
