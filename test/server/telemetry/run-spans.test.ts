import { ROOT_CONTEXT, SpanKind, type SpanOptions, SpanStatusCode } from '@opentelemetry/api'
import { expect } from 'chai'
import type { RunEventBody } from '../../../src/plugin/events/index.ts'
import { RunSpans, type SpanParts } from '../../../src/server/telemetry/run-spans.ts'

/** A span as a tracer was told of it. */
class ToldSpan {
  readonly links: string[] = []
  readonly events: string[] = []
  endedAt: number | undefined
  readonly attributes: { [key: string]: unknown }
  readonly name: string
  readonly parent: string | undefined

  constructor(name: string, options: SpanOptions, parent: unknown) {
    this.name = name
    this.attributes = { ...options.attributes }
    this.parent = parent instanceof ToldSpan ? parent.name : undefined
  }
  setAttribute(key: string, value: unknown): void {
    this.attributes[key] = value
  }
  setAttributes(more: object): void {
    Object.assign(this.attributes, more)
  }
  setStatus(): void {}
  addEvent(name: string): void {
    this.events.push(name)
  }
  addLink({ context }: { context: unknown }): void {
    this.links.push(String(context))
  }
  spanContext(): string {
    return `${this.name} ${this.attributes['error.type'] ?? ''}`.trim()
  }
  end(at: number): void {
    expect(this.endedAt, `the end of ${this.name}`).to.equal(undefined)
    this.endedAt = at
  }
}

describe('the spans of a run that a crash interrupted', () => {
  let spans: ToldSpan[]
  const tell = (events: readonly RunEventBody[]) => {
    const run = { id: 'r', owner: 'ada', order: { agent: 'a', model: 'a' }, startedAt: 0 }
    const startSpan = (name: string, options: SpanOptions, parent: unknown) => {
      const span = new ToldSpan(name, options, parent)
      spans.push(span)
      return span
    }
    const trace = { getTracer: () => ({ startSpan }), setSpan: (_: unknown, span: unknown) => span }
    const api = { trace, SpanKind, SpanStatusCode }
    const parts = { api, meters: { add: () => undefined }, hasContent: false }
    const telling = new RunSpans(run as never, parts as unknown as SpanParts, ROOT_CONTEXT)
    for (const [seq, event] of events.entries()) {
      telling.add({ ...event, runId: 'r', seq, at: seq * 10 })
    }
  }
  beforeEach(() => {
    spans = []
  })

  const begun: readonly RunEventBody[] = [
    { type: 'start', requestId: 'q' },
    { type: 'step-start', step: 1, requestId: 'q' },
  ]
  const answered: RunEventBody = {
    type: 'step-finish',
    step: 1,
    finishReason: 'stop',
    usage: {},
    messages: [],
  }
  const resumed: RunEventBody = { type: 'run-resumed', resumptions: 1, reason: 'gone' }
  const done: RunEventBody = {
    type: 'finish',
    finishReason: 'stop',
    usage: {},
    termination: { reason: 'natural_end' },
  } as RunEventBody

  it('are one tree, with the answer that was cut off and the one after it', () => {
    const reset: RunEventBody = { type: 'step-reset', step: 1, reason: 'gone' }
    tell([...begun, { type: 'text-start', id: 't' }, resumed, reset, answered, done])
    expect(spans.map(({ name, parent }) => [name, parent])).to.deep.equal([
      ['invoke_agent a', undefined],
      ['chat a', 'invoke_agent a'],
      ['chat a', 'invoke_agent a'],
    ])
    const [agent, cut, again] = spans
    expect(agent?.attributes).to.include({ 'braidwork.run.resumptions': 1 })
    expect(agent?.attributes).to.not.have.property('error.type')
    expect(agent?.events).to.deep.equal(['braidwork.run.resumed'])
    expect(cut?.attributes).to.include({ 'error.type': 'interrupted', 'braidwork.step': 1 })
    expect(cut?.endedAt).to.equal(20)
    expect(again?.attributes).to.include({ 'braidwork.step': 1 })
    expect(again?.attributes).to.not.have.property('error.type')
    expect(again?.links).to.deep.equal(['chat a interrupted'])
    expect(spans.map(({ endedAt }) => endedAt)).to.deep.equal([60, 20, 50])
    for (const { name, attributes } of spans) {
      expect(attributes, name).to.include({ 'gen_ai.agent.name': 'a', 'braidwork.run.id': 'r' })
    }
  })

  it('have each run of a call that began twice', () => {
    const call: RunEventBody = {
      type: 'tool-execution-start',
      callId: 'c',
      name: 'look',
      input: {},
    }
    const result = { type: 'tool-result', callId: 'c', name: 'look', output: 'x' } as const
    const end: RunEventBody = { type: 'tool-execution-end', callId: 'c', result }
    tell([...begun, answered, call, resumed, call, end, done])
    const calls = spans.filter(({ name }) => name === 'execute_tool look')
    expect(
      calls.map(({ attributes, endedAt }) => [attributes['error.type'], endedAt]),
    ).to.deep.equal([
      ['interrupted', 30],
      [undefined, 60],
    ])
    expect(spans.every(({ endedAt }) => endedAt !== undefined)).to.equal(true)
  })
})
