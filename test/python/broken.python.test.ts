import { expect } from 'chai'
import type { Host } from '../../src/core/host/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import { shareOfCommit } from '../helpers/cases.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

/** Ways to break an interpreter for all who are in it, by the last word of a request. */
const BREAKING = `
import _thread, asyncio, builtins, gc, json, os, resource, signal, sys, threading

kind = "feature"
name = "breaking"

def refuse(*args, **keywords):
    raise RuntimeError("it was taken away")

def depth():
    frame, count = sys._getframe(), 0
    while frame: frame, count = frame.f_back, count + 1
    return count

def fork():
    if os.fork() == 0:
        return

def patch_threads():
    threading.Thread.start = lambda self: None

def no_memory_for_threads():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 20, resource.RLIM_INFINITY))

WAYS = {
    "len": lambda: setattr(builtins, "len", refuse),
    "isinstance": lambda: setattr(builtins, "isinstance", lambda value, kind: False),
    "getattr": lambda: delattr(builtins, "getattr"),
    "print": lambda: setattr(builtins, "print", refuse),
    "open": lambda: setattr(builtins, "open", lambda *args: None),
    "import": lambda: setattr(builtins, "__import__", refuse),
    "all-builtins": lambda: vars(builtins).clear(),
    "recursion-limit": lambda: sys.setrecursionlimit(depth() + 10),
    "modules": lambda: sys.modules.clear(),
    "stdout": lambda: sys.stdout.close(),
    "stdout-descriptor": lambda: os.close(1),
    "json": lambda: [setattr(json, name, refuse) for name in ("dumps", "loads", "JSONEncoder")],
    "json-class": lambda: [setattr(json.JSONEncoder, name, refuse) for name in ("encode", "iterencode", "default")],
    "new-threads": lambda: [setattr(_thread, "start_new_thread", refuse), setattr(threading, "_start_new_thread", refuse)],
    "thread-class": patch_threads,
    "thread-memory": no_memory_for_threads,
    "socket": lambda: os.closerange(3, 64),
    "signals": lambda: [signal.signal(one, signal.SIG_IGN) for one in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM)],
    "environment": lambda: os.environ.clear(),
    "collector": lambda: (gc.disable(), gc.set_threshold(0)),
    "fork": fork,
    "exit-functions": lambda: setattr(os, "_exit", refuse),
    "loop-stopped": lambda: asyncio.get_running_loop().stop(),
    "loop-closed": lambda: (asyncio.get_running_loop().stop(), setattr(asyncio.get_running_loop(), "run_forever", refuse)),
}

def edit_messages(messages, state):
    _, where, way = messages[-1]["parts"][0]["text"].split(" ")
    if where == "inline":
        WAYS[way]()
    return messages

async def finalize(finals, native, state):
    return finals, native, state


def run_action(id, input):
    WAYS[input]()

`

/** The same ways, in a hook on the event loop. */
const ASYNC = `
import sys
kind = "feature"
name = "breaking-async"

async def run_action(id, input):
    ways = next(module.WAYS for module in list(sys.modules.values()) if hasattr(module, "WAYS"))
    ways[input]()
`

/** Another plugin of the same interpreter, which uses what it may count on, on each of its sides. */
const INNOCENT = `
import asyncio, os, threading

kind = "feature"
name = "innocent"

def deep(left):
    return left if left == 0 else deep(left - 1)

def work():
    print(len("four"), isinstance(1, int), getattr(os, "sep"))
    with open(os.devnull) as file:
        file.read()
    import string
    thread = threading.Thread(target=deep, args=(100,))
    thread.start()
    thread.join(10)
    assert deep(300) == 0 and not thread.is_alive()
    return os.getpid()

def edit_messages(messages, state):
    work()
    return messages

async def finalize(finals, native, state):
    await asyncio.sleep(0)
    work()
    return finals, native, state

def run_action(id, input):
    return work()
`

const WAYS = [...BREAKING.matchAll(/^ {4}"([\w-]+)": /gm)].map(([, way = '']) => way)

describe('an interpreter that a plugin has broken', function () {
  this.timeout(30_000)
  let folder: PythonFolder
  let host: Host
  eachPythonFolder((made) => {
    folder = made
  })
  beforeEach(async () => {
    const limits = { hook: 5 }
    host = await folder.host([BREAKING, ASYNC, INNOCENT], { provider: 'scripted', limits })
  })

  const PLACES: readonly (readonly [title: string, run: (way: string) => Promise<unknown>])[] = [
    ['on the main thread', (way) => host.send({}, `break inline ${way}`)],
    ['in a thread', (way) => host.runAction('breaking', 'it', way)],
    ['on the event loop', (way) => host.runAction('breaking-async', 'it', way)],
  ]

  /** What is wrong with a request, or nothing; no other error than the host's may come of one. */
  async function faultOf(answer: Promise<unknown>): Promise<HostError | undefined> {
    try {
      await answer
      return undefined
    } catch (error) {
      if (HostError.is(error)) return error
      throw error
    }
  }

  async function useAll(): Promise<void> {
    expect((await host.send({}, 'break nothing now')).status).to.equal('done')
    await host.runAction('innocent', 'it', null)
  }

  // Each way is tried in one of the places, in another one for another commit.
  for (const [at, [title, run]] of PLACES.entries()) {
    for (const way of shareOfCommit(WAYS, PLACES.length, at)) {
      it(`serves the next request but one, at the latest: ${way}, ${title}`, async () => {
        await useAll()
        await faultOf(run(way))
        await faultOf(useAll())
        await useAll()
      })
    }
  }

  it('fails the request that broke it with an error that says so', async () => {
    const fault = await faultOf(host.runAction('breaking', 'it', 'len'))
    expect(fault).to.include({ code: 'PYTHON_CRASHED', plugin: 'breaking', retryable: true })
    expect(fault?.message).to.include(
      'a plugin has broken this interpreter: the builtin "len" was replaced',
    )
  })

  it('has in the log alone what a hook failed with because of it', async () => {
    await faultOf(host.runAction('breaking', 'it', 'print'))
    const fault = await faultOf(host.runAction('innocent', 'it', null))
    expect(fault).to.include({ code: 'PYTHON_CRASHED', plugin: 'innocent' })
    expect(fault?.message).to.not.include('it was taken away')
    expect(folder.log.map(({ message }) => message)).to.include('RuntimeError: it was taken away')
    expect(fault?.message).to.include('the builtin "print" was replaced, and does not work')
  })
})
