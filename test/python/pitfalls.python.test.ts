import { expect } from 'chai'
import type { ConfigLayer } from '../../src/core/config/layers.ts'
import type { Host } from '../../src/core/host/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import { collect } from '../helpers/hosts.ts'
import { isAlive } from '../helpers/processes.ts'
import { pythonOf } from '../helpers/python.ts'
import { PythonFolder } from '../helpers/python-hosts.ts'

/** What each plugin of this file can do wrong, by the text of the last message or the id of an action. */
const LAB = `
from __future__ import annotations
import asyncio, ctypes, dataclasses, math, os, pickle, signal, subprocess, sys, threading, time

kind = "feature"
name = "lab"

@dataclasses.dataclass
class Point:
    x: int
    y: "int" = 2

def deep():
    value = []
    for _ in range(5000):
        value = [value]
    return value

class Odd(str):
    pass

def ask_all(context):
    threads = [threading.Thread(target=context.log, args=(f"line {n}",)) for n in range(20)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return len(threads)

ACTIONS = {
    "nan": lambda i, c: {"a": [1, math.nan]},
    "set": lambda i, c: {"a/b": {1, 2}},
    "bytes": lambda i, c: [b"x"],
    "big": lambda i, c: {"n": [2**53 + 1]},
    "exact": lambda i, c: 2**53,
    "deep": lambda i, c: deep(),
    "surrogate": lambda i, c: "\\ud83d",
    "odd": lambda i, c: Odd("text"),
    "sys.exit": lambda i, c: sys.exit(3),
    "os._exit": lambda i, c: os._exit(3),
    "segfault": lambda i, c: ctypes.string_at(0),
    "print": lambda i, c: print('{"r":1000000,"val":"forged"}'),
    "input": lambda i, c: input(),
    "threads": lambda i, c: ask_all(c),
    "echo": lambda i, c: i,
    "pid": lambda i, c: os.getpid(),
    "pickle": lambda i, c: pickle.loads(pickle.dumps(Point(1))).y,
    "child": lambda i, c: subprocess.Popen(["sleep", "60"]).pid,
    "interrupt": lambda i, c: (os.kill(os.getpid(), signal.SIGINT), time.sleep(0.05), "alive")[2],
    "imports": lambda i, c: __import__(i).__name__,
    "nested": lambda i, c: (c.storage.set("k", i).result(), c.storage.get("k").result())[1],
}

def run_action(id, input, context):
    return ACTIONS[id](input, context)

SEEN = []

def edit_messages(messages, state, context):
    text = messages[-1]["parts"][0]["text"]
    if text == "spin":
        while True:
            try:
                while True: pass
            except Exception:
                pass
    if text == "sleep":
        time.sleep(60)
    if text == "spin in C":
        context.log(f"spinning {os.getpid()}")
        sum(range(10**12))
    if text == "raise":
        raise LookupError("it is not here")
    if text == "coded":
        error = RuntimeError("slow down")
        error.code, error.status, error.retryable, error.retry_after = "RATE_LIMITED", 429, True, 2.5
        raise error
    if text == "change":
        state["x"] = 1
    return messages

async def finalize(finals, native, state, context):
    await asyncio.sleep(0)
    return finals, native, state
`

const STREAMS = `
import asyncio, time
kind = "provider"
name = "py"
LOG = []

def get_models(config):
    return ["broken", "endless", "async", "hung"]

def stream(native, state, context):
    return {"broken": broken, "endless": endless, "async": forever, "hung": hung}[context.config["model"]]()

def broken():
    yield {"type": "text-start", "id": "1"}
    yield {"type": "text-delta", "id": "1", "delta": "half"}
    raise ValueError("no more")

def endless():
    try:
        yield {"type": "text-start", "id": "1"}
        while True:
            yield {"type": "text-delta", "id": "1", "delta": "x"}
    finally:
        print("closed endless")

async def forever():
    try:
        yield {"type": "text-start", "id": "1"}
        yield {"type": "text-delta", "id": "1", "delta": "x"}
        await asyncio.sleep(3600)
    finally:
        print("closed async")

def hung():
    try:
        yield {"type": "text-start", "id": "1"}
        print("hanging")
        while True: time.sleep(0.05)
    finally:
        print("closed hung")
`

/** Keeps something of each request, and has a hook that hangs in C and one that comes after. */
const KEEPING = `
kind = "feature"
name = "keeping"

def init(config, state, context):
    context.local["kept"] = True
    return {**state, "wait": True}

def edit_messages(messages, state):
    text = messages[-1]["parts"][0]["text"]
    if text == "spin in C":
        print("spinning")
        sum(range(10**12))
    return messages

def initialize_request(native, state, context):
    return native, {**state, "kept": context.local["kept"]}
`

describe('pitfalls of Python plugins', function () {
  this.timeout(30_000)
  let folder: PythonFolder
  let host: Host

  before(async function () {
    await pythonOf(this)
  })
  beforeEach(async () => {
    folder = await PythonFolder.make()
    host = await folder.host([LAB, STREAMS], { provider: 'scripted' })
  })
  afterEach(() => folder.close())

  const act = (id: string, input: unknown = null) => host.runAction('lab', id, input)
  const pidOf = async () => (await act('pid')) as number

  async function failure(answer: Promise<unknown>): Promise<HostError> {
    const error = await answer.then(
      (value) => expect.fail(`it answered ${JSON.stringify(value)}`),
      (thrown: unknown) => thrown,
    )
    if (!HostError.is(error)) throw error
    return error
  }

  /** Whether an interpreter's main thread is in C. */
  const isBusy = (pid: number) => folder.log.some(({ message }) => message === `spinning ${pid}`)

  const say = (text: string, config: ConfigLayer = {}) => host.send(config, text)

  describe('values', () => {
    const WRONG: readonly (readonly [id: string, pointer: string, said: RegExp])[] = [
      ['nan', '/a/1', /nan is not a number in JSON/],
      ['set', '/a~1b', /JSON has no values of the type set; give a list/],
      ['bytes', '/0', /no values of the type bytes/],
      ['big', '/n/0', /beyond 2\^53/],
      ['deep', '/0'.repeat(501), /more than 500 levels/],
    ]
    for (const [id, pointer, said] of WRONG) {
      it(`are refused with their place: ${id}`, async () => {
        const pid = await pidOf()
        const error = await failure(act(id))
        expect(error).to.include({ code: 'PYTHON_ANSWER_INVALID', plugin: 'lab', pointer })
        expect(error.message).to.match(said)
        expect(await pidOf()).to.equal(pid)
      })
    }

    it('arrive as they are: the largest integer, half a character, kinds of str, a key "ffid"', async () => {
      expect(await act('exact')).to.equal(2 ** 53)
      expect(await act('surrogate')).to.equal('\ud83d')
      expect(await act('odd')).to.equal('text')
      expect(await act('echo', { ffid: 5, a: { ffid: '' } })).to.deep.equal({
        ffid: 5,
        a: { ffid: '' },
      })
    })

    it('arrive whole, a megabyte of them, and a thousand at once in their places', async () => {
      const text = 'é'.repeat(1 << 20)
      expect(await act('echo', text)).to.equal(text)
      const all = await Promise.all(Array.from({ length: 200 }, (_, at) => act('echo', at)))
      expect(all).to.deep.equal(all.map((_, at) => at))
    })

    it('of native and state cannot be changed in place', async () => {
      const error = await failure(say('change'))
      expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'lab', hook: 'editMessages' })
      expect(error.message).to.include('TypeError: native, state and config are read-only')
    })
  })

  describe('errors', () => {
    it('have type, message, place and the traceback of the plugin alone', async () => {
      const error = await failure(say('raise'))
      expect(error).to.include({ code: 'HOOK_FAILED', hook: 'editMessages', phase: 'prepare' })
      expect(error.message).to.include('LookupError: it is not here')
      const { name, stack } = error.cause as Error
      expect(name).to.equal('LookupError')
      expect(stack).to.include('in edit_messages').and.not.include('braidwork_bridge')
    })

    it('keep what they say of themselves', async () => {
      const error = await failure(say('coded'))
      const facts = { code: 'RATE_LIMITED', status: 429, retryable: true, retryAfter: 2.5 }
      expect(error).to.include({ ...facts, message: 'slow down' })
    })

    it('of a generator end the stream after what came before', async () => {
      const events = await collect(host.stream({ provider: 'py', model: 'broken' }, 'hi'))
      expect(events.map(({ type }) => type)).to.deep.equal([
        'start',
        'text-start',
        'text-delta',
        'text-end',
        'error',
      ])
      expect(events.at(-1))
        .to.have.nested.property('error.message')
        .that.includes('ValueError: no more')
    })
  })

  describe('ends', () => {
    it('of sys.exit() are an error, and the interpreter stays', async () => {
      const pid = await pidOf()
      expect((await failure(act('sys.exit'))).message).to.include('SystemExit: 3')
      expect(await pidOf()).to.equal(pid)
    })

    for (const [id, said] of [
      ['os._exit', 'exit status 3'],
      ['segfault', 'SIGSEGV'],
    ] as const) {
      it(`of the interpreter are told, and it starts again: ${id}`, async () => {
        const pid = await pidOf()
        const both = await Promise.all([
          failure(act(id)),
          failure(act('nested', 1)).catch(() => null),
        ])
        expect(both[0]).to.include({ code: 'PYTHON_CRASHED', plugin: 'lab', retryable: true })
        expect(both[0].message).to.include(said)
        expect(await pidOf()).to.not.equal(pid)
        expect((await say('hello')).status).to.equal('done')
      })
    }

    it('of the interpreter at the import of one plugin keep no other from being loaded', async () => {
      const ending = 'import os\nos._exit(3)\n'
      const well = (name: string) =>
        `kind = "feature"\nname = "${name}"\ndef run_action(id, input):\n    return id\n`
      const own = await folder.host([ending, well('one'), well('two')], { provider: 'scripted' })
      expect(await own.runAction('one', 'it', null)).to.equal('it')
      expect(await own.runAction('two', 'it', null)).to.equal('it')
      const { diagnostics } = await own.resolve()
      expect(diagnostics.map(({ code }) => code)).to.deep.equal(['PLUGIN_NOT_LOADED'])
    })

    it('that come too often turn the plugin off with a diagnostic, and nothing else', async () => {
      for (let count = 0; count < 6; count++) await failure(act('os._exit'))
      const { diagnostics, enabled } = await host.resolve({ provider: 'scripted' })
      expect(enabled.features).to.deep.equal([])
      expect(diagnostics.map(({ code, plugin }) => [code, plugin])).to.deep.equal([
        ['PLUGIN_THREW', 'lab'],
      ])
      expect(diagnostics[0]?.message).to.match(/ended too often and is not restarted for \d+ s/)
      expect((await say('hello')).status).to.equal('done')
    })

    it('of a request end what a plugin started, when the host closes', async () => {
      const child = (await act('child')) as number
      const pid = await pidOf()
      expect(isAlive(child)).to.equal(true)
      await host.close()
      expect([isAlive(pid), isAlive(child)]).to.deep.equal([false, false])
      expect(folder.log.filter(({ message }) => message.includes('ignored'))).to.deep.equal([])
    })
  })

  describe('hung hooks', () => {
    const limits = { limits: { hook: 0.3 } }

    for (const text of ['spin', 'sleep']) {
      it(`are interrupted, and the interpreter stays: ${text}`, async () => {
        const pid = await pidOf()
        const error = await failure(say(text, limits))
        expect(error).to.include({ code: 'TIMEOUT', plugin: 'lab', hook: 'editMessages' })
        expect((await say('hello')).status).to.equal('done')
        expect(await pidOf()).to.equal(pid)
      })
    }

    it('in C are ended with their interpreter, which starts again', async () => {
      const pid = await pidOf()
      expect((await failure(say('spin in C', limits))).code).to.equal('TIMEOUT')
      expect((await say('hello')).status).to.equal('done')
      expect(await pidOf()).to.not.equal(pid)
    })

    it('in C hold up other requests, which run in the next interpreter where their turn had not come', async () => {
      const pid = await pidOf()
      const hung = failure(say('spin in C', limits))
      const others = Promise.all(['one', 'two', 'three'].map((text) => say(text)))
      expect((await hung).code).to.equal('TIMEOUT')
      expect((await others).map(({ status }) => status)).to.deep.equal(['done', 'done', 'done'])
      expect(await pidOf()).to.not.equal(pid)
    })

    it('in C take no time from requests that wait for them, whose limit is the same', async () => {
      const pid = await pidOf()
      const hung = failure(say('spin in C', limits))
      const others = Promise.all(['one', 'two', 'three'].map((text) => say(text, limits)))
      expect((await hung).code).to.equal('TIMEOUT')
      expect((await others).map(({ status }) => status)).to.deep.equal(['done', 'done', 'done'])
      expect(await pidOf()).to.not.equal(pid)
    })

    it('in C hold up hooks that have a thread each, which run in the next interpreter too', async () => {
      const pid = await pidOf()
      const hung = failure(say('spin in C', limits))
      while (!isBusy(pid)) await new Promise(setImmediate)
      const waiting = Promise.all([act('echo', 1), act('pid'), act('nested', 2)])
      expect((await hung).code).to.equal('TIMEOUT')
      const [echoed, other, nested] = await waiting
      expect([echoed, nested]).to.deep.equal([1, 2])
      expect(other).to.not.equal(pid)
    })

    it('in C fail requests of which their interpreter kept something', async () => {
      let isAsked: () => void = () => undefined
      const asked = new Promise<void>((resolve) => {
        isAsked = resolve
      })
      let open: () => void = () => undefined
      const gate = new Promise<void>((resolve) => {
        open = resolve
      })
      const waiting = {
        kind: 'feature',
        name: 'waiting',
        initializeRequest: async (native: unknown, state: { wait?: boolean }) => {
          if (state.wait) {
            isAsked()
            await gate
          }
          return [native, state]
        },
      }
      const own = await folder.host([waiting, KEEPING], { provider: 'scripted' })
      const kept = failure(own.send({}, 'wait'))
      await asked
      const hung = failure(own.send(limits, 'spin in C'))
      while (!folder.log.some(({ message }) => message === 'spinning')) {
        await new Promise(setImmediate)
      }
      open()
      expect((await hung).code).to.equal('TIMEOUT')
      expect(await kept).to.include({ code: 'PYTHON_CRASHED', plugin: 'keeping', retryable: true })
    })
  })

  describe('cancelling', () => {
    /** Whether a plugin prints a line within some seconds. */
    async function says(line: string): Promise<boolean> {
      const end = Date.now() + 5000
      const isSaid = () => folder.log.some(({ message }) => message === line)
      while (!isSaid() && Date.now() < end) await new Promise(setImmediate)
      return isSaid()
    }

    for (const model of ['endless', 'async']) {
      it(`closes a generator, whose finally runs: ${model}`, async () => {
        const stream = host.stream({ provider: 'py', model }, 'hi')
        for await (const event of stream) {
          if (event.type === 'text-start') break
        }
        expect((await stream.result).status).to.equal('aborted')
        expect(await says(`closed ${model}`)).to.equal(true)
      })
    }

    it('closes a generator that hangs, and its finally runs', async () => {
      const stream = host.stream({ provider: 'py', model: 'hung' }, 'hi')
      const events = stream[Symbol.asyncIterator]()
      for (let type = ''; type !== 'text-start'; ) type = (await events.next()).value?.type ?? ''
      // The generator hangs once it is asked for more.
      const more = events.next()
      expect(await says('hanging')).to.equal(true)
      await events.return?.()
      await more
      expect((await stream.result).status).to.equal('aborted')
      expect(await says('closed hung')).to.equal(true)
    })
  })

  describe('what plugins do beside', () => {
    it('print goes to the log, and forges no answer', async () => {
      expect(await act('print')).to.equal(undefined)
      await pidOf()
      expect(folder.log.map(({ message }) => message)).to.include('{"r":1000000,"val":"forged"}')
    })

    it('input has nothing to read', async () => {
      expect((await failure(act('input'))).message).to.include('EOFError')
    })

    it('threads may log at once', async () => {
      expect(await act('threads')).to.equal(20)
      const lines = folder.log.filter(({ message }) => message.startsWith('line '))
      expect(lines).to.have.length(20)
    })

    it('questions to the host come back to who asked, in any order', async () => {
      const all = await Promise.all([1, 2, 3, 4, 5].map((at) => act('nested', at)))
      expect(all.every((value) => typeof value === 'number')).to.equal(true)
    })

    it('an interrupt from the terminal is the host’s business', async () => {
      expect(await act('interrupt')).to.equal('alive')
    })

    it('dataclasses and pickles find their module', async () => {
      expect(await act('pickle')).to.equal(2)
    })

    for (const name of ['proxy', 'ws', 'Bridge', 'interface']) {
      it(`imports are its own: "${name}" is not pythonia’s`, async () => {
        expect((await failure(act('imports', name))).message).to.include('ModuleNotFoundError')
      })
    }
  })
})
