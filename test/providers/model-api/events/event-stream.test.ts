import { expect } from 'chai'
import { openAnswer } from '../../../../providers/model-api/events/event-stream.ts'
import type { Framing } from '../../../../providers/model-api/events/framing.ts'
import { limitsOf } from '../../../../providers/model-api/limits.ts'

const PROFILE = { name: 'p', title: 'P' } as Parameters<typeof openAnswer>[0]['profile']
const ENDING = { wholeWith: () => true, hasDone: true }

/** The events of each read of a body whose pieces arrive one by one. */
async function readsOf(pieces: readonly string[], framing: Framing): Promise<readonly unknown[]> {
  const left = pieces.map((piece) => Buffer.from(piece))
  const read = async () => ({ done: left.length === 0, value: left.shift() })
  const body = { getReader: () => ({ read, cancel: async () => undefined }) }
  const response = { body } as unknown as Response
  const limits = limitsOf({})
  const reader = await openAnswer({ response, profile: PROFILE, limits, framing, ending: ENDING })
  const reads: unknown[] = []
  for (let events = await reader.next(); events; events = await reader.next()) reads.push(events)
  return reads
}

describe('an answer that a server keeps alive', () => {
  const end = { type: 'end', object: 'end' }

  for (const [title, piece] of [
    ['a comment', ': OPENROUTER PROCESSING\n\n'],
    ['a blank line', '\n'],
    ['a blank line of another kind', '\r\n'],
    ['an event without data', 'event: keepalive\ndata:\n\n'],
  ] as const) {
    it(`gives an empty list of events for ${title}, so that its reader sees the sign of life`, async () => {
      const pieces = [piece, piece, 'data: {"a":1}\n\n']
      const expected = [[], [], [{ a: 1 }], [end]]
      expect(await readsOf(pieces, 'server-sent-events')).to.deep.equal(expected)
    })
  }

  it('gives an empty list for a part of an event', async () => {
    const reads = await readsOf(['data: {"a', '":1}\n\n'], 'server-sent-events')
    expect(reads).to.deep.equal([[], [{ a: 1 }], [end]])
  })

  it('gives an empty list for an empty line between lines of JSON', async () => {
    expect(await readsOf(['\n', '{"a":1}\n'], 'ndjson')).to.deep.equal([[], [{ a: 1 }], [end]])
  })
})
