import { expect } from 'chai'
import { createHost, type Host } from '../../src/core/index.ts'
import type { Extension, Provider, StreamEvent } from '../../src/plugin/index.ts'

const said = (...parts: readonly object[]) => ({ role: 'assistant', parts })
const text = (words: string) => ({ type: 'text', text: words })

/** What the host makes of an answer: the events of a stream between its first and last one, and the messages. */
async function answerOf(host: Host) {
  const stream = host.stream({}, 'hello')
  const events: StreamEvent[] = []
  for await (const event of stream) events.push(event)
  const { messages, status, error } = await stream.result
  if (status === 'done') {
    const sent = await host.send({}, 'hello')
    expect(sent.messages).to.deep.equal(messages)
  }
  return { events: events.slice(1, -1), messages, error }
}

describe('a provider that yields pieces of its answer', () => {
  let host: Host | undefined
  afterEach(() => host?.close())

  /** What the host makes of the chunks: the events of a stream between its first and last one, and the messages. */
  async function madeOf(chunks: readonly unknown[], ...extensions: readonly Extension[]) {
    const provider: Provider = {
      kind: 'provider',
      name: 'pieces',
      async *stream() {
        yield* chunks
      },
    }
    host = await createHost({ plugins: [provider, ...extensions], config: {} })
    return answerOf(host)
  }

  const typesOf = (events: readonly StreamEvent[]) => events.map(({ type }) => type)

  it('may yield texts alone: they are one part', async () => {
    const { events, messages } = await madeOf(['You ', '', 'said.'])
    expect(typesOf(events)).to.deep.equal(['text-start', 'text-delta', 'text-delta', 'text-end'])
    expect(messages).to.deep.equal([said(text('You said.'))])
  })

  it('keeps the place of an event that is a part among the texts', async () => {
    const file = { type: 'file', mediaType: 'image/png', data: 'aGVsbG8=' }
    const { messages } = await madeOf(['Before. ', file, 'After.'])
    expect(messages).to.deep.equal([said(text('Before. '), file, text('After.'))])
  })

  it('may yield the arguments of several calls in turns', async () => {
    const piece = (callId: string, input: string) =>
      said({ type: 'tool-call', callId, name: 'look', input })
    const chunks = [piece('a', '{"n":'), piece('b', '{"n"'), piece('a', '1}'), piece('b', ':2}')]
    const call = (callId: string, input: object) => ({
      type: 'tool-call',
      callId,
      name: 'look',
      input,
    })
    const { messages, events } = await madeOf([...chunks, piece('c', '')])
    expect(messages).to.deep.equal([said(call('a', { n: 1 }), call('b', { n: 2 }), call('c', {}))])
    expect(typesOf(events).slice(-3)).to.deep.equal(Array(3).fill('tool-call-end'))
    const then = await madeOf([...chunks, 'Done.'])
    expect(then.messages).to.deep.equal([
      said(call('a', { n: 1 }), call('b', { n: 2 }), text('Done.')),
    ])
  })

  it('may yield messages, whose parts are appended, and events beside them', async () => {
    const chunks = [
      said({ type: 'reasoning', text: 'Let me ' }),
      said({ type: 'reasoning', text: 'see.' }, text('It')),
      ' is ',
      [said(text('warm')), '.'],
      { type: 'source', url: 'https://example.org' },
      { ...said(), metadata: { finishReason: 'stop', usage: { input: 3, output: 4 } } },
    ]
    const { messages } = await madeOf(chunks)
    const metadata = { finishReason: 'stop', usage: { input: 3, output: 4 } }
    const parts = [
      { type: 'reasoning', text: 'Let me see.' },
      text('It is warm.'),
      { type: 'source', url: 'https://example.org' },
    ]
    expect(messages).to.deep.equal([{ ...said(...parts), metadata }])
  })

  it('ends a part with the piece that has facts of the provider', async () => {
    const seal = (seal: string) => ({ providerMetadata: { pieces: { seal } } })
    const { messages } = await madeOf([
      said({ type: 'reasoning', text: 'One' }),
      said({ type: 'reasoning', text: '.', ...seal('a') }),
      said({ type: 'reasoning', text: 'Two.', ...seal('b') }),
    ])
    expect(messages).to.deep.equal([
      said(
        { type: 'reasoning', text: 'One.', ...seal('a') },
        { type: 'reasoning', text: 'Two.', ...seal('b') },
      ),
    ])
  })

  it('may give the arguments of a call whole or in pieces', async () => {
    const call = (callId: string, input: unknown) =>
      said({ type: 'tool-call', callId, name: 'weather', input })
    const { messages, events } = await madeOf([
      call('a', '{"city": '),
      call('a', '"Rome"}'),
      call('b', '{"city": "Oslo"}'),
      call('c', { city: 'Bern' }),
    ])
    const inputs = messages[0]?.parts.map((part) => Object(part).input)
    expect(inputs).to.deep.equal([{ city: 'Rome' }, { city: 'Oslo' }, { city: 'Bern' }])
    expect(typesOf(events).filter((type) => type === 'tool-call-end')).to.have.length(3)
  })

  it('shows extensions events, also the end that the host makes', async () => {
    const seen: unknown[] = []
    const watcher: Extension = {
      kind: 'extension',
      name: 'watcher',
      processChunk: (chunk, partials, finals, native, state) => {
        seen.push(Object(chunk).type, ...partials.map(({ type }) => type))
        return [partials, finals, native, state]
      },
    }
    await madeOf(['a'], watcher)
    const once = ['text-start', 'text-delta', 'text-end'].flatMap((type) => [type, type])
    expect(seen).to.deep.equal([...once, ...once])
  })

  it('fails with a place and a remedy for what is neither', async () => {
    for (const wrong of [
      { role: 'user', parts: [] },
      { role: 'assistant', parts: [null] },
    ]) {
      const { error, events } = await madeOf(['a', wrong])
      expect(error).to.include({ code: 'EVENTS_INVALID', plugin: 'pieces', hook: 'stream' })
      expect(error?.message).to.include('messages {"role": "assistant"')
      // What came before is shown, and closed.
      expect(typesOf(events)).to.deep.equal(['text-start', 'text-delta', 'text-end'])
      await host?.close()
    }
  })
})

describe('a provider whose processChunk gives pieces of its answer', () => {
  let host: Host | undefined
  afterEach(() => host?.close())

  interface Line {
    readonly partials?: readonly unknown[]
    readonly finals?: readonly unknown[]
  }

  const linesOf = (...partials: readonly unknown[]): readonly Line[] =>
    partials.map((partial) => ({ partials: [partial] }))

  /** What the host makes of the lines of an API, by the provider's steps for them. */
  async function madeOf(
    lines: readonly Line[],
    { extensions = [], more = {} }: { extensions?: readonly Extension[]; more?: object } = {},
  ) {
    const provider = {
      kind: 'provider',
      name: 'lines',
      stream: () => lines,
      processChunk: ({ partials = [], finals = [] }: Line, native: object, state: object) => [
        partials,
        finals,
        native,
        state,
      ],
      ...more,
    }
    host = await createHost({ plugins: [provider, ...extensions], config: {} })
    return answerOf(host)
  }

  it('needs no final: the host gathers its message, and what came before the first piece', async () => {
    const metadata = { finishReason: 'length', usage: { output: 2 } }
    const { events, messages } = await madeOf([
      ...linesOf({ type: 'metadata', metadata: { usage: { output: 2 } } }),
      ...linesOf(said({ type: 'reasoning', text: 'Let me ' }), 'It is '),
      {},
      ...linesOf(said(text('warm')), { ...said(), metadata: { finishReason: 'length' } }),
    ])
    const parts = [{ type: 'reasoning', text: 'Let me ' }, text('It is warm')]
    expect(messages).to.deep.equal([{ ...said(...parts), metadata }])
    expect(events.map(({ type }) => type)).to.deep.equal([
      'metadata',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'text-delta',
      'metadata',
      'text-end',
    ])
  })

  it('may be asynchronous in each step', async () => {
    const processChunk = async ({ partials }: Line, native: object, state: object) => [
      partials,
      [],
      native,
      state,
    ]
    const { messages } = await madeOf(linesOf('a', said(text('b'))), { more: { processChunk } })
    expect(messages).to.deep.equal([said(text('ab'))])
  })

  it('keeps its own finals where it gives them', async () => {
    const final = said(text('the final'))
    const { messages } = await madeOf([...linesOf('a', 'b'), { finals: [final] }])
    expect(messages).to.deep.equal([final])
    await host?.close()
    const finalize = (native: object, state: object) => [[final], native, state]
    const finalized = await madeOf(linesOf('a', 'b'), { more: { finalize } })
    expect(finalized.messages).to.deep.equal([final])
  })

  it('gets no message of the host for parts that it gives as events', async () => {
    const events = [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'a' },
      { type: 'text-end', id: 't' },
    ]
    const { messages, events: shown } = await madeOf(linesOf(...events, 'b'))
    expect(messages).to.deep.equal([])
    expect(shown).to.have.length(6)
  })

  it('shows extensions its chunks with events, and the end that the host makes as a chunk', async () => {
    const seen: unknown[] = []
    const loud: Extension = {
      kind: 'extension',
      name: 'loud',
      processChunk: (chunk, partials, finals, native, state) => {
        seen.push([Object.keys(Object(chunk)).join(), partials.map(({ type }) => type).join()])
        return [partials, finals, native, state]
      },
      fromNative: (_, core) =>
        core.map((one) =>
          'delta' in one ? { ...one, delta: String(one.delta).toUpperCase() } : one,
        ),
    }
    const { events } = await madeOf(linesOf('a'), { extensions: [loud] })
    const once = [
      ['partials', 'text-start,text-delta'],
      ['type,id', 'text-end'],
    ]
    expect(seen).to.deep.equal([...once, ...once])
    expect(events).to.deep.include({ type: 'text-delta', id: 'piece-1', delta: 'A' })
  })

  it('is blamed for a message of another role', async () => {
    const { error } = await madeOf(linesOf('a', { role: 'user', parts: [] }))
    expect(error).to.include({ code: 'EVENTS_INVALID', plugin: 'lines', hook: 'processChunk' })
  })
})
