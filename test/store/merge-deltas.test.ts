import { expect } from 'chai'
import fc from 'fast-check'
import { mergeDeltas } from '../../src/agent/storage/merge-deltas.ts'
import { Accumulator, type RunEvent } from '../../src/plugin/events/index.ts'

const KINDS = ['text', 'reasoning', 'tool-call'] as const

/** Parts of several steps whose ids are used again, some of them open at once, some never closed. */
const runs = fc
  .array(
    fc.array(
      fc.record({
        kind: fc.constantFrom(...KINDS),
        deltas: fc.array(fc.string({ maxLength: 4 }), { maxLength: 5 }),
      }),
      { maxLength: 3 },
    ),
    { maxLength: 3 },
  )
  .map((steps) =>
    steps
      .flatMap((parts, step) => [
        { type: 'step-start', step },
        ...parts.map(({ kind }, id) => ({ type: `${kind}-start`, id: `${id}`, name: 'f' })),
        ...Array.from({ length: 5 }, (_, round) =>
          parts.flatMap(({ kind, deltas }, id) =>
            round < deltas.length
              ? [{ type: `${kind}-delta`, id: `${id}`, delta: deltas[round] }]
              : [],
          ),
        ).flat(),
        ...parts.map(({ kind }, id) => ({ type: `${kind}-end`, id: `${id}`, input: {} })),
      ])
      .map((event, seq) => ({ ...event, runId: 'r', seq }) as unknown as RunEvent),
  )

function messagesOf(events: readonly RunEvent[]): unknown {
  const accumulator = new Accumulator()
  for (const event of events) accumulator.add(event)
  return accumulator.messages()
}

describe('mergeDeltas', () => {
  it('leaves what the events come to as it was', () => {
    fc.assert(
      fc.property(runs, (events) => {
        expect(messagesOf(mergeDeltas(events))).to.deep.equal(messagesOf(events))
      }),
    )
  })

  it('LR-14 keeps the time of the first delta of each part', () => {
    const delta = (seq: number) =>
      ({ type: 'text-delta', id: 't', delta: `${seq}`, runId: 'r', seq, at: 100 + seq }) as const
    expect(mergeDeltas([delta(0), delta(1), delta(2)])).to.deep.equal([
      { ...delta(0), delta: '012' },
    ])
  })

  it('leaves one delta of each part at most, in the order of the log', () => {
    fc.assert(
      fc.property(runs, (events) => {
        const merged = mergeDeltas(events)
        const seqs = merged.map(({ seq }) => seq)
        expect(seqs).to.deep.equal([...seqs].sort((a, b) => a - b))
        let open = new Set<string>()
        for (const { type, ...event } of merged) {
          if (type === 'step-start') open = new Set()
          if (!type.endsWith('-delta')) continue
          const part = `${type} ${String((event as { id?: string }).id)}`
          expect(open.has(part)).to.equal(false)
          open.add(part)
        }
      }),
    )
  })
})
