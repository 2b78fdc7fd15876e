import { expect } from 'chai'
import type { Host } from '../../src/core/host/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import { shareOfCommit } from '../helpers/cases.ts'
import { pythonOf } from '../helpers/python.ts'
import { PythonFolder } from '../helpers/python-hosts.ts'

/** Raises in the hook and in the way that the action "set" names. */
const FEATURE = `
import asyncio
kind = "feature"
name = "odd"
NOW = {"hook": "", "error": ""}

class NoText(Exception):
    def __str__(self): raise ValueError("no text")
    __repr__ = __str__

class EndsInText(Exception):
    def __str__(self): raise SystemExit(4)
    __repr__ = __str__

class NumberAsText(Exception):
    def __str__(self): return 5

class Property(Exception):
    @property
    def code(self): raise KeyboardInterrupt()
    @property
    def status(self): raise ValueError("no status")

class Own(BaseException):
    pass

class Meta(type):
    @property
    def __name__(cls): raise ValueError("no name")

class Nameless(Exception, metaclass=Meta):
    pass

def cyclic():
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    return first

ERRORS = {
    "no text": NoText, "ends in text": EndsInText, "a number as text": NumberAsText,
    "properties": Property, "of its own": Own, "nameless": Nameless, "cyclic": cyclic,
    "exit": lambda: SystemExit(3), "exit with an object": lambda: SystemExit(object()),
    "interrupt": KeyboardInterrupt, "stop": lambda: StopIteration(5),
    "stop async": StopAsyncIteration, "generator": GeneratorExit,
    "cancelled": asyncio.CancelledError, "memory": MemoryError, "recursion": RecursionError,
    "huge": lambda: ValueError("x" * 5_000_000), "half a character": lambda: ValueError("\\ud800"),
    "objects": lambda: ValueError(object(), {1}, float("nan")),
}

def check(hook):
    if NOW["hook"] == hook:
        raise ERRORS[NOW["error"]]()

def ask(config, hook):
    own = config.get("own") or {}
    if own.get("hook") == hook:
        raise ERRORS[own["error"]]()

def run_action(id, input):
    if id == "set":
        NOW.update(input)
        return sorted(ERRORS)
    check("run_action")
    return 1

def get_tags(config, models):
    ask(config, "get_tags")
    return []

def is_enabled(config, tags, models, context): ask(config, "is_enabled")

def init(config, state):
    check("init")
    return state

def edit_messages(messages, state):
    check("edit_messages")
    return messages

async def to_native(messages, native):
    check("to_native")
    return native

async def finalize(finals, native, state):
    await asyncio.sleep(0)
    check("finalize")
    return finals, native, state

def from_native(natives, core):
    check("from_native")
    return core

def get_ui_elements(config, asked):
    check("get_ui_elements")
    return []
`

const PROVIDER = `
import asyncio, importlib
kind = "provider"
name = "py"
NOW = {"hook": "", "error": ""}

def get_models(config): return ["m"]
def get_model_info(id, config): return {}

def init(config):
    return {"set": config.get("own", {})}

def check(state, hook):
    asked = state["set"]
    if asked.get("hook") == hook:
        if asked["error"] == "exit": raise SystemExit(3)
        if asked["error"] == "stop": raise StopIteration(5)
        if asked["error"] == "interrupt": raise KeyboardInterrupt()
        raise type("Odd", (BaseException,), {"__str__": lambda self: 1 / 0})()

def stream(native, state):
    check(state, "stream")
    if state["set"].get("hook") == "async": return later(state)
    return now(state)

def now(state):
    yield {"type": "text-start", "id": "1"}
    check(state, "now")
    yield {"type": "text-end", "id": "1"}

async def later(state):
    yield {"type": "text-start", "id": "1"}
    await asyncio.sleep(0)
    check(state, "async")

def process_chunk(chunk, native, state):
    check(state, "process_chunk")
    return [chunk], [], native, state
`

const HOOKS = [
  'run_action',
  'get_tags',
  'is_enabled',
  'init',
  'edit_messages',
  'to_native',
  'finalize',
  'from_native',
  'get_ui_elements',
]

describe('contrived errors of Python', function () {
  this.timeout(120_000)
  let folder: PythonFolder
  let host: Host

  before(async function () {
    await pythonOf(this)
    folder = await PythonFolder.make()
    host = await folder.host([FEATURE, PROVIDER], { provider: 'scripted' })
  })
  after(() => folder.close())

  async function expectTyped(what: string, answer: () => Promise<unknown>): Promise<void> {
    try {
      await answer()
    } catch (error) {
      expect(HostError.is(error), what).to.equal(true)
      const { message } = error as HostError
      expect(message.length, what).to.be.within(1, 20_100)
      expect(JSON.parse(JSON.stringify(error)), what).to.include({ message })
    }
  }

  const set = (input: object) =>
    host.runAction('odd', 'set', input, {}) as Promise<readonly string[]>

  for (const [at, hook] of HOOKS.entries()) {
    it(`end as typed errors of "${hook}", and Python goes on`, async () => {
      const errors = await set({ hook: '', error: '' })
      for (const error of shareOfCommit(errors, 3, at)) {
        await set({ hook, error })
        const what = `${hook}: ${error}`
        const config = { own: { hook, error } }
        await expectTyped(what, () => host.runAction('odd', 'other', null, config))
        await expectTyped(what, () => host.send(config, 'Hello'))
        await expectTyped(what, () => host.uiSchema(config))
        await expectTyped(what, () => host.explain(config))
        const streamed = await host.stream(config, 'Hello').result
        expect(['done', 'failed'], what).to.include(streamed.status)
      }
      await set({ hook: '', error: '' })
    })
  }

  it('end as typed errors of a stream and of chunks', async () => {
    for (const hook of ['stream', 'now', 'async', 'process_chunk']) {
      for (const error of ['exit', 'stop', 'interrupt', 'odd']) {
        const config = { provider: 'py', own: { hook, error } }
        const { status, error: thrown } = await host.stream(config, 'Hello').result
        expect(status, `${hook}: ${error}`).to.equal('failed')
        expect(thrown, `${hook}: ${error}`).to.include({ plugin: 'py' })
        await expectTyped(`${hook}: ${error}`, () => host.send(config, 'Hello'))
      }
    }
  })
})
