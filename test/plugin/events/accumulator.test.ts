import { expect } from 'chai'
import fc from 'fast-check'
import { Accumulator, type Message, type StreamEvent } from '../../../src/plugin/events/index.ts'
import { partials } from '../../helpers/arbitraries.ts'

function gather(events: readonly StreamEvent[]): readonly Message[] {
  const accumulator = new Accumulator()
  for (const event of events) accumulator.add(event)
  return accumulator.messages()
}

describe('Accumulator', () => {
  it('gathers parts in the order in which they were opened', () => {
    const messages = gather([
      { type: 'start', requestId: 'r' },
      { type: 'reasoning-start', id: 'a' },
      { type: 'text-start', id: 'b' },
      { type: 'text-delta', id: 'b', delta: 'Hel' },
      { type: 'reasoning-delta', id: 'a', delta: 'think' },
      { type: 'text-delta', id: 'b', delta: 'lo' },
      { type: 'text-end', id: 'b' },
      { type: 'reasoning-end', id: 'a', providerMetadata: { p: 1 } },
    ])
    expect(messages).to.deep.equal([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'think', providerMetadata: { p: 1 } },
          { type: 'text', text: 'Hello' },
        ],
      },
    ])
  })

  it('keeps text and reasoning of the same id apart', () => {
    const [message] = gather([
      { type: 'text-start', id: '0' },
      { type: 'reasoning-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'said' },
      { type: 'reasoning-delta', id: '0', delta: 'thought' },
    ])
    expect(message?.parts).to.deep.equal([
      { type: 'text', text: 'said' },
      { type: 'reasoning', text: 'thought' },
    ])
  })

  it('keeps what a run adds to its events out of the parts', () => {
    const parts = [
      { type: 'source', id: 's', title: 'A source' },
      { type: 'file', mediaType: 'a/b', url: 'https://x.test/f' },
      { type: 'tool-result', callId: 'c', name: 'search', output: 1 },
      { type: 'data', name: 'd', data: { at: 1 } },
    ] as const
    const [message] = gather(parts.map((part, seq) => ({ ...part, runId: 'r', seq, at: 5 })))
    expect(message?.parts).to.deep.equal(parts)
  })

  it('takes the messages of finish for the truth', () => {
    const truth: Message[] = [{ role: 'assistant', parts: [{ type: 'text', text: 'final' }] }]
    const messages = gather([
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'draft' },
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason: 'stop', usage: {}, messages: truth },
    ])
    expect(messages).to.equal(truth)
  })

  it('gives what it gathered where a stream ends in an error or is aborted', () => {
    const start: StreamEvent[] = [
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'so far' },
    ]
    for (const ending of [
      { type: 'error', error: { code: 'TIMEOUT', message: 'slow' } },
      { type: 'abort', reason: 'cancelled' },
    ] as const) {
      expect(gather([...start, ending])[0]?.parts).to.deep.equal([{ type: 'text', text: 'so far' }])
    }
  })

  it('keeps the arguments of a call that never ended as the text that came', () => {
    const [message] = gather([
      { type: 'tool-call-start', id: 'c', name: 'add' },
      { type: 'tool-call-delta', id: 'c', delta: '{"a":' },
    ])
    expect(message?.parts).to.deep.equal([
      { type: 'tool-call', callId: 'c', name: 'add', input: '{"a":' },
    ])
  })

  it('replaces data of the same id, and leaves out what is transient', () => {
    const [message] = gather([
      { type: 'data', name: 'progress', data: 1, id: 'x' },
      { type: 'data', name: 'log', data: 'a', transient: true },
      { type: 'data', name: 'progress', data: 2, id: 'x' },
      { type: 'data', name: 'note', data: 'b' },
    ])
    expect(message?.parts).to.deep.equal([
      { type: 'data', name: 'progress', data: 2 },
      { type: 'data', name: 'note', data: 'b' },
    ])
  })

  it('merges metadata, later keys over earlier ones', () => {
    const [message] = gather([
      { type: 'metadata', metadata: { model: 'm', finishReason: 'other' } },
      { type: 'metadata', metadata: { finishReason: 'stop' } },
    ])
    expect(message).to.deep.equal({
      role: 'assistant',
      parts: [],
      metadata: { model: 'm', finishReason: 'stop' },
    })
  })

  it('drops a text into which nothing was written, and gives no message where nothing came', () => {
    const empty: StreamEvent[] = [
      { type: 'text-start', id: '0' },
      { type: 'text-end', id: '0' },
    ]
    expect(gather(empty)).to.deep.equal([])
    expect(gather([])).to.deep.equal([])
  })

  it('does not change what it gave out before', () => {
    const accumulator = new Accumulator()
    accumulator.add({ type: 'text-start', id: '0' })
    accumulator.add({ type: 'text-delta', id: '0', delta: 'a' })
    const before = accumulator.messages()
    accumulator.add({ type: 'text-delta', id: '0', delta: 'b' })
    expect(before[0]?.parts).to.deep.equal([{ type: 'text', text: 'a' }])
  })

  it('joins, for any stream, the deltas of each part in order', () => {
    fc.assert(
      fc.property(partials, (events) => {
        const deltas = new Map<string, string>()
        for (const event of events) {
          if (!('delta' in event) || event.type === 'tool-call-delta') continue
          const key = `${event.type} ${event.id}`
          deltas.set(key, `${deltas.get(key) ?? ''}${event.delta}`)
        }
        const parts = gather(events)[0]?.parts ?? []
        const texts = parts.flatMap((part) =>
          'text' in part && part.text !== '' ? [part.text] : [],
        )
        const expected = [...deltas.values()].filter((joined) => joined !== '')
        expect([...texts].sort()).to.deep.equal(expected.sort())
      }),
    )
  })
})
