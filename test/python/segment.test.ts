import { expect } from 'chai'
import { stream } from '../../src/core/chain/index.ts'
import { resolve } from '../../src/core/resolve/resolve.ts'
import type { Config } from '../../src/plugin/config.ts'
import type { HostError } from '../../src/plugin/errors.ts'
import type { AnyPlugin } from '../../src/plugin/plugin.ts'
import { PythonPlugins } from '../../src/python/index.ts'
import { pythonOf } from '../helpers/python.ts'
import { PythonFolder } from '../helpers/python-hosts.ts'

/** An extension that marks each delta as it comes by, and again on its way to core. */
function marking(name: string, more = ''): string {
  return `
kind = "extension"
name = "${name}"

def process_chunk(chunk, partials, finals, native, state, context):
    seen = context.local["seen"] = context.local.get("seen", 0) + 1
    ${more || 'pass'}
    marked = [{**one, "delta": one["delta"] + "${name}"} for one in partials]
    return marked, finals, native, {**state, "${name}": seen}

def from_native(natives, core):
    return [{**one, "delta": one.get("delta", "") + "${name}".upper()} for one in core]

def finalize(finals, native, state, context):
    return [*finals, {"role": "user", "parts": [], "seen": context.local.get("seen")}], native, state
`
}

/** The same in TypeScript. */
function markingHere(name: string): AnyPlugin {
  type Delta = { readonly delta: string }
  return {
    kind: 'extension',
    name,
    processChunk: (_chunk: unknown, partials: Delta[], ...rest: unknown[]) => [
      partials.map((one) => ({ ...one, delta: one.delta + name })),
      ...rest,
    ],
    fromNative: (_natives: unknown, core: Delta[]) =>
      core.map((one) => ({ ...one, delta: one.delta + name.toUpperCase() })),
  }
}

const CHUNKS = Array.from({ length: 10 }, (_, at) => ({ delta: String(at) }))

/** A provider whose chunks come one by one, or all together. */
function chunks(given: readonly unknown[] = CHUNKS, more: object = {}): AnyPlugin {
  return {
    kind: 'provider',
    name: 'p',
    stream: () => given,
    finalize: (native: unknown, state: unknown) => [[], native, state],
    ...more,
  }
}

const PROVIDER = `
kind = "provider"
name = "p"

def stream(native, state):
    yield [{"delta": str(n)} for n in range(10)]

def process_chunk(chunk, native, state, context):
    context.local["text"] = context.local.get("text", "") + chunk["delta"]
    return [chunk], [], native, state

def finalize(native, state, context):
    return [{"role": "assistant", "parts": [], "text": context.local["text"]}], native, state
`

describe('neighboring Python plugins', function () {
  this.timeout(20_000)
  let folder: PythonFolder
  let python: PythonPlugins

  before(async function () {
    await pythonOf(this)
    python = new PythonPlugins({ log: () => undefined })
  })
  after(() => python?.close())
  beforeEach(async () => {
    folder = await PythonFolder.make()
  })
  afterEach(() => folder.close())

  /** Streams, and counts the crossings between its first chunk and what comes after its last. */
  async function ran(plugins: readonly (AnyPlugin | string)[], config: Config = {}) {
    const loaded = await Promise.all(
      plugins.map(async (plugin, at) =>
        typeof plugin === 'string'
          ? python.load(await folder.write(`plugin_${at}.py`, plugin))
          : plugin,
      ),
    )
    const resolved = await resolve(loaded, config)
    const over = new AbortController()
    const request = { plugins: resolved.plugins, config, messages: [], scope: over.signal }
    const before = python.counts.crossings
    const deltas: string[] = []
    try {
      const outcome = await stream({ ...request, partials: 'events' }, (list) => {
        deltas.push(...(list as { delta: string }[]).map(({ delta }) => delta))
        return undefined
      })
      return { deltas, crossings: python.counts.crossings - before, outcome }
    } catch (error) {
      return { deltas, crossings: 0, error: error as HostError }
    } finally {
      over.abort()
    }
  }

  const marked = (marks: string) => CHUNKS.map(({ delta }) => delta + marks)
  /** Of each plugin after the last chunk: `finalize`, and `from_native` of the finals. */
  const FINALS = 2

  for (const count of [1, 3]) {
    it(`are crossed to once a chunk, for both of their hooks: ${count}`, async () => {
      const names = ['a', 'b', 'c'].slice(0, count)
      const { deltas, crossings, outcome } = await ran([
        chunks(),
        ...names.map((name) => marking(name)),
      ])
      expect(deltas).to.deep.equal(marked(names.join('') + names.join('').toUpperCase()))
      expect(crossings).to.equal(10 + count * FINALS)
      expect(outcome?.state).to.deep.equal(Object.fromEntries(names.map((name) => [name, 10])))
    })
  }

  it('of async code are crossed to once a chunk too, apart from those that wait for nothing', async () => {
    const async = (name: string) =>
      marking(name, 'await asyncio.sleep(0)')
        .replaceAll('\ndef ', '\nasync def ')
        .replace('\n', '\nimport asyncio\n')
    const { deltas, crossings, outcome } = await ran([
      chunks(),
      async('a'),
      async('b'),
      marking('c'),
      marking('d'),
    ])
    expect(deltas).to.deep.equal(marked('abcdABCD'))
    // a and b; c and d; a and b on the way to core; c and d.
    expect(crossings).to.equal(10 * 4 + 4 * FINALS)
    expect(outcome?.state).to.deep.equal({ a: 10, b: 10, c: 10, d: 10 })
  })

  it('have the limit of the hook that is run: a plugin that only converts to core has that of `hook`', async () => {
    const slow = `
kind = "extension"
name = "slow"

def from_native(natives, core):
    import time
    time.sleep(0.3)
    return core
`
    const limited = (limits: object) => ran([chunks(CHUNKS.slice(0, 1)), slow], { limits })
    const { deltas } = await limited({ hook: 10, process_chunk: 0.1 })
    expect(deltas).to.deep.equal(['0'])
    const { error } = await limited({ hook: 0.1, process_chunk: 10 })
    expect(error).to.include({ code: 'TIMEOUT', plugin: 'slow', hook: 'fromNative' })
  })

  it('of async code fail by their own names', async () => {
    const failing = marking('b', 'if seen == 3: raise LookupError("third")')
    const { deltas, error } = await ran([
      chunks(),
      marking('a').replaceAll('\ndef ', '\nasync def '),
      failing.replaceAll('\ndef ', '\nasync def '),
    ])
    expect(deltas).to.deep.equal(marked('abAB').slice(0, 2))
    expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'b', hook: 'processChunk' })
  })

  it('with one of the other language between are as many segments', async () => {
    const { deltas, crossings } = await ran([
      chunks(),
      marking('a'),
      markingHere('x'),
      marking('b'),
    ])
    expect(deltas).to.deep.equal(marked('axbAXB'))
    // a; b and then a on the way to core; b on the way to core.
    expect(crossings).to.equal(10 * 3 + 2 * FINALS)
  })

  it('are crossed to once for chunks that came together, where nothing else sees them', async () => {
    const { deltas, crossings } = await ran([chunks([CHUNKS]), marking('a'), marking('b')])
    expect(deltas).to.deep.equal(marked('abAB'))
    expect(crossings).to.equal(1 + 2 * FINALS)
  })

  it('have a Python provider among them', async () => {
    const { deltas, crossings, outcome } = await ran([PROVIDER, marking('a')])
    expect(deltas).to.deep.equal(marked('aA'))
    // To open the stream, for its chunks, and at the end, where the provider has `finalize` alone.
    expect(crossings).to.equal(1 + 1 + 1 + FINALS)
    expect(outcome?.finals[0]).to.have.property('text', '0123456789')
  })

  it('fail by their own names, after what the chunks before came to', async () => {
    const failing = marking('b', 'if seen == 3: raise LookupError("third")')
    for (const given of [CHUNKS, [CHUNKS]]) {
      const { deltas, error } = await ran([chunks(given), marking('a'), failing])
      expect(deltas).to.deep.equal(marked('abAB').slice(0, 2))
      expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'b', hook: 'processChunk' })
      expect(error?.message).to.include('LookupError: third')
    }
  })

  it('that answer with what is no answer fail as any other', async () => {
    const wrong = marking('b', 'return partials')
    const { error } = await ran([chunks(), marking('a'), wrong])
    expect(error).to.include({ code: 'HOOK_ANSWER_INVALID', plugin: 'b', phase: 'partials' })
    expect(error?.message).to.include(
      'it answered an array of 1, but the answer must be [partials,',
    )
  })
})
