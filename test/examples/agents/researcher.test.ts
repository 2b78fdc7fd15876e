import { expect } from 'chai'
import type { AgentSpec } from '../../../src/agent/index.ts'
import { HostError } from '../../../src/core/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { type Changes, calling, callsIn, Example, endsIn } from './example.ts'

const search = (words = 'moon') => ({ name: 'search', input: { words } })

describe('the example researcher', () => {
  const open: Example[] = []
  afterEach(async () => {
    for (const example of open.splice(0)) await example.close()
  })

  async function opened(changes: Changes = {}): Promise<Example> {
    const example = await Example.open('researcher', changes)
    open.push(example)
    return example
  }

  const withBudget = (searches: unknown): Partial<AgentSpec> => ({
    sections: { budget: { searches } },
  })

  it('answers from the documents, and names its sources beside the result', async () => {
    const example = await opened()
    const { events, result } = await example.stream({ messages: 'Which lens has a lighthouse?' })
    expect(result.termination).to.deep.equal({ reason: 'natural_end' })
    expect(endsIn(events)).to.deep.equal(callsIn(result))
    const [call] = callsIn(result)
    expect(call?.output).to.have.nested.property('found[0].document', 'lighthouses.md')
    const evidence = result.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? (part.evidence ?? []) : [])),
    )
    expect(evidence).to.include('lighthouses.md')
  })

  it('makes three searches, and ends where the model wants a fourth one', async () => {
    const example = await opened()
    const { events, result } = await example.stream({ messages: 'Tell me everything.' })
    expect(result.termination).to.deep.include({ reason: 'behavior_requested' })
    expect(result.termination)
      .to.have.property('detail')
      .that.includes('The budget is 3 searches. The run has made 3')
    expect(callsIn(result).map((call) => call.class)).to.deep.equal([
      undefined,
      undefined,
      undefined,
      'canceled',
    ])
    const states = events.flatMap((event) =>
      event.type === 'run-state' && event.commit ? [event.values['searches']] : [],
    )
    expect(states).to.deep.equal([1, 2, 3])
  })

  it('searches nothing with a budget of zero, and still answers what needs no search', async () => {
    const example = await opened({ script: calling(search()), spec: withBudget(0) })
    const result = await example.result()
    expect(result.termination).to.deep.include({ reason: 'behavior_requested' })
    expect(callsIn(result).map((call) => call.class)).to.deep.equal(['canceled'])
    const still = await opened({ script: [{ then: { text: 'Hello.' } }], spec: withBudget(0) })
    expect((await still.result()).termination).to.deep.equal({ reason: 'natural_end' })
  })

  it('runs none of the searches of an answer that asks for more than are left', async () => {
    const script = [{ then: { tool_calls: [search('sun'), search('moon')] } }]
    const example = await opened({ script, spec: withBudget(1) })
    const result = await example.result()
    expect(result.termination).to.deep.include({ reason: 'behavior_requested' })
    expect(callsIn(result).map((call) => call.class)).to.deep.equal(['canceled', 'canceled'])
  })

  it('does not count calls that failed; a stop condition ends those', async () => {
    const wrong = ['a', 'b', 'c', 'd'].map((word) => ({ name: 'search', input: { word } }))
    const example = await opened({ script: calling(...wrong), spec: withBudget(1) })
    const result = await example.result()
    expect(result.termination).to.deep.include({ reason: 'stopped', code: 'consecutive_errors' })
    expect(callsIn(result).map((call) => call.class)).to.deep.equal([
      'invalid_arguments',
      'invalid_arguments',
      'invalid_arguments',
      'canceled',
    ])
  })

  it('has no limit without the section, and counts for each run anew', async () => {
    const script = calling(search('moon'), search('sun'), search('tide'), search('lens'))
    const example = await opened({ script, spec: { sections: {} } })
    expect(callsIn(await example.result())).to.have.length(4)
    const limited = await opened({ script: calling(search()), spec: withBudget(1) })
    for (const _ of [1, 2])
      expect((await limited.result()).termination).to.deep.equal({ reason: 'natural_end' })
  })

  it('does not run with a budget that is not one', async () => {
    for (const searches of [-1, 1.5, '3', undefined]) {
      const example = await opened({ spec: withBudget(searches) })
      const error = await errorOf(example.runtime.resolve('researcher'))
      expect(HostError.is(error) && error.code).to.equal('INVALID_PLUGIN_CONFIG')
      expect(HostError.is(error) && error.plugin).to.equal('budget')
    }
  })
})
