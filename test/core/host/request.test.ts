import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { run } from '../../../src/agent/index.ts'
import type { ConfigLayer } from '../../../src/core/config/layers.ts'
import { createHost } from '../../../src/core/host/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import {
  Accumulator,
  EventChecker,
  type Message,
  type PartialEvent,
  type StreamEvent,
  textOf,
} from '../../../src/plugin/events/index.ts'
import { runsOf } from '../../helpers/cases.ts'
import { collectUntil } from '../../helpers/garbage.ts'
import { collect, scriptedHost, textEvents, textProvider, typesOf } from '../../helpers/hosts.ts'
import { caller, errorOf, eventProvider, extension, feature } from '../../helpers/plugins.ts'
import { timers } from '../../helpers/timers.ts'

const shout = extension('shout', {
  fromNative: (
    _natives: unknown,
    core: readonly { delta?: string; parts?: readonly { text: string }[] }[],
  ) =>
    core.map((item) => {
      if (item.delta !== undefined) return { ...item, delta: item.delta.toUpperCase() }
      const parts = item.parts?.map((part) => ({ ...part, text: part.text.toUpperCase() }))
      return parts ? { ...item, parts } : item
    }),
})

/** A provider that yields its events and then waits until it is cancelled. */
function hanging(events: readonly StreamEvent[], onClose: () => void = () => undefined) {
  return {
    kind: 'provider',
    name: 'p',
    async *stream(_native: unknown, _state: unknown, { signal }: { signal: AbortSignal }) {
      try {
        yield* events
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('closed')), { once: true })
        })
      } finally {
        onClose()
      }
    },
  }
}

describe('a request', () => {
  it('streams start, partials and one finish, and the events add up to its messages', async () => {
    const host = await createHost({ plugins: [textProvider('hello world')] })
    const stream = host.stream({}, 'hi')
    const events = await collect(stream)
    expect(typesOf(events)).to.deep.equal([
      'start',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'finish',
    ])
    const checker = new EventChecker()
    const accumulator = new Accumulator()
    for (const event of events) checker.check(event)
    for (const event of events.slice(0, -1)) accumulator.add(event)
    const { messages } = await stream.result
    expect(messages).to.deep.equal([
      { role: 'assistant', parts: [{ type: 'text', text: 'hello world' }] },
    ])
    expect(accumulator.messages()).to.deep.equal(messages)
  })

  it('leaves the list of its caller alone, whatever a plugin adds to its own', async () => {
    const editMessages = (messages: Message[]) => {
      messages.push({ role: 'user', parts: [{ type: 'text', text: 'bye' }] })
      return messages
    }
    const host = await scriptedHost([feature('adder', { editMessages })])
    const given: readonly Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }]
    for (let turn = 0; turn < 2; turn++) {
      const { messages } = await host.send({}, given)
      expect(messages.map(textOf)).to.deep.equal(['Goodbye.'])
    }
    expect(given).to.have.lengthOf(1)
  })

  it('CL-42 ends in the same messages in send and in stream', async () => {
    const host = await scriptedHost([shout])
    const sent = await host.send({}, 'What is a plugin?')
    const streamed = await host.stream({}, 'What is a plugin?').result
    expect(streamed.messages).to.deep.equal(sent.messages)
    expect(streamed.usage).to.deep.equal(sent.usage)
  })

  it('leaves open calls and stray results to a provider that says it repairs them', async () => {
    let given: unknown
    const toNative = (messages: unknown) => {
      given = messages
      return {}
    }
    const host = await createHost({
      plugins: [textProvider('hello', { getTags: () => ['history-repair'], toNative })],
    })
    const call = { type: 'tool-call', callId: 'x', name: 'y', input: {} } as const
    const messages = [{ role: 'assistant', parts: [call] }] as const
    expect((await host.send({}, messages)).status).to.equal('done')
    expect(given).to.deep.equal(messages)
  })

  it('shows the change of an extension in the events and in the messages', async () => {
    const host = await createHost({ plugins: [textProvider('hello'), shout] })
    const stream = host.stream({}, 'hi')
    const deltas = (await collect(stream)).flatMap((event) =>
      event.type === 'text-delta' ? [event.delta] : [],
    )
    expect(deltas.join('')).to.equal('HELLO')
    expect((await stream.result).messages[0]?.parts).to.deep.equal([
      { type: 'text', text: 'HELLO' },
    ])
  })

  it('shows the finals of a provider that only calls as events', async () => {
    const final = {
      role: 'assistant',
      parts: [{ type: 'text', text: 'whole' }],
      metadata: { finishReason: 'stop', usage: { input: 3, output: 1 } },
    }
    const host = await createHost({ plugins: [caller('p', [final])] })
    const stream = host.stream({}, 'hi')
    expect(typesOf(await collect(stream))).to.deep.equal([
      'start',
      'text-start',
      'text-delta',
      'text-end',
      'metadata',
      'finish',
    ])
    expect((await stream.result).usage).to.deep.equal({ input: 3, output: 1 })
  })

  it('gives a reader that comes after the result the ending alone', async () => {
    const host = await createHost({ plugins: [textProvider()] })
    const stream = host.stream({}, 'hi')
    expect((await stream.result).status).to.equal('done')
    expect(typesOf(await collect(stream))).to.deep.equal(['finish'])
  })

  it('lets a reader that begins in the same turn as `result` read everything', async () => {
    const host = await createHost({ plugins: [textProvider()] })
    const stream = host.stream({}, 'hi')
    const { result } = stream
    expect((await collect(stream)).length).to.equal(5)
    expect((await result).status).to.equal('done')
  })

  it('takes no longer for a chunk where many came before, read or drained', async () => {
    const deltas = Array.from({ length: runsOf(100_000) }, () => 'word ')
    const host = await createHost({ plugins: [eventProvider(textEvents(...deltas))] })
    const { messages } = await host.send({}, 'hi')
    expect(await collect(host.stream({}, 'hi'))).to.have.length(deltas.length + 4)
    expect(messages[0]?.parts[0]).to.include({ text: deltas.join('') })
  }).timeout(6000)

  it('may be one of very many at once, and Node warns of nothing', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const stream = async (_native: unknown, { n }: { n: string }) => {
      await new Promise((resolve) => setImmediate(resolve))
      return textEvents(n)
    }
    const init = ({ seed }: { seed: number }) => ({ n: String(seed) })
    const host = await createHost({ plugins: [eventProvider([], { init, stream })] })
    const seeds = Array.from({ length: 100 }, (_, seed) => seed)
    const answers = await Promise.all(seeds.map((seed) => host.send({ seed }, 'hi')))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', note)
    expect(answers.map(({ messages: [message] }) => message && textOf(message))).to.deep.equal(
      seeds.map(String),
    )
    expect(warnings).to.deep.equal([])
  })

  it('does nothing before it is read', async () => {
    let asked = 0
    const provider = eventProvider([], { init: () => ({ asked: ++asked }) })
    const host = await createHost({ plugins: [provider] })
    const stream = host.stream({}, 'hi')
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).to.equal(0)
    await stream.result
    expect(asked).to.equal(1)
  })

  it('hands an emitted event to a waiting reader at once, and keeps it out of the messages', async () => {
    let release: () => void = () => undefined
    const provider = {
      kind: 'provider',
      name: 'p',
      async *stream(_native: unknown, _state: unknown, context: { emit(event: object): void }) {
        context.emit({ type: 'data', name: 'progress', data: 1, transient: true })
        await new Promise<void>((resolve) => {
          release = resolve
        })
        yield* textEvents('done')
      },
    }
    const host = await createHost({ plugins: [provider] })
    const reader = host.stream({}, 'hi')[Symbol.asyncIterator]()
    await reader.next()
    const emitted = await reader.next()
    expect(emitted.value).to.deep.include({ type: 'data', name: 'progress' })
    release()
    let last = await reader.next()
    for (let next = last; !next.done; next = await reader.next()) last = next
    expect(last.value).to.have.nested.property('messages[0].parts[0].text', 'done')
    expect(
      (last.value as unknown as { messages: { parts: unknown[] }[] }).messages[0]?.parts,
    ).to.have.length(1)
  })
})

describe('what a plugin keeps for a request', () => {
  it('goes with it, though somebody holds its stream', async () => {
    const kept: WeakRef<object>[] = []
    const keeper = extension('keeper', {
      init: (_config: unknown, state: object, { local }: { local: Map<string, unknown> }) => {
        const large = { text: 'a'.repeat(1000) }
        kept.push(new WeakRef(large))
        local.set('large', large)
        return state
      },
    })
    const host = await createHost({ plugins: [textProvider('Hi'), keeper] })
    const streams = Array.from({ length: 10 }, () => host.stream({}, 'Hello'))
    await Promise.all(streams.map((stream) => stream.result))
    const alive = () => kept.filter((one) => one.deref() !== undefined).length
    await collectUntil(() => alive() < 3)
    expect(kept).to.have.length(10)
    expect(alive()).to.be.below(3)
    expect(streams).to.have.length(10)
  })
})

describe('events that a plugin emits', () => {
  interface Emitter {
    emit(event: object): void
  }
  const note = (data: unknown) => ({ type: 'data', name: 'note', data })
  /** Adds to the text at every turn of the microtask queue after it was begun. */
  const eager = extension('eager', {
    processChunk: (
      _chunk: unknown,
      partials: readonly StreamEvent[],
      ...[finals, native, state, { emit }]: [unknown, unknown, unknown, Emitter]
    ) => {
      if (partials.some(({ type }) => type === 'text-start')) void addAtEveryTurn(emit)
      return [partials, finals, native, state]
    },
  })
  async function addAtEveryTurn(emit: Emitter['emit']): Promise<void> {
    for (let turn = 0; turn < 100; turn++) {
      await Promise.resolve()
      try {
        emit({ type: 'text-delta', id: '1', delta: String(turn) })
      } catch {
        // Too early: the host does not know of the part yet.
      }
    }
  }
  const isPartial = ({ type }: StreamEvent) => type.startsWith('text-')

  it('come before what follows them, however slowly they are read', async () => {
    const plugin = extension('e', {
      finalize: (finals: unknown, native: unknown, state: unknown, { emit }: Emitter) => {
        for (const data of [1, 2, 3]) emit(note(data))
        return [finals, native, state]
      },
    })
    const host = await createHost({ plugins: [textProvider('a'), plugin] })
    const types: string[] = []
    for await (const event of host.stream({}, 'hi')) {
      types.push(event.type)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(types.slice(-4)).to.deep.equal(['data', 'data', 'data', 'finish'])
  })

  it('never overtake what was there before them', async () => {
    const host = await createHost({ plugins: [textProvider('a'), eager] })
    for (const read of [host.stream({}, 'hi'), run(host, { messages: 'hi' })]) {
      const events = (await collect(read as AsyncIterable<StreamEvent>)).filter(isPartial)
      expect(() => {
        const checker = new EventChecker()
        for (const event of events) checker.check(event)
      }).to.not.throw()
      expect(typesOf(events).filter((type) => type === 'text-delta')).to.have.length.above(10)
    }
  })

  it('are dropped after the ending, without an error', async () => {
    for (const events of [textEvents('a'), [{ type: 'text-end', id: '1' }]]) {
      let late: Emitter | undefined
      const stream = (_native: unknown, _state: unknown, context: Emitter) => {
        late = context
        return events
      }
      const host = await createHost({ plugins: [eventProvider([], { stream })] })
      const types: string[] = []
      for await (const event of host.stream({}, 'hi')) {
        types.push(event.type)
        if (event.type === 'finish' || event.type === 'error') late?.emit(note('late'))
      }
      expect(types).to.not.include('data')
    }
  })

  it('are read as fast when there are many', async () => {
    const many = runsOf(200_000)
    const stream = (_native: unknown, _state: unknown, { emit }: Emitter) => {
      for (let data = 0; data < many; data++) emit(note(data))
      return textEvents('a')
    }
    const host = await createHost({ plugins: [eventProvider([], { stream })] })
    const events = await collect(host.stream({}, 'hi'))
    expect(events.filter(({ type }) => type === 'data')).to.have.length(many)
  }).timeout(4000)
})

describe('a provider that makes what is for the host to make', () => {
  for (const type of ['start', 'finish', 'error', 'abort']) {
    it(`is refused its own "${type}", so that there is one alone`, async () => {
      const host = await createHost({ plugins: [eventProvider([{ type }])] })
      const stream = host.stream({}, 'hi')
      expect(typesOf(await collect(stream))).to.deep.equal(['start', 'error'])
      expect((await stream.result).error?.code).to.equal('EVENTS_INVALID')
    })
  }
})

describe('the finish reason of a request', () => {
  it('is "other" where a plugin invents one', async () => {
    const metadata = { type: 'metadata', metadata: { finishReason: 'tired' } }
    const host = await createHost({ plugins: [eventProvider([...textEvents('a'), metadata])] })
    expect((await host.send({}, 'hi')).finishReason).to.equal('other')
  })
})

describe('a provider that has no last chunk', () => {
  const open = (input: string): PartialEvent[] => [
    ...textEvents('a').slice(0, 2),
    { type: 'tool-call-start', id: 'c', name: 'look' },
    { type: 'tool-call-delta', id: 'c', delta: input },
  ]

  it('has its open parts closed before the finish', async () => {
    const host = await createHost({ plugins: [eventProvider(open('{"a":1}'))] })
    const stream = host.stream({}, 'hi')
    const events = await collect(stream)
    expect(events.slice(-3, -1)).to.deep.equal([
      { type: 'text-end', id: '1' },
      { type: 'tool-call-end', id: 'c', input: { a: 1 } },
    ])
    const { status, messages } = await stream.result
    expect(status).to.equal('done')
    expect(events.at(-1)).to.deep.include({ type: 'finish', finishReason: 'tool-calls', messages })
    expect(messages).to.deep.equal([
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'a' },
          { type: 'tool-call', callId: 'c', name: 'look', input: { a: 1 } },
        ],
      },
    ])
    expect((await host.send({}, 'hi')).messages).to.deep.equal(messages)
  })

  it('leaves arguments that are no JSON as their text', async () => {
    const host = await createHost({ plugins: [eventProvider(open('{"a":'))] })
    const events = await collect(host.stream({}, 'hi'))
    expect(events.at(-2)).to.deep.equal({ type: 'tool-call-end', id: 'c', input: '{"a":' })
  })
})

describe('a request that is cancelled', () => {
  it('ends in abort, keeps what had arrived, and closes the provider', async () => {
    await Promise.resolve()
    const before = timers()
    let closed = 0
    const host = await createHost({
      plugins: [hanging(textEvents('so ', 'far').slice(0, 3), () => closed++)],
    })
    const controller = new AbortController()
    const stream = host.stream({}, 'hi', { signal: controller.signal })
    const seen: string[] = []
    for await (const event of stream) {
      seen.push(event.type)
      if (event.type === 'text-delta' && event.delta === 'far') controller.abort('enough')
    }
    expect(seen.slice(-2)).to.deep.equal(['text-end', 'abort'])
    const result = await stream.result
    expect(result).to.deep.include({ status: 'aborted' })
    expect(result.messages[0]?.parts).to.deep.equal([{ type: 'text', text: 'so far' }])
    expect(result.error?.message).to.equal('enough')
    expect(closed).to.equal(1)
    expect(getEventListeners(controller.signal, 'abort')).to.have.length(0)
    // A timer of another file of tests may run out meanwhile.
    expect(timers()).to.be.at.most(before)
  })

  it('does not run finalize', async () => {
    let finalized = 0
    const plugins = [
      hanging(textEvents('a').slice(0, 2)),
      extension('late', {
        finalize: (...turn: unknown[]) => {
          finalized++
          return turn
        },
      }),
    ]
    const host = await createHost({ plugins })
    const controller = new AbortController()
    const stream = host.stream({}, 'hi', { signal: controller.signal })
    for await (const event of stream) if (event.type === 'text-delta') controller.abort()
    expect(finalized).to.equal(0)
  })

  it('is cancelled by a reader that leaves', async () => {
    let closed = 0
    const host = await createHost({ plugins: [hanging(textEvents('a'), () => closed++)] })
    const stream = host.stream({}, 'hi')
    for await (const event of stream) if (event.type === 'text-delta') break
    expect((await stream.result).status).to.equal('aborted')
    expect(closed).to.equal(1)
  })

  it('is refused with a signal that is misspelled or none, which would cancel nothing', async () => {
    const host = await createHost({ plugins: [textProvider()] })
    const { signal } = new AbortController()
    for (const [options, pointer] of [
      [{ sinal: signal }, '/sinal'],
      [{ signal: new AbortController() }, '/signal'],
    ] as const) {
      const { error } = await host.stream({}, 'hi', options as never).result
      expect(error).to.include({ code: 'OPTION_INVALID', pointer })
      const opened = await host.open({}, options as never).catch((thrown: unknown) => thrown)
      expect(opened).to.include({ code: 'OPTION_INVALID', pointer })
    }
  })

  it('asks no plugin anything where its signal was aborted before', async () => {
    const asked: string[] = []
    const getTags = () => {
      asked.push('getTags')
      return []
    }
    const host = await createHost({ plugins: [textProvider('x', { getTags })] })
    await host.stream({}, 'hi', { signal: AbortSignal.abort() }).result
    expect(asked).to.deep.equal([])
  })

  it('never starts where its signal was aborted before', async () => {
    const host = await createHost({ plugins: [textProvider()] })
    const stream = host.stream({}, 'hi', { signal: AbortSignal.abort('no') })
    expect(typesOf(await collect(stream))).to.deep.equal(['start', 'abort'])
  })

  it('ends promptly though the provider does not heed its signal', async () => {
    const deaf = {
      kind: 'provider',
      name: 'p',
      stream: () => ({
        [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
      }),
    }
    const host = await createHost({ plugins: [deaf] })
    const controller = new AbortController()
    const stream = host.stream({}, 'hi', { signal: controller.signal })
    const reading = collect(stream)
    setImmediate(() => controller.abort())
    expect(typesOf(await reading)).to.deep.equal(['start', 'abort'])
  })

  it('is cancelled by the host that closes', async () => {
    const host = await createHost({ plugins: [hanging(textEvents('a').slice(0, 2))] })
    const reason = host.stream({}, 'hi').result.then(({ error }) => error?.message)
    setImmediate(() => void host.close())
    expect(await reason).to.equal('the host was closed')
    expect((await errorOf(host.send({}, 'hi'))).code).to.equal('HOST_CLOSED')
  })
})

describe('a request that fails', () => {
  const faults: {
    title: string
    plugins: unknown[]
    config?: unknown
    messages?: unknown
    code: string
    plugin?: string
    pointer?: string
  }[] = [
    {
      title: 'an unknown provider',
      plugins: [textProvider()],
      config: { provider: 'q' },
      code: 'PROVIDER_UNKNOWN',
      pointer: '/provider',
    },
    { title: 'no provider', plugins: [], code: 'PROVIDER_MISSING', pointer: '/provider' },
    {
      title: 'a wrong value',
      plugins: [textProvider()],
      config: { temperature: 'hot' },
      code: 'CONFIG_INVALID',
      pointer: '/temperature',
    },
    {
      title: 'an unknown limit',
      plugins: [textProvider()],
      config: { limits: { hok: 1 } },
      code: 'CONFIG_INVALID',
      pointer: '/limits/hok',
    },
    {
      title: 'a config that is no object',
      plugins: [textProvider()],
      config: [],
      code: 'CONFIG_INVALID',
      pointer: '',
    },
    { title: 'empty input', plugins: [textProvider()], messages: '  ', code: 'MESSAGES_INVALID' },
    { title: 'no message', plugins: [textProvider()], messages: [], code: 'MESSAGES_INVALID' },
    {
      title: 'an unknown role',
      plugins: [textProvider()],
      messages: [{ role: 'robot', parts: [] }],
      code: 'MESSAGES_INVALID',
      pointer: '/0/role',
    },
    {
      title: 'an unknown part',
      plugins: [textProvider()],
      messages: [{ role: 'user', parts: [{ type: 'song' }] }],
      code: 'MESSAGES_INVALID',
      pointer: '/0/parts/0/type',
    },
    {
      title: 'a result without a call',
      plugins: [textProvider()],
      messages: [
        { role: 'tool', parts: [{ type: 'tool-result', callId: 'x', name: 'y', output: 1 }] },
      ],
      code: 'MESSAGES_INVALID',
      pointer: '/0/parts/0',
    },
    {
      title: 'a call without a result',
      plugins: [textProvider()],
      messages: [
        { role: 'assistant', parts: [{ type: 'tool-call', callId: 'x', name: 'y', input: {} }] },
      ],
      code: 'MESSAGES_INVALID',
      pointer: '/0/parts/0',
    },
    {
      title: 'a hook that throws',
      plugins: [
        textProvider(),
        extension('bad', {
          init: () => {
            throw new Error('no')
          },
        }),
      ],
      code: 'HOOK_FAILED',
      plugin: 'bad',
    },
    {
      title: 'a hook that rejects',
      plugins: [
        textProvider(),
        extension('bad', {
          finalize: async () => {
            throw new Error('no')
          },
        }),
      ],
      code: 'HOOK_FAILED',
      plugin: 'bad',
    },
    {
      title: 'a hook that answers the wrong shape',
      plugins: [textProvider(), extension('bad', { initializeRequest: () => 3 })],
      code: 'HOOK_ANSWER_INVALID',
      plugin: 'bad',
    },
    {
      title: 'a hook that never settles',
      plugins: [textProvider(), extension('bad', { init: () => new Promise(() => undefined) })],
      config: { limits: { hook: 0.01 } },
      code: 'TIMEOUT',
      plugin: 'bad',
    },
    {
      title: 'a delta without a start',
      plugins: [eventProvider([{ type: 'text-delta', id: '1', delta: 'a' }])],
      code: 'EVENTS_INVALID',
      plugin: 'p',
    },
    {
      title: 'a chunk that is no event',
      plugins: [eventProvider([null])],
      code: 'EVENTS_INVALID',
      plugin: 'p',
    },
    {
      title: 'a final that is no message',
      plugins: [caller('p', ['text'])],
      code: 'HOOK_ANSWER_INVALID',
      plugin: 'p',
    },
    {
      title: 'a provider that stalls',
      plugins: [
        {
          kind: 'provider',
          name: 'p',
          stream: async function* () {
            await new Promise(() => undefined)
            yield 1
          },
        },
      ],
      config: { limits: { stream_idle: 0.01 } },
      code: 'TIMEOUT',
      plugin: 'p',
    },
    {
      title: 'a final that asks for a retry',
      plugins: [
        caller('p', [
          {
            role: 'assistant',
            parts: [],
            metadata: { retry: { code: 'OUTPUT_INVALID', message: 'again' } },
          },
        ]),
      ],
      code: 'OUTPUT_INVALID',
    },
  ]
  for (const { title, plugins, config = {}, messages = 'hi', code, plugin, pointer } of faults) {
    it(`ends in ${code} for ${title}, in stream and in send`, async () => {
      await Promise.resolve()
      const before = timers()
      const host = await createHost({ plugins })
      const stream = host.stream(config as ConfigLayer, messages as string)
      const events = await collect(stream)
      expect(typesOf(events)[0]).to.equal('start')
      expect(events.at(-1)?.type).to.equal('error')
      const { error, status } = await stream.result
      expect(status).to.equal('failed')
      expect(error).to.deep.include({
        code,
        ...(plugin ? { plugin } : {}),
        ...(pointer === undefined ? {} : { pointer }),
      })
      const sent = await errorOf(host.send(config as ConfigLayer, messages as string))
      expect(HostError.is(sent)).to.equal(true)
      expect(sent.code).to.equal(code)
      expect(timers()).to.be.at.most(before)
    })
  }

  it('fails, and neither throws nor hangs, where the signal is none', async () => {
    const host = await createHost({ plugins: [textProvider()] })
    const options = { signal: new AbortController() as unknown as AbortSignal }
    expect((await errorOf(host.send({}, 'hi', options))).message).to.contain('AbortSignal')
    expect(typesOf(await collect(host.stream({}, 'hi', options)))).to.deep.equal(['start', 'error'])
  })

  it('does not wait for a stream that does not close', async () => {
    const chunks = {
      next: async () => ({ value: 1, done: false }),
      return: () => new Promise(() => undefined),
    }
    const provider = eventProvider([], {
      stream: () => ({ [Symbol.asyncIterator]: () => chunks }),
      processChunk: () => {
        throw new Error('bad chunk')
      },
    })
    const host = await createHost({ plugins: [provider] })
    expect((await errorOf(host.send({}, 'hi'))).message).to.contain('bad chunk')
  })

  it('carries the whole answer as `partial` where a final asks for a retry', async () => {
    const final = {
      role: 'assistant',
      parts: [{ type: 'text', text: 'wrong' }],
      metadata: { retry: { code: 'AGAIN', message: 'once more' } },
    }
    const host = await createHost({ plugins: [caller('p', [final])] })
    expect((await errorOf(host.send({}, 'hi'))).partial).to.deep.equal([final])
  })

  it('carries what had arrived as `partial`', async () => {
    const provider = {
      kind: 'provider',
      name: 'p',
      stream: async function* () {
        yield* textEvents('half ').slice(0, 2)
        throw new Error('cut')
      },
    }
    const host = await createHost({ plugins: [provider] })
    const error = await errorOf(host.send({}, 'hi'))
    expect(error.message).to.equal('Hook "stream" of provider "p" failed: cut')
    expect(error.partial).to.deep.equal([
      { role: 'assistant', parts: [{ type: 'text', text: 'half ' }] },
    ])
  })

  it('is no abort where a plugin says so and nobody cancelled', async () => {
    const thrown = Object.assign(new Error('mine'), { code: 'ABORTED' })
    const plugin = { kind: 'provider', name: 'p', call: () => Promise.reject(thrown) }
    const host = await createHost({ plugins: [plugin] })
    const result = await host.stream({}, 'hi').result
    expect(result.status).to.equal('failed')
    expect(result.error?.code).to.equal('ABORTED')
  })

  it('takes over the code and the facts of a thrown error', async () => {
    const thrown = Object.assign(new Error('slow down'), {
      code: 'RATE_LIMITED',
      status: 429,
      retryable: true,
      retryAfter: 7,
    })
    const host = await createHost({
      plugins: [{ kind: 'provider', name: 'p', call: () => Promise.reject(thrown) }],
    })
    const error = await errorOf(host.send({}, 'hi'))
    expect(error.toJSON()).to.deep.equal({
      code: 'RATE_LIMITED',
      message: 'slow down',
      plugin: 'p',
      hook: 'call',
      phase: 'finals',
      provider: 'p',
      status: 429,
      retryable: true,
      retryAfter: 7,
    })
    expect(error.cause).to.equal(thrown)
  })

  it('shows what came before a chunk that fails, though it arrived together with it', async () => {
    const chunks = [
      ...textEvents('good ').slice(0, 2),
      { type: 'text-delta', id: '9', delta: 'bad' },
    ]
    const throwing = {
      kind: 'provider',
      name: 'p',
      stream: () => [chunks],
      processChunk: (chunk: { id: string }, native: unknown, state: object) => {
        if (chunk.id === '9') throw new Error('bad chunk')
        return [[chunk], [], native, state]
      },
    }
    for (const plugin of [eventProvider([chunks]), throwing]) {
      const host = await createHost({ plugins: [plugin] })
      const stream = host.stream({}, 'hi')
      expect(typesOf(await collect(stream))).to.deep.equal([
        'start',
        'text-start',
        'text-delta',
        'text-end',
        'error',
      ])
      expect((await stream.result).messages[0]?.parts).to.deep.equal([
        { type: 'text', text: 'good ' },
      ])
    }
  })

  it('closes the parts that are open before the error', async () => {
    const provider = {
      kind: 'provider',
      name: 'p',
      stream: async function* () {
        yield { type: 'reasoning-start', id: 'r' }
        yield { type: 'tool-call-start', id: 'c', name: 'run' }
        yield { type: 'tool-call-delta', id: 'c', delta: '{"a' }
        throw new Error('cut')
      },
    }
    const host = await createHost({ plugins: [provider] })
    const events = await collect(host.stream({}, 'hi'))
    expect(events.slice(-3, -1)).to.deep.equal([
      { type: 'reasoning-end', id: 'r' },
      { type: 'tool-call-end', id: 'c', input: '{"a' },
    ])
  })
})

describe('secrets of a request', () => {
  const keyed = (hook: object) => ({
    kind: 'provider',
    name: 'p',
    configSchema: { type: 'object', properties: { api_key: { type: 'string', writeOnly: true } } },
    stream: () => textEvents('ok'),
    ...hook,
  })
  const config = { settings: { p: { api_key: 'sk-secret-1' } } }

  it('never leave in an error', async () => {
    const plugin = keyed({
      stream: () => {
        throw new Error('the key sk-secret-1 was refused')
      },
    })
    const host = await createHost({ plugins: [plugin], config })
    const stream = host.stream({}, 'hi')
    expect(JSON.stringify(await collect(stream))).to.not.contain('sk-secret-1')
    expect((await stream.result).error?.message).to.contain('the key *** was refused')
  })

  it('never leave in a warning or a log line', async () => {
    const logs: unknown[] = []
    const plugin = keyed({
      init: (_config: unknown, context: { warn(text: string): void; log(entry: object): void }) => {
        context.warn('used sk-secret-1')
        context.log({ level: 'info', message: 'used sk-secret-1' })
        return {}
      },
    })
    const host = await createHost({ plugins: [plugin], config, log: (entry) => logs.push(entry) })
    expect((await host.send({}, 'hi')).warnings).to.deep.equal(['p: used ***'])
    expect(logs).to.deep.equal([{ level: 'info', message: 'used ***', plugin: 'p' }])
  })

  it('never leave in a warning that is no text', async () => {
    const plugin = keyed({
      init: (_config: unknown, context: { warn(error: unknown): void }) => {
        context.warn(new Error('used sk-secret-1'))
        return {}
      },
    })
    const host = await createHost({ plugins: [plugin], config })
    expect((await host.send({}, 'hi')).warnings).to.deep.equal(['p: Error: used ***'])
  })

  it('are shown to their own plugin alone', async () => {
    const seen: unknown[] = []
    const look = <T>(config: { settings: object }, answer: T): T => {
      seen.push(config.settings)
      return answer
    }
    const host = await createHost({
      plugins: [
        keyed({ init: (own: { settings: object }) => look(own, {}) }),
        extension('spy', {
          init: (other: { settings: object }, state: object) => look(other, state),
          getTags: (other: { settings: object }) => look(other, []),
        }),
      ],
      config,
    })
    await host.send({}, 'hi')
    expect(seen).to.deep.equal([
      { p: { api_key: { $secret: true } } },
      { p: { api_key: 'sk-secret-1' } },
      { p: { api_key: { $secret: true } } },
    ])
  })
})
