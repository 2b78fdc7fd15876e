import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createHost, HostError, type Message, type Result } from '../../../src/core/index.ts'

type Limits = { readonly [limit: string]: number }

const text = (delta: string) => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta },
]
const call = (index: number) => [
  { type: 'tool-call-start', id: `c${index}`, name: 'look' },
  { type: 'tool-call-end', id: `c${index}`, input: {} },
]

async function* endless(first: readonly object[], more: (index: number) => readonly object[]) {
  yield first
  for (let index = 0; ; index++) {
    await wait(0)
    yield more(index)
  }
}

/** What an endless stream comes to, in `stream` and in `send`, which drains it. */
async function bothOf(
  chunks: () => AsyncIterable<unknown>,
  limits: Limits,
): Promise<readonly Pick<Result, 'status' | 'error' | 'messages'>[]> {
  let closed = 0
  const provider = {
    kind: 'provider',
    name: 'endless',
    getModels: () => ['m'],
    getTags: () => ['tools'],
    async *stream() {
      try {
        yield* chunks()
      } finally {
        closed++
      }
    },
  } as const
  await using host = await createHost({ plugins: [provider] })
  const config = { provider: 'endless', limits }
  const streamed = await host.stream(config, 'Hello').result
  const thrown: unknown = await host.send(config, 'Hello').catch((error: unknown) => error)
  if (!HostError.is(thrown)) throw new Error('it did not fail')
  // A generator that waits is closed when it has waited.
  while (closed < 2) await wait(1)
  const messages = (thrown.partial ?? []) as readonly Message[]
  return [streamed, { status: 'failed', error: thrown, messages }]
}

const CASES: readonly {
  readonly title: string
  readonly chunks: () => AsyncIterable<unknown>
  readonly limits: Limits
  readonly parts: number
}[] = [
  {
    title: 'answer_bytes: text without end',
    chunks: () => endless(text('I'), () => text('x'.repeat(100)).slice(1)),
    limits: { answer_bytes: 1000 },
    parts: 1,
  },
  {
    title: 'answer_bytes: files without end',
    chunks: () => endless(text('I'), () => [{ type: 'file', mediaType: 'a/b', data: 'AAAA' }]),
    limits: { answer_bytes: 500 },
    parts: 14,
  },
  {
    title: 'answer_events: events without end',
    chunks: () => endless(text('I'), () => text('x').slice(1)),
    limits: { answer_events: 20 },
    parts: 1,
  },
  {
    title: 'answer_parts: parts without end',
    chunks: () => endless(text('I'), (at) => [{ type: 'source', url: `https://a.test/${at}` }]),
    limits: { answer_parts: 5 },
    parts: 5,
  },
  {
    title: 'answer_calls: calls without end',
    chunks: () => endless(text('I'), call),
    limits: { answer_calls: 5 },
    parts: 6,
  },
  {
    title: 'answer: a stream that goes on and on',
    chunks: () => endless(text('I'), () => text('x').slice(1)),
    limits: { answer: 0.1 },
    parts: 1,
  },
]

describe('the limits of an answer', () => {
  for (const { title, chunks, limits, parts } of CASES) {
    it(`end ${title}, and leave what had arrived`, async () => {
      const [limit] = Object.keys(limits)
      for (const { status, error, messages } of await bothOf(chunks, limits)) {
        expect(status).to.equal('failed')
        expect(error).to.include({ code: 'PROVIDER_FAILED', plugin: 'endless' })
        expect(error?.message).to.include(`"limits.${limit}"`).and.include(String(limits[limit!]))
        expect(messages[0]?.parts).to.have.length(parts)
      }
    })
  }

  it('end chunks without end that come to nothing', async () => {
    const chunks = () => endless(text('I'), () => [])
    const empty = await bothOf(chunks, { stream_idle: 0.05 })
    const blank = () => endless(text('I'), () => text('').slice(1))
    const blanks = await bothOf(blank, { stream_idle: 0.05 })
    for (const { error, messages } of [...empty, ...blanks]) {
      expect(error).to.include({ code: 'TIMEOUT' })
      expect(messages[0]?.parts).to.have.length(1)
    }
  })

  it('hold for an answer in one piece', async () => {
    const calls = Array.from({ length: 9 }, (_, at) => {
      return { type: 'tool-call', callId: `c${at}`, name: 'look', input: {} } as const
    })
    const parts = [{ type: 'text', text: 'I see' } as const, ...calls]
    const provider = {
      kind: 'provider',
      name: 'whole',
      getModels: () => ['m'],
      getTags: () => ['tools'],
      call: (native: unknown, state: object) => {
        return [[], [{ role: 'assistant', parts }], native, state] as const
      },
    } as const
    await using host = await createHost({ plugins: [provider] })
    for (const limits of [{ answer_calls: 5 }, { answer_parts: 6 }, { answer_bytes: 450 }]) {
      const [limit = ''] = Object.keys(limits)
      const config = { provider: 'whole', limits }
      const thrown: unknown = await host.send(config, 'Hello').catch((error: unknown) => error)
      expect(thrown).to.include({ code: 'PROVIDER_FAILED' })
      const { message, partial = [] } = thrown as HostError
      expect(message).to.include(limit)
      expect((partial as readonly Message[])[0]?.parts.length).to.be.within(3, 6)
      const { error, messages } = await host.stream(config, 'Hello').result
      expect(error?.message).to.include(limit)
      expect(messages[0]?.parts.length).to.be.within(3, 6)
    }
  })

  it('end a call that takes longer than a whole answer may', async () => {
    const hang = new Promise(() => undefined)
    const provider = { kind: 'provider', name: 'slow', getModels: () => ['m'], call: () => hang }
    await using host = await createHost({ plugins: [provider] })
    const config = { provider: 'slow', limits: { answer: 0.05 } }
    const thrown: unknown = await host.send(config, 'Hello').catch((error: unknown) => error)
    expect(thrown).to.include({ code: 'PROVIDER_FAILED' })
    expect((thrown as Error).message).to.include('"limits.answer"')
  })

  it('end finals without end', async () => {
    const provider = {
      kind: 'provider',
      name: 'finals',
      getModels: () => ['m'],
      stream: () => endless([], () => [{}]),
      processChunk: (_chunk: unknown, native: unknown, state: object) => {
        return [[], [{ role: 'assistant', parts: [] }], native, state] as const
      },
    } as const
    await using host = await createHost({ plugins: [provider] })
    const { error } = await host.stream(
      { provider: 'finals', limits: { answer_parts: 5 } },
      'Hello',
    ).result
    expect(error?.message).to.include('answer_parts')
  })
})

describe('a limit on silence', () => {
  it('is named in the error, which says that nothing new came', async () => {
    async function* repeating() {
      yield text('a')
      for (;;) {
        await wait(1)
        yield []
      }
    }
    for (const { error } of await bothOf(repeating, { stream_idle: 0.05 })) {
      expect(error).to.include({ code: 'TIMEOUT' })
      expect(error?.message).to.include('it sent nothing new for 0.05 s (limits.stream_idle)')
    }
  })
})
