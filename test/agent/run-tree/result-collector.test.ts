import { expect } from 'chai'
import { ResultCollector } from '../../../src/agent/index.ts'
import type { RunEvent, RunEventBody } from '../../../src/plugin/events/index.ts'

function collected(bodies: readonly RunEventBody[], options: object = {}): ResultCollector {
  const collector = new ResultCollector(options)
  for (const [seq, body] of bodies.entries()) {
    const event: RunEvent = { ...body, runId: 'r', seq, at: seq }
    collector.add(event)
  }
  return collector
}

const step = (count: number): RunEventBody => ({
  type: 'step-start',
  step: count,
  requestId: `q${count}`,
})
const begin = (callId: string): RunEventBody => ({
  type: 'tool-execution-start',
  callId,
  name: 'look',
  input: {},
})
const end = (callId: string, output: unknown, more: object = {}): RunEventBody => ({
  type: 'tool-execution-end',
  callId,
  state: 'succeeded',
  result: { type: 'tool-result', callId, name: 'look', output, ...more },
})

describe('the collector of results', () => {
  it('AL-12 counts calls by request, and says when all are complete', () => {
    const begun = [step(1), begin('a'), begin('b'), end('a', 'x')]
    const half = collected(begun)
    expect(half.requests.map(({ begun: all, ended }) => [all, ended])).to.deep.equal([[2, 1]])
    expect(half.isComplete()).to.equal(false)
    const more = collected([...begun, end('b', 'y'), step(2), begin('a')])
    expect(more.isComplete('q1')).to.equal(true)
    expect(more.isComplete('q2')).to.equal(false)
    expect(more.isComplete()).to.equal(false)
    expect(more.requests.map(({ requestId, begun: all }) => [requestId, all])).to.deep.equal([
      ['q1', 2],
      ['q2', 1],
    ])
  })

  it('AL-12 counts a call that began again, or never ran, once', () => {
    const again = collected([step(1), begin('a'), begin('a'), end('a', 'x'), end('b', 'denied')])
    expect(again.requests.map(({ begun, ended }) => [begun, ended])).to.deep.equal([[2, 2]])
    expect(again.isComplete('q1')).to.equal(true)
  })

  it('AL-11 keeps previews of its length, and what is exactly as long whole', () => {
    const long = 'x'.repeat(201)
    const texts = [long, long.slice(1), { n: 1 }]
    const bodies = [step(1), ...texts.map((text, at) => end(`c${at}`, text))]
    const previews = (options?: object) =>
      collected(bodies, options).requests[0]?.results.map(({ preview }) => preview)
    expect(previews()).to.deep.equal([`${long.slice(1)}...`, long.slice(1), '{"n":1}'])
    expect(previews({ max_preview_len: 3 })).to.deep.equal(['xxx...', 'xxx...', '{"n...'])
  })

  it('says what failed', () => {
    const { requests } = collected([step(1), end('a', 'no', { isError: true })])
    expect(requests[0]?.results[0]).to.deep.equal({
      callId: 'a',
      name: 'look',
      state: 'succeeded',
      isError: true,
      preview: 'no',
    })
  })
})
