import { expect } from 'chai'
import fc from 'fast-check'
import type { PartialEvent, RunEvent } from '../../../../src/plugin/events/index.ts'
import type { RunFacts } from '../../../../src/server/wire/protocol.ts'
import { responsesAnswer, responsesEncoder } from '../../../../src/server/wire/responses/index.ts'
import { textEvents } from '../../../helpers/hosts.ts'
import { sseFrames } from '../frames.ts'
import { factsOf, numbered, runOf, wholeRun } from '../runs.ts'

interface Response {
  readonly status: string
  readonly output: readonly { readonly [field: string]: unknown }[]
}
interface Frame {
  readonly type: string
  readonly response?: Response
}
interface Shown {
  readonly showsHostCalls?: boolean
  readonly facts?: RunFacts
}

function framesOf(events: readonly RunEvent[], { facts = factsOf(), ...shown }: Shown = {}) {
  const encoder = responsesEncoder(facts, shown)
  const text = events.map((event) => encoder.encode(event)).join('')
  return sseFrames(text).map(({ data }) => JSON.parse(data) as Frame)
}

/** The response of a run, which is the same with and without a stream. */
function responseOf(events: readonly RunEvent[], shown: Shown = {}) {
  const whole = responsesAnswer(shown.facts ?? factsOf(), shown)
  for (const event of events) whole.add(event)
  const streamed = framesOf(events, shown).at(-1)?.response
  expect(whole.answer().body).to.deep.equal(streamed)
  return streamed
}

const CALL: readonly PartialEvent[] = [
  { type: 'tool-call-start', id: 'c1', name: 'run' },
  { type: 'tool-call-delta', id: 'c1', delta: '{}' },
  { type: 'tool-call-end', id: 'c1', input: {} },
]

function emptyMessage(index: number) {
  return {
    id: `msg_run-1_${index}`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: '', annotations: [], logprobs: [] }],
  }
}

describe('the response of an answer without text', () => {
  it('has a message with an empty text', () => {
    for (const events of [[], textEvents(), textEvents('')]) {
      const { output, status } = responseOf(runOf(events)) ?? {}
      expect({ output, status }).to.deep.equal({ output: [emptyMessage(0)], status: 'completed' })
    }
  })

  it('tells the message as that of any other text, but for deltas', () => {
    expect(framesOf(runOf([])).map(({ type }) => type)).to.deep.equal([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
  })

  it('has the message also where a filter held the text back', () => {
    const events = runOf([]).map((event) =>
      event.type === 'finish' ? { ...event, finishReason: 'content-filter' as const } : event,
    )
    const { output, status } = responseOf(events) ?? {}
    expect({ output, status }).to.deep.equal({ output: [emptyMessage(0)], status: 'incomplete' })
  })

  it('has the message behind calls of the host, with the same id for clients that see none', () => {
    const run = runOf(CALL, [])
    const [call, ...rest] = responseOf(run)?.output ?? []
    expect(call).to.include({ type: 'mcp_call' })
    expect(rest).to.deep.equal([emptyMessage(1)])
    expect(responseOf(run, { showsHostCalls: false })?.output).to.deep.equal([emptyMessage(1)])
  })

  it('has the message behind reasoning and images, which end no answer', () => {
    const reasoning: readonly PartialEvent[] = [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'r' },
    ]
    const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const
    for (const [events, type] of [
      [reasoning, 'reasoning'],
      [[file], 'image_generation_call'],
    ] as const) {
      const [first, ...rest] = responseOf(runOf(events))?.output ?? []
      expect(first).to.include({ type })
      expect(rest, type).to.deep.equal([emptyMessage(1)])
    }
    const called = responseOf(runOf([...reasoning, ...CALL]), { facts: factsOf('run') })
    expect(called?.output.map(({ type }) => type)).to.deep.equal(['reasoning', 'function_call'])
  })

  it('has no message where the client answers a call, and where the run failed', () => {
    const called = responseOf(runOf(CALL), { facts: factsOf('run') })?.output ?? []
    expect(called.map(({ type }) => type)).to.deep.equal(['function_call'])
    const error = { code: 'OVERLOADED', message: 'No.' }
    const failed = numbered([...runOf([]).slice(0, -1), { type: 'error', error }])
    expect(framesOf(failed).at(-1)?.response).to.deep.include({ status: 'failed', output: [] })
  })

  it('is the same with and without a stream for any run that has an answer', () => {
    fc.assert(
      fc.property(wholeRun, (events) => {
        expect(responseOf(events)?.output).not.to.deep.equal([])
      }),
    )
  })
})
