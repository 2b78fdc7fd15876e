import { expect } from 'chai'
import type { Message } from '../../src/plugin/events/index.ts'
import { LOCAL } from '../../src/server/index.ts'
import { Rejoiner } from '../../src/server/rejoin.ts'

const HOUR = 60 * 60_000
const ADA = { id: 'ada', role: 'user' } as const

const call = (callId: string, name: string) =>
  ({ type: 'tool-call', callId, name, input: {} }) as const
const ANSWERED: readonly Message[] = [
  { role: 'assistant', parts: [call('c1', 'search'), call('c2', 'locate')] },
  { role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', name: 'search', output: 'found' }] },
]
const SHOWN: readonly Message[] = [
  { role: 'user', parts: [{ type: 'text', text: 'Where?' }] },
  { role: 'assistant', parts: [call('c2', 'locate')] },
  { role: 'tool', parts: [{ type: 'tool-result', callId: 'c2', name: 'locate', output: 'there' }] },
]

describe('what a client was not shown of an answer', () => {
  let now = 0
  let rejoiner: Rejoiner
  beforeEach(() => {
    now = 0
    rejoiner = new Rejoiner(() => now)
    rejoiner.keep(ADA, ANSWERED, new Set(['locate']))
  })

  it('stands again where its history has that answer', () => {
    expect(rejoiner.rejoin(ADA, SHOWN)).to.deep.equal([SHOWN[0], ...ANSWERED, SHOWN[2]])
  })

  it('is kept for an hour', () => {
    now = HOUR - 1
    expect(rejoiner.rejoin(ADA, SHOWN)).to.have.length(4)
    now = HOUR
    expect(rejoiner.rejoin(ADA, SHOWN)).to.deep.equal(SHOWN)
  })

  it('is kept for an hour from its last answer, whatever earlier answer used the same ids', () => {
    const later = ANSWERED.map((message): Message => {
      if (message.role !== 'tool') return message
      const result = { type: 'tool-result', callId: 'c1', name: 'search', output: 'moved' } as const
      return { role: 'tool', parts: [result] }
    })
    now = HOUR / 2
    rejoiner.keep(ADA, later, new Set(['locate']))
    now = HOUR
    expect(rejoiner.rejoin(ADA, SHOWN)).to.deep.equal([SHOWN[0], ...later, SHOWN[2]])
  })

  it('takes the place of calls that the client was shown and sends back, under whichever ids', () => {
    const shown = new Map([['mcp_run_0', 'c1']])
    rejoiner.keep(ADA, ANSWERED, new Set(['locate']), shown)
    const earlier: Message = { role: 'assistant', parts: [call('c0', 'search')] }
    const result = (callId: string) =>
      ({ type: 'tool-result', callId, name: 'search', output: 'found' }) as const
    for (const id of ['c1', 'mcp_run_0']) {
      const apart: readonly Message[] = [
        earlier,
        { role: 'tool', parts: [result('c0')] },
        { role: 'assistant', parts: [call(id, 'search')] },
        { role: 'tool', parts: [result(id)] },
        ...SHOWN.slice(1),
      ]
      expect(rejoiner.rejoin(ADA, apart)).to.deep.equal([
        ...apart.slice(0, 2),
        ...ANSWERED,
        SHOWN[2],
      ])
      const together: readonly Message[] = [
        { role: 'assistant', parts: [call('c2', 'locate'), call(id, 'search')] },
        { role: 'tool', parts: [result(id), ...(SHOWN[2]?.parts ?? [])] },
      ]
      expect(rejoiner.rejoin(ADA, together)).to.deep.equal([...ANSWERED, SHOWN[2]])
    }
  })

  it("is nobody else's", () => {
    expect(rejoiner.rejoin(LOCAL, SHOWN)).to.deep.equal(SHOWN)
  })

  it('is not put into what the client says of other calls, or in the name of others', () => {
    const other: readonly Message[] = [
      { role: 'user', parts: [{ type: 'text', text: 'c2' }] },
      { role: 'assistant', parts: [call('c9', 'locate')] },
    ]
    expect(rejoiner.rejoin(ADA, other)).to.deep.equal(other)
  })

  it('is not that of another conversation, whose calls have the same ids', () => {
    const same = { ...call('c2', 'locate'), input: { city: 'Rome' } }
    const other: readonly Message[] = [{ role: 'assistant', parts: [same] }]
    expect(rejoiner.rejoin(ADA, other)).to.deep.equal(other)
  })

  it('is so much and no more, the newest of it', () => {
    const large = (callId: string): readonly Message[] => [
      { role: 'assistant', parts: [call(callId, 'locate')] },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'h', name: 'search', output: 'x'.repeat(4 << 20) }],
      },
    ]
    // More than what is kept of all callers together, if what was forgotten counted.
    for (let at = 0; at < 20; at++) rejoiner.keep(ADA, large(`large-${at}`), new Set(['locate']))
    const lengths = [15, 16, 17, 18, 19].map((at) => {
      const shown: readonly Message[] = [
        { role: 'assistant', parts: [call(`large-${at}`, 'locate')] },
      ]
      return rejoiner.rejoin(ADA, shown).length
    })
    expect(lengths).to.deep.equal([1, 1, 2, 2, 2])
    expect(rejoiner.rejoin(ADA, SHOWN)).to.deep.equal(SHOWN)
  })

  it('is the newest thousand calls at most', () => {
    for (let at = 0; at < 1000; at++) {
      const message: Message = { role: 'assistant', parts: [call(`n${at}`, 'locate')] }
      rejoiner.keep(ADA, [message], new Set(['locate']))
    }
    expect(rejoiner.rejoin(ADA, SHOWN)).to.deep.equal(SHOWN)
    const newest: readonly Message[] = [{ role: 'assistant', parts: [call('n999', 'locate')] }]
    expect(rejoiner.rejoin(ADA, newest)).to.deep.equal(newest)
  })
})
