import { expect } from 'chai'
import fc from 'fast-check'
import { childSpans, spansOf, type TimedEvent } from '../../../src/page/site/timeline/spans.ts'

/** Events ten milliseconds after each other. */
function timed(...events: readonly { readonly type: string; readonly [field: string]: unknown }[]) {
  return events.map((event, seq): TimedEvent => ({ ...event, seq, at: 10 * seq }))
}

const shown = (events: readonly TimedEvent[]) =>
  spansOf(events).map(({ kind, name, from, to, state }) => [kind, name, from, to, state])

describe('the time line of a run', () => {
  it('has its steps, its calls and its waits, from begin to end', () => {
    const events = timed(
      { type: 'start' },
      { type: 'step-start', step: 1 },
      { type: 'step-finish', step: 1 },
      { type: 'approval-required', approvalId: 'a', name: 'write' },
      { type: 'approval-resolved', approvalId: 'a', approved: true },
      { type: 'tool-execution-start', callId: 'c', name: 'write' },
      { type: 'tool-execution-start', callId: 'd', name: 'look' },
      { type: 'tool-execution-end', callId: 'd', state: 'failed' },
      { type: 'tool-execution-end', callId: 'c', state: 'succeeded' },
      { type: 'finish' },
    )
    expect(shown(events)).to.deep.equal([
      ['run', '', 0, 90, 'finish'],
      ['step', '1', 10, 20, undefined],
      ['wait', 'write', 30, 40, 'approved'],
      ['call', 'write', 50, 80, 'succeeded'],
      ['call', 'look', 60, 70, 'failed'],
    ])
  })

  it('has moments, such as a failed try', () => {
    const events = timed({ type: 'start' }, { type: 'model-failed' }, { type: 'abort' })
    expect(shown(events)[1]).to.deep.equal(['retry', 'model-failed', 10, 10, undefined])
  })

  it('ends with the last event where something has not ended', () => {
    const events = timed({ type: 'start' }, { type: 'step-start', step: 1 }, { type: 'text-start' })
    expect(shown(events)).to.deep.equal([
      ['run', '', 0, 20, undefined],
      ['step', '1', 10, 20, undefined],
    ])
  })

  it('has no negative lengths, and nothing without a time, whatever the events are', () => {
    const type = fc.constantFrom('start', 'step-start', 'step-finish', 'finish', '__proto__', 'x')
    const at = fc.option(fc.oneof(fc.integer(), fc.constant(Number.NaN)), { nil: undefined })
    const event = fc.record({ type, at, step: fc.nat(3) }, { requiredKeys: ['type'] })
    fc.assert(
      fc.property(fc.array(event), (given) => {
        const events = given.map((one, seq) => ({ ...one, seq }) as TimedEvent)
        for (const { from, to } of spansOf(events)) expect(to).to.be.at.least(from)
      }),
    )
  })

  it('has the runs below a run', () => {
    const agents = [
      { id: 'r', agent: 'root', state: 'running', startedAt: 0, children: ['c'] },
      { id: 'c', agent: 'child', state: 'running', startedAt: 5, children: [] },
    ]
    expect(childSpans(agents, 'r', 30)).to.deep.equal([
      { kind: 'child', name: 'child', from: 5, to: 30, state: 'running', facts: [agents[1]] },
    ])
  })
})
