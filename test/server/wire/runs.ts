import fc from 'fast-check'
import {
  Accumulator,
  type PartialEvent,
  type RunEvent,
  type RunEventBody,
} from '../../../src/plugin/events/index.ts'
import type { RunFacts } from '../../../src/server/wire/protocol.ts'
import { anyText, partials } from '../../helpers/arbitraries.ts'

/** Facts of a run; the client's tools are these. */
export function factsOf(...clientTools: readonly string[]): RunFacts {
  return {
    runId: 'run-1',
    messageId: 'message-1',
    agent: 'published',
    createdAt: 1_700_000_000_123,
    clientTools: new Set(clientTools),
  }
}

/** Events with the numbers of a run. */
export function numbered(bodies: readonly RunEventBody[]): readonly RunEvent[] {
  return bodies.map((body, seq) => ({ ...body, runId: 'run-1', seq }))
}

const STOP = { finishReason: 'stop', usage: { input: 3, output: 2 } } as const

/** A run of these steps, each with its events; calls are answered by the host where it has a result. */
export function runOf(...steps: readonly (readonly PartialEvent[])[]): readonly RunEvent[] {
  return numbered(bodiesOf(steps))
}

function bodiesOf(steps: readonly (readonly PartialEvent[])[]): RunEventBody[] {
  const accumulator = new Accumulator()
  const bodies: RunEventBody[] = [{ type: 'start', requestId: 'r1' }]
  for (const [index, events] of steps.entries()) {
    const step = index + 1
    const answer = new Accumulator()
    for (const event of events) answer.add(event)
    const messages = answer.messages()
    const executed = index < steps.length - 1 ? executionsOf(events) : []
    bodies.push(
      { type: 'step-start', step, requestId: `r${step}` },
      ...events,
      { type: 'step-finish', step, ...STOP, messages },
      ...executed,
    )
  }
  for (const body of bodies) accumulator.add(body)
  const calls = steps.at(-1)?.some(({ type }) => type === 'tool-call-end') ?? false
  const finishReason = calls ? 'tool-calls' : 'stop'
  const usage = { input: 3 * steps.length, output: 2 * steps.length, cacheRead: 1 }
  return [...bodies, { type: 'finish', finishReason, usage, messages: accumulator.messages() }]
}

function executionsOf(events: readonly PartialEvent[]): RunEventBody[] {
  return events.flatMap((event): RunEventBody[] => {
    if (event.type !== 'tool-call-end') return []
    const { id: callId, input } = event
    const result = { type: 'tool-result', callId, name: 'run', output: 'done' } as const
    return [
      { type: 'tool-execution-start', callId, name: 'run', input },
      { type: 'tool-execution-progress', callId, progress: 1 },
      { type: 'tool-execution-end', callId, result },
    ]
  })
}

/** A legal run of one to three steps, whose calls have ids of their own. */
export const wholeRun: fc.Arbitrary<readonly RunEvent[]> = fc
  .array(partials, { minLength: 1, maxLength: 3 })
  .map((steps) => runOf(...steps.map((events, step) => events.map((one) => inStep(one, step)))))

/** A legal run whose calls have arguments that are JSON. */
export const soundRun: fc.Arbitrary<readonly RunEvent[]> = wholeRun.map((events) =>
  numbered(events.flatMap((event): RunEventBody[] => withArguments(event))),
)

/** What was the arguments becomes white space, and the end says all of them. */
function withArguments(event: RunEvent): RunEventBody[] {
  if (event.type === 'tool-call-delta')
    return [{ ...event, delta: event.delta.replaceAll(/./gs, ' ') }]
  if (event.type !== 'tool-call-end') return [event]
  return [{ type: 'tool-call-delta', id: event.id, delta: '{}' }, event]
}

function inStep(event: PartialEvent, step: number): PartialEvent {
  if (!('id' in event) || event.id === undefined) return event
  return { ...event, id: `${step}-${event.id}` }
}

const ENDINGS: readonly RunEventBody[] = [
  { type: 'error', error: { code: 'PROVIDER_FAILED', message: 'a secret of the server' } },
  { type: 'error', error: { code: 'SOMETHING_ELSE', message: 'a secret of the server' } },
  { type: 'abort', reason: 'a secret of the server' },
]

/** Texts with all that Unicode has, torn apart anywhere. */
export const anyTexts = fc
  .array(anyText({ maxLength: 5 }), { minLength: 1, maxLength: 5 })
  .map((texts) => [...texts, '\u2028\r\n\u0000', '\ud83d', '\ude00 [DONE]'])

/** A run cut anywhere, and ended there. */
export const cutRun: fc.Arbitrary<readonly RunEvent[]> = fc
  .tuple(wholeRun, fc.nat(), fc.constantFrom(...ENDINGS))
  .map(([events, at, ending]) => numbered([...events.slice(0, at % events.length), ending]))

/** A run with a step that begins anew somewhere. */
export const resetRun: fc.Arbitrary<readonly RunEvent[]> = fc
  .tuple(wholeRun, wholeRun, fc.nat())
  .map(([first, second, at]) =>
    numbered([
      ...first.slice(0, 2 + (at % (first.length - 2))),
      { type: 'step-reset', step: 1, reason: 'again' },
      ...second.slice(2),
    ]),
  )

export const anyRun = fc.oneof(wholeRun, cutRun, resetRun)

/** What the client may say are its tools: those of the runs above, or none of them. */
export const anyFacts = fc.constantFrom(factsOf(), factsOf('run'), factsOf('other'))
