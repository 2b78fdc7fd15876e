import { expect } from 'chai'
import { stream } from '../../../src/core/chain/index.ts'
import { MemoryValues } from '../../../src/core/storage.ts'
import { createContexts } from '../../../src/plugin/context.ts'
import { useController } from '../../helpers/early-end.ts'
import {
  caller,
  errorOf,
  eventProvider,
  extension,
  feature,
  logged,
  passing,
  provider,
  requestOf,
  sendTo,
  streamTo,
} from '../../helpers/plugins.ts'

type State = { readonly [key: string]: unknown }
type List = readonly unknown[]

const note = (item: unknown) => (upstream: List) => [...upstream, item]
/** An extension's or a feature's `fromNative` that adds an item to the list. */
const sign = (item: unknown) => (_natives: unknown, core: List) => note(item)(core)
const message = (text: string) => ({ role: 'assistant', parts: [{ type: 'text', text }] })

describe('send', () => {
  it("CL-35 asks the provider's call with native and state, and shows its answer to nobody else", async () => {
    const log: string[] = []
    const seen: unknown[] = []
    const call = (...args: unknown[]) => {
      seen.push(args.slice(0, 2))
      return [['a partial'], ['final'], 'native after', { after: true }]
    }
    const plugins = [
      caller('p', [], { call, toNative: () => 'native', init: () => ({ before: true }) }),
      passing('extension', 'e'),
      passing('feature', 'f'),
    ]
    const outcome = await sendTo(plugins.map((plugin) => logged(log, plugin)))
    expect(seen).to.deep.equal([['native', { before: true }]])
    expect(outcome).to.deep.include({
      finals: ['final'],
      native: 'native after',
      state: { after: true },
    })
    const atCall = log.indexOf('p.call')
    expect(log.slice(atCall + 1)).to.deep.equal([
      'e.finalize',
      'f.finalize',
      'e.fromNative',
      'f.fromNative',
    ])
  })

  it("CL-36 puts the provider's further finals after the call's, then asks extensions and features", async () => {
    const finalize = (name: string) => (finals: List, native: unknown, state: State) => [
      note(name)(finals),
      `${String(native)} ${name}`,
      { ...state, [name]: finals.length },
    ]
    const outcome = await sendTo([
      feature('f', { finalize: finalize('f') }),
      extension('e', { finalize: finalize('e') }),
      caller('p', ['of call'], {
        toNative: () => 'native',
        finalize: (native: unknown, state: State) => [['late'], native, { ...state, p: true }],
      }),
    ])
    expect(outcome).to.deep.include({
      finals: ['of call', 'late', 'e', 'f'],
      native: 'native e f',
      state: { p: true, e: 2, f: 3 },
    })
  })

  it("CL-37 makes finals core: the provider's fromNative with the state, then the others' with what came of it", async () => {
    const seen: unknown[] = []
    const fromNative = (name: string) => (natives: List, upstream: unknown) => {
      seen.push([name, natives, upstream])
      return name === 'p' ? ['core'] : note(name)(upstream as List)
    }
    const { finals } = await sendTo([
      feature('f', { fromNative: fromNative('f') }),
      caller('p', ['native'], { fromNative: fromNative('p'), init: () => ({ is: 'state' }) }),
      extension('e', { fromNative: fromNative('e') }),
    ])
    expect(finals).to.deep.equal(['core', 'e', 'f'])
    expect(seen).to.deep.equal([
      ['p', ['native'], { is: 'state' }],
      ['e', ['native'], ['core']],
      ['f', ['native'], ['core', 'e']],
    ])
  })
})

describe('stream', () => {
  it('CL-38 gives each chunk to the provider, then to each extension, in order', async () => {
    const seen: unknown[] = []
    const look =
      (name: string) =>
      (chunk: unknown, ...[partials, finals, native, state]: unknown[]) => {
        seen.push([name, chunk, partials, finals])
        return [note(name)(partials as List), finals, native, state]
      }
    const { partials } = await streamTo([
      extension('e2', { processChunk: look('e2') }),
      provider('p', { words: ['one', 'two'] }),
      extension('e1', { processChunk: look('e1') }),
    ])
    expect(seen).to.deep.equal([
      ['e2', 'one', [{ delta: 'one' }], []],
      ['e1', 'one', [{ delta: 'one' }, 'e2'], []],
      ['e2', 'two', [{ delta: 'two' }], []],
      ['e1', 'two', [{ delta: 'two' }, 'e2'], []],
    ])
    expect(partials).to.deep.equal([
      [{ delta: 'one' }, 'e2', 'e1'],
      [{ delta: 'two' }, 'e2', 'e1'],
    ])
  })

  it('CL-38 hands native and state from chunk to chunk, through provider and extensions', async () => {
    const step =
      (name: string) =>
      (...args: unknown[]) => {
        const [native, state] = args.slice(name === 'p' ? 1 : 3) as [List, State]
        const [partials, finals] = name === 'p' ? [[], []] : (args.slice(1, 3) as [List, List])
        return [partials, finals, note(name)(native), { ...state, [name]: native.length }]
      }
    const { outcome } = await streamTo([
      provider('p', { processChunk: step('p'), finalize: undefined, words: ['one', 'two'] }),
      extension('e', { processChunk: step('e') }),
    ])
    expect(outcome.native).to.deep.equal(['p', 'e', 'p', 'e'])
    expect(outcome.state).to.deep.equal({ p: 2, e: 3 })
  })

  it('CL-38 gives chunks that arrived together one by one', async () => {
    const words = [['one', 'two'], 'three', [], Array.from({ length: 200 }, (_, at) => `w${at}`)]
    const { partials, outcome } = await streamTo([provider('p', { words })])
    const flat = words.flat()
    expect(partials.flat()).to.deep.equal(flat.map((delta) => ({ delta })))
    expect(outcome.finals).to.deep.equal([{ text: flat.join(' ') }])
  })

  it('CL-39 runs no feature per chunk', async () => {
    const log: string[] = []
    const plugins = [
      provider('p', { words: ['a', 'b', 'c'] }),
      passing('extension', 'e'),
      passing('feature', 'f'),
    ]
    await streamTo(plugins.map((plugin) => logged(log, plugin)))
    const first = log.indexOf('p.processChunk')
    const last = log.lastIndexOf('p.processChunk')
    const during = log.slice(first, last + 1).filter((entry) => entry.startsWith('f.'))
    expect(during).to.deep.equal([])
    expect(log.filter((entry) => entry === 'f.fromNative')).to.have.length(1)
    expect(log.filter((entry) => entry === 'e.fromNative')).to.have.length(4)
  })

  it("CL-39 turns partials core through the provider's and its extensions' fromNative only", async () => {
    const { partials, outcome } = await streamTo([
      provider('p', { words: ['a'], fromNative: (natives: List) => note('p')(natives) }),
      extension('e', { fromNative: sign('e') }),
      feature('f', { fromNative: sign('f') }),
    ])
    expect(partials).to.deep.equal([[{ delta: 'a' }, 'p', 'e']])
    expect(outcome.finals).to.deep.equal([{ text: 'a' }, 'p', 'e', 'f'])
  })

  it('CL-39 yields nothing for a chunk that left no partial', async () => {
    const log: string[] = []
    const mute = (chunk: unknown, _partials: unknown, ...rest: unknown[]) => [
      chunk === 'b' ? ['b'] : [],
      ...rest,
    ]
    const plugins = [
      provider('p', { words: ['a', 'b'] }),
      logged(log, extension('e', { processChunk: mute, fromNative: sign('e') })),
    ]
    expect((await streamTo(plugins)).partials).to.deep.equal([['b', 'e']])
    expect(log.filter((entry) => entry === 'e.fromNative')).to.have.length(2)
  })

  it('CL-40 ends as send does: finalize, then fromNative, of all', async () => {
    const endOf = async (trip: typeof sendTo | typeof streamTo) => {
      const log: string[] = []
      const both = provider('p', {
        call: caller('c', [])['call'],
        fromNative: (natives: List) => natives,
      })
      const plugins = [both, passing('extension', 'e'), passing('feature', 'f')]
      await trip(plugins.map((plugin) => logged(log, plugin)))
      return log.slice(log.indexOf('p.finalize'))
    }
    const expected = [
      'p.finalize',
      'e.finalize',
      'f.finalize',
      'p.fromNative',
      'e.fromNative',
      'f.fromNative',
    ]
    expect(await endOf(streamTo)).to.deep.equal(expected)
    expect(await endOf(sendTo)).to.deep.equal(expected)
  })

  it("CL-41 keeps the finals that chunks left, in order, before finalize's", async () => {
    const processChunk = (chunk: string, native: unknown, state: State) => [
      [],
      [`early ${chunk}`],
      native,
      state,
    ]
    const add = (chunk: string, partials: List, finals: List, ...turn: unknown[]) => [
      partials,
      note(`added ${chunk}`)(finals),
      ...turn,
    ]
    const { outcome } = await streamTo([
      provider('p', {
        words: ['a', 'b'],
        processChunk,
        finalize: (native: unknown, state: State) => [['late'], native, state],
      }),
      extension('e', { processChunk: add }),
    ])
    expect(outcome.finals).to.deep.equal(['early a', 'added a', 'early b', 'added b', 'late'])
  })

  it('CL-42 ends in the same core finals as send, for the same answer', async () => {
    const text = (state: State) => ({ ...state, text: 'one two' })
    const plugins = [
      provider('p', {
        words: ['one', 'two'],
        call: (native: unknown, state: State) => [[], [], native, text(state)],
        fromNative: (natives: readonly State[]) =>
          natives.map((own) => ({ role: 'assistant', ...own })),
      }),
      extension('e', { fromNative: sign('e') }),
      feature('f', {
        finalize: (finals: List, native: unknown, state: State) => [
          note({ text: 'f' })(finals),
          native,
          state,
        ],
      }),
    ]
    const { outcome } = await streamTo(plugins)
    const sent = await sendTo(plugins)
    expect(outcome.finals).to.deep.equal(sent.finals)
    expect(outcome.finals).to.deep.equal([
      { role: 'assistant', text: 'one two' },
      { role: 'assistant', text: 'f' },
      'e',
    ])
  })

  it('CL-44 asks per chunk nothing of extensions without a hook for chunks', async () => {
    const log: string[] = []
    const idle = logged(log, extension('idle', { init: (_: unknown, state: State) => state }))
    await streamTo([provider('p', { words: ['a', 'b'] }), idle])
    expect(log).to.deep.equal(['idle.init'])
  })
})

describe('a provider with one of call and stream', () => {
  it('CL-45 that has call alone streams each final as start, one delta, end, after finalize', async () => {
    const log: string[] = []
    const both = [
      caller('p', [message('hi'), message('there')], { processChunk: () => [[], [], [], {}] }),
      passing('extension', 'e', { fromNative: (_: unknown, core: List) => core }),
      feature('f', {
        finalize: (finals: List, native: unknown, state: State) => [
          finals.slice(0, 1),
          native,
          state,
        ],
      }),
    ]
    const { partials, outcome } = await streamTo(
      both.map((plugin) => logged(log, plugin)),
      {},
      { partials: 'events' },
    )
    expect(partials).to.deep.equal([
      [
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'hi' },
        { type: 'text-end', id: '0' },
      ],
    ])
    expect(outcome.finals).to.deep.equal([message('hi')])
    expect(log).to.not.include('p.processChunk').and.not.include('e.processChunk')
  })

  it('CL-45 that has stream alone is drained by send, chunk hooks included', async () => {
    const upper = (
      _chunk: unknown,
      partials: List,
      finals: List,
      native: unknown,
      state: State,
    ) => [partials, finals, native, { ...state, text: String(state['text']).toUpperCase() }]
    const plugins = [
      provider('p', { words: ['one', 'two'] }),
      extension('e', { processChunk: upper }),
    ]
    expect((await sendTo(plugins)).finals).to.deep.equal([{ text: 'ONE TWO' }])
  })

  it('CL-45 that has both uses each for its own', async () => {
    const log: string[] = []
    const both = logged(
      log,
      provider('p', { call: () => [[], ['called'], [], {}], finalize: undefined }),
    )
    expect((await sendTo([both])).finals).to.deep.equal(['called'])
    expect(log).to.deep.equal(['p.call'])
    await streamTo([both])
    expect(log).to.include('p.stream')
    expect(log.filter((entry) => entry === 'p.call')).to.have.length(1)
  })

  it('CL-45 needs no other hook: everything passes through', async () => {
    const sent = await sendTo([caller('p', [message('hi')])], {}, { messages: ['core'] })
    expect(sent).to.deep.include({ finals: [message('hi')], native: ['core'], state: {} })
    const plugins = [eventProvider(['a', 'b']), extension('e'), feature('f')]
    const { partials, outcome } = await streamTo(plugins, {}, { messages: ['core'] })
    expect(partials).to.deep.equal([['a'], ['b']])
    expect(outcome).to.deep.include({ finals: [], native: ['core'], state: {} })
  })

  it('CL-45 that only yields events leaves the gathering of its final to the chain', async () => {
    const events = [
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'h' },
      { type: 'text-delta', id: '0', delta: 'i' },
      { type: 'text-end', id: '0' },
    ]
    for (const trip of [sendTo, streamTo]) {
      const answered = await trip([eventProvider(events)], {}, { partials: 'events' })
      const { finals } = 'outcome' in answered ? answered.outcome : answered
      expect(finals).to.deep.equal([message('hi')])
    }
  })
})

describe('partials that are events', () => {
  it("are made by the provider's processChunk, and seen by its extensions' fromNative only", async () => {
    const log: string[] = []
    const plugins = [
      provider('p', { words: ['a'], fromNative: () => [message('a')] }),
      extension('e', { fromNative: sign(message('e')) }),
    ]
    const { partials } = await streamTo(
      plugins.map((own) => logged(log, own)),
      {},
      { partials: 'events' },
    )
    expect(partials).to.deep.equal([[{ delta: 'a' }, message('e')]])
    expect(log.filter((entry) => entry === 'p.fromNative')).to.have.length(1)
  })
})

describe('the context of a hook', () => {
  it('comes last, is the same for a plugin in a phase, and tells partials from finals', async () => {
    const seen: [string, unknown][] = []
    const look =
      (name: string) =>
      (...args: unknown[]) => {
        const { phase, requestId } = args.at(-1) as { phase: string; requestId: string }
        seen.push([`${name} ${phase}`, requestId])
        return args[1]
      }
    const plugins = [
      provider('p', { words: ['a'] }),
      extension('e', { init: look('init'), fromNative: look('fromNative') }),
    ]
    await streamTo(plugins)
    expect(seen.map(([what]) => what)).to.deep.equal([
      'init prepare',
      'fromNative partials',
      'fromNative finals',
    ])
  })

  it('has one local for a plugin, from init to the end of the request, and a new one for the next', async () => {
    const seen: unknown[] = []
    const init = (...args: unknown[]) => {
      const { local } = args.at(-1) as { local: Map<string, unknown> }
      seen.push(local.get('count'))
      local.set('count', 1)
      return {}
    }
    const fromNative = (...args: unknown[]) => {
      seen.push((args.at(-1) as { local: Map<string, unknown> }).local.get('count'))
      return args[1]
    }
    const plugins = [caller('p', []), feature('f', { init, fromNative })]
    await sendTo(plugins)
    await sendTo(plugins)
    expect(seen).to.deep.equal([undefined, 1, undefined, 1])
  })

  it('is what the request gives, where it gives one', async () => {
    const warnings: string[] = []
    const storage = new MemoryValues()
    const contextOf = createContexts({
      signal: new AbortController().signal,
      log: () => undefined,
      warn: (plugin, text) => void warnings.push(`${plugin}: ${text}`),
      emit: () => undefined,
      configOf: () => ({}),
      settingsOf: () => ({}),
      tags: new Set(),
      modelInfo: {},
      storageOf: (plugin) => storage.storageOf(plugin),
    })
    const call = (native: unknown, state: State, context: { warn(text: string): void }) => {
      context.warn('top_p is ignored')
      return [[], [], native, state]
    }
    await sendTo([caller('p', [], { call })], {}, { contextOf })
    expect(warnings).to.deep.equal(['p: top_p is ignored'])
  })
})

describe('a request that ends early', () => {
  const freshController = useController()
  let controller: AbortController
  let closed = 0
  beforeEach(() => {
    controller = freshController()
    closed = 0
  })

  async function* words() {
    try {
      for (const word of ['one', 'two', 'three']) yield word
    } finally {
      closed++
    }
  }
  const cancelling = (more: object = {}) => ({ signal: controller.signal, ...more })

  it('by a cancel closes the stream of the provider, and runs no finalize', async () => {
    const log: string[] = []
    const plugins = [
      logged(log, provider('p', { stream: words })),
      logged(log, passing('feature', 'f')),
    ]
    const run = stream(await requestOf(plugins, {}, cancelling()), () => {
      controller.abort('enough')
      return undefined
    })
    expect(await errorOf(run)).to.include({ code: 'ABORTED', message: 'enough' })
    expect(closed).to.equal(1)
    expect(log).to.not.include('p.finalize').and.not.include('f.finalize')
  })

  it('by a cancel before its start asks no provider', async () => {
    const log: string[] = []
    controller.abort()
    const plugins = [logged(log, provider('p', { stream: words }))]
    expect((await errorOf(sendTo(plugins, {}, cancelling()))).code).to.equal('ABORTED')
    expect(log).to.deep.equal([])
  })

  it('by a cancel during call does not look like success', async () => {
    const log: string[] = []
    const call = (native: unknown, state: State) => {
      controller.abort()
      return [[], ['final'], native, state]
    }
    const plugins = [caller('p', [], { call }), logged(log, passing('feature', 'f'))]
    expect((await errorOf(sendTo(plugins, {}, cancelling()))).code).to.equal('ABORTED')
    expect(log).to.not.include('f.finalize')
  })

  it('by its reader, who leaves, closes the stream of the provider', async () => {
    const request = await requestOf([provider('p', { stream: words })], {}, cancelling())
    const left = new Error('left')
    for (const leaves of [() => Promise.reject(left), () => expect.fail('left')]) {
      closed = 0
      expect(await errorOf(stream(request, leaves))).to.have.property('message', 'left')
      expect(closed).to.equal(1)
    }
  })

  it('by silence fails with TIMEOUT that names the provider', async () => {
    const hang = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }
    const plugins = [provider('p', { stream: () => hang })]
    const error = await errorOf(sendTo(plugins, { limits: { stream_idle: 0.005 } }, cancelling()))
    expect(error).to.include({ code: 'TIMEOUT', plugin: 'p', hook: 'stream', phase: 'partials' })
  })

  it('by an error in the middle of the stream fails with it, named', async () => {
    async function* failing() {
      yield 'one'
      throw Object.assign(new Error('cut off'), { code: 'STREAM_INTERRUPTED', retryable: true })
    }
    const request = await requestOf([provider('p', { stream: failing })], {}, cancelling())
    const shown: unknown[] = []
    const error = await errorOf(
      stream(request, (list) => {
        shown.push(...list)
        return undefined
      }),
    )
    expect(shown).to.deep.equal([{ delta: 'one' }])
    expect(error).to.include({ code: 'STREAM_INTERRUPTED', plugin: 'p', retryable: true })
  })

  it('by a hook that throws per chunk closes the stream of the provider', async () => {
    const boom = (chunk: unknown, ...rest: unknown[]) => {
      if (chunk === 'two') throw new Error('boom')
      return rest.slice(0, 4)
    }
    const plugins = [provider('p', { stream: words }), extension('e', { processChunk: boom })]
    const error = await errorOf(streamTo(plugins, {}, cancelling()))
    expect(error).to.include({
      code: 'HOOK_FAILED',
      plugin: 'e',
      hook: 'processChunk',
      phase: 'partials',
    })
    expect(closed).to.equal(1)
  })

  it('pulls no chunk that its reader did not ask for', async () => {
    let made = 0
    async function* counting() {
      for (;;) yield String(++made)
    }
    const request = await requestOf([provider('p', { stream: counting })], {}, cancelling())
    let askOn: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      askOn = resolve
    })
    const run = stream(request, () => (made < 2 ? undefined : asked))
    await new Promise((resolve) => setImmediate(resolve))
    expect(made).to.equal(2)
    controller.abort()
    askOn()
    expect(await errorOf(run)).to.include({ code: 'ABORTED' })
  })

  it('goes on where hooks answer later, in the same order as where they answer at once', async () => {
    const later = (plugin: ReturnType<typeof passing>) => {
      const hooks = Object.entries(plugin).map(([name, value]) => [
        name,
        typeof value === 'function'
          ? async (...args: unknown[]) => (value as (...own: unknown[]) => unknown)(...args)
          : value,
      ])
      return Object.fromEntries(hooks) as typeof plugin
    }
    const sync = [
      provider('p', { words: [['a', 'b'], 'c'] }),
      passing('extension', 'e1'),
      passing('extension', 'e2'),
    ]
    const mixed = [sync[0]!, later(sync[1]!), sync[2]!]
    const all = [later(provider('p', { words: [['a', 'b'], 'c'] })), ...mixed.slice(1)]
    const expected = await streamTo(sync)
    for (const plugins of [mixed, all]) {
      const { partials, outcome } = await streamTo(plugins)
      expect(partials).to.deep.equal(expected.partials)
      expect(outcome.finals).to.deep.equal(expected.outcome.finals)
    }
  })
})
