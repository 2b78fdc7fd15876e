import pathlib
import subprocess

from cases import *

ENDPOINT = ["llm", "openai", "endpoint", OPENAI_URL, "-m"]
FUNCTION = '''
def get_weather(city: str) -> str:
    "Tells the weather of a city."
    with open("asked.txt", "a") as file:
        file.write(city)
    return f"21 degrees in {city}, report CODE"
'''


def llm(*arguments, env=None):
    ran = subprocess.run(arguments, capture_output=True, text=True, env={**os.environ, **(env or {})}, timeout=50)
    if ran.returncode != 0:
        raise RuntimeError(ran.stderr.strip().splitlines()[-1])
    return ran.stdout


def run(api, model, key, wrong_key, unknown, *usual):
    """`model` and `unknown` begin a command; `usual` are options of each prompt."""

    def ask(*arguments):
        return llm(*model, *arguments, *usual, *key)

    @api.case
    def plain():
        echoes(ask(HELLO, "--no-stream"))

    @api.case
    def streamed():
        command = subprocess.Popen([*model, HELLO, *usual, *key], stdout=subprocess.PIPE)
        pieces = []
        while piece := os.read(command.stdout.fileno(), 10_000):
            pieces.append(piece.decode())
        command.wait()
        echoes(came_in_pieces(pieces))

    @api.case
    def client_tool():
        weather = Weather()
        asked = pathlib.Path("asked.txt")
        answer = ask(USE_TOOL, "--functions", FUNCTION.replace("CODE", weather.code))
        weather.asked = [asked.read_text()]
        asked.unlink()
        weather.was_told(answer)

    @api.case
    def host_tool():
        has(ask(USE_HOST_TOOL), PRODUCT)

    @api.case
    def structured():
        person = json.loads(ask(PERSON, "--schema", "name, age int"))
        is_ada(person["name"], person["age"])

    @api.case
    def turns():
        if model == ENDPOINT + [MODEL]:
            word = a_word()
            talk = subprocess.run(
                [*model, "--chat", *usual, *key], input=f"{word}\n{RECALL}\nexit\n", capture_output=True, text=True
            )
            has(talk.stdout, f"Before, you said: {word}")
            return
        word = a_word()
        ask(word)
        has(ask(RECALL, "-c"), word)

    @api.case
    def image():
        image = Image()
        pathlib.Path("image.png").write_bytes(image.bytes)
        image.was_seen(ask(LOOK, "-a", "image.png"))

    @api.case
    def stop():
        count = Count()
        command = subprocess.Popen([*model, count.question, *usual, *key], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        count.has_begun()
        command.send_signal(signal.SIGINT)
        command.wait(10)
        count.was_stopped()

    @api.case
    def errors():
        has(str(raises(RuntimeError, llm, *unknown, HELLO, *usual, *key)), "does not publish")
        has(str(raises(RuntimeError, llm, *model, HELLO, *usual, *wrong_key)), "does not know the token")


KEYS = ["--key", KEY], ["--key", WRONG_KEY]
run(Api("Chat Completions"), ENDPOINT + [MODEL], *KEYS, ENDPOINT + [UNKNOWN_MODEL])
run(Api("Responses"), ENDPOINT + [MODEL], *KEYS, ENDPOINT + [UNKNOWN_MODEL], "--responses")

# The models of the plugin for Anthropic are those that the server lists.
os.environ["ANTHROPIC_BASE_URL"] = ORIGIN
os.environ["LLM_USER_PATH"] = os.path.abspath("llm")
os.mkdir("llm")
llm("llm", "anthropic", "refresh", env={"ANTHROPIC_API_KEY": KEY})
run(Api("Messages"), ["llm", "-m", f"anthropic/{MODEL}"], *KEYS, ["llm", "-m", "anthropic/claude-sonnet-4-5"])
