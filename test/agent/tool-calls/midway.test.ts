import { expect } from 'chai'
import { type RunOptions, type RunResult, run } from '../../../src/agent/index.ts'
import type { Host } from '../../../src/core/host/index.ts'
import { EventChecker, type RunEvent } from '../../../src/plugin/events/index.ts'
import type { ToolCall } from '../../../src/plugin/index.ts'
import { collect, scriptedHost, typesOf } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'

const COLOR = { type: 'object', properties: { color: { type: 'string', enum: ['red', 'blue'] } } }

/** A config whose model calls tools in its first step. */
function calling(...names: readonly string[]) {
  const calls = names.map((name) => ({ name, input: { path: 'wall' } }))
  const script = [{ when: { step: 1 }, then: { tool_calls: calls } }, { then: { text: 'Done.' } }]
  return { settings: { scripted: { script } } }
}

describe('a call that asks a person in the middle', () => {
  let seen: ToolCall[]
  let questions: number
  let host: Host

  /** Asks for a color, as often as `questions` says, and then paints. */
  const paint = tool('paint', {
    getToolSchemas: () => [schema('paint')],
    executeTool: (call: ToolCall) => {
      seen.push(call)
      if (questions-- > 0)
        return {
          output: 'nobody to ask',
          isError: true,
          question: { question: 'Which color?', schema: COLOR },
        }
      return { painted: call.answer?.value ?? 'not at all' }
    },
  })
  const look = tool('look', {
    getToolSchemas: () => [schema('look')],
    executeTool: () => 'a wall',
  })

  beforeEach(async () => {
    seen = []
    questions = 1
    host = await scriptedHost([paint, look], calling('paint', 'look'))
  })
  afterEach(() => host.close())

  async function leg(options: Partial<RunOptions> = {}) {
    const stream = run(host, { messages: 'go', ...options })
    const events = await collect(stream)
    const checker = new EventChecker('run')
    for (const event of events) checker.check(event)
    return { events, result: await stream.result }
  }

  function answered({ suspension, messages }: RunResult, value: unknown, approved = true) {
    const [approval] = suspension?.approvals ?? []
    if (!suspension || !approval) throw new Error('the run does not wait')
    const verdicts = [{ approvalId: approval.approvalId, approved, value }]
    const asked = { role: 'user', parts: [{ type: 'text', text: 'go' }] } as const
    return { messages: [asked, ...messages], resume: { ...suspension, verdicts } }
  }

  const ends = (events: readonly RunEvent[]) =>
    events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [[event.result.name, event.result.output]] : [],
    )

  it('CT-31 suspends the run after the other calls, and tells the question with its form', async () => {
    const { events, result } = await leg()
    expect(ends(events)).to.deep.equal([['look', 'a wall']])
    expect(typesOf(events).slice(-2)).to.deep.equal(['approval-required', 'finish'])
    expect(events.find(({ type }) => type === 'approval-required')).to.deep.include({
      name: 'paint',
      isQuestion: true,
      input: { question: 'Which color?', schema: COLOR, arguments: { path: 'wall' } },
    })
    expect(result.termination).to.deep.equal({ reason: 'suspended' })
  })

  it('CT-31 goes on with the answer: the same call, with its arguments, started once', async () => {
    const first = await leg()
    const second = await leg(answered(first.result, { color: 'blue' }))
    expect(seen[1]).to.deep.include({
      callId: seen[0]?.callId,
      input: { path: 'wall' },
      answer: { value: { color: 'blue' } },
    })
    expect(ends(second.events)).to.deep.equal([['paint', { painted: { color: 'blue' } }]])
    const starts = [...first.events, ...second.events].filter(
      (event) => event.type === 'tool-execution-start' && event.name === 'paint',
    )
    expect(starts).to.have.length(1)
    const resolved = second.events.filter(({ type }) => type === 'approval-resolved')
    expect(resolved).to.have.length(1)
    expect(resolved[0]).to.include({ callId: seen[0]?.callId, approved: true, isQuestion: true })
    expect(second.result).to.include({ status: 'done', finishReason: 'stop' })
  })

  it('may ask again', async () => {
    questions = 2
    const first = await leg()
    const second = await leg(answered(first.result, { color: 'red' }))
    expect(second.result.termination).to.deep.equal({ reason: 'suspended' })
    const { messages } = answered(first.result, { color: 'red' })
    const third = await leg({ ...answered(second.result, { color: 'blue' }), messages })
    expect(ends(third.events)).to.deep.equal([['paint', { painted: { color: 'blue' } }]])
    expect(third.result.status).to.equal('done')
  })

  for (const [title, value, approved] of [
    ['refuses to answer', undefined, false],
    ['gives an answer that does not fit', { color: 'green' }, true],
  ] as const) {
    it(`goes on without an answer where the person ${title}`, async () => {
      const first = await leg()
      const second = await leg(answered(first.result, value, approved))
      expect(seen[1]?.answer).to.deep.equal({})
      expect(ends(second.events)).to.deep.equal([['paint', { painted: 'not at all' }]])
    })
  }

  it('has the output as its result where nobody can be asked', async () => {
    const { events, result } = await leg({ canAsk: false })
    expect(seen[0]?.canAsk).to.equal(false)
    expect(ends(events)[0]).to.deep.equal(['paint', 'nobody to ask'])
    expect(result.finishReason).to.equal('stop')
  })

  it('has the output as its result outside of a run', async () => {
    using opened = await host.open()
    const call = { type: 'tool-call', callId: '1', name: 'paint', input: { path: 'wall' } } as const
    const { output, isError } = await opened.execute(call)
    expect([output, isError]).to.deep.equal(['nobody to ask', true])
    expect(seen[0]?.canAsk).to.equal(undefined)
  })

  it('LR-15 does not go on where its tool has changed since', async () => {
    const first = await leg()
    const changed = tool('paint', {
      getToolSchemas: () => [schema('paint', { description: 'Burns the wall' })],
      executeTool: () => 'burnt',
    })
    await using other = await scriptedHost([changed, look], calling('paint', 'look'))
    const events = await collect(run(other, answered(first.result, { color: 'blue' })))
    const [[, output] = []] = ends(events)
    expect(output).to.match(/changed after the call was approved/)
  })
})
