import { expect } from 'chai'
import { type Interruption, type RunOptions, run } from '../../src/agent/index.ts'
import type { Host } from '../../src/core/host/index.ts'
import { EventChecker } from '../../src/plugin/events/index.ts'
import { collect, scriptedHost, typesOf } from '../helpers/hosts.ts'
import { schema, tool } from '../helpers/plugins.ts'

const CALL = { type: 'tool-call', callId: 'c1', name: 'remove', input: { path: 'a' } } as const

describe('a run of a given call', () => {
  let ran: string[]
  let asked: number
  let host: Host

  beforeEach(async () => {
    ran = []
    asked = 0
    const remove = tool('remove', {
      getToolSchemas: () => [schema('remove')],
      executeTool: ({ input }: { input: { path: string } }) => {
        ran.push(input.path)
        return `${input.path} is gone`
      },
    })
    host = await scriptedHost([remove])
  })
  afterEach(() => host.close())

  async function leg(options: Partial<RunOptions> = {}) {
    const onAnswer = () => void asked++
    const stream = run(host, { messages: [], call: CALL, onAnswer, ...options })
    const events = await collect(stream)
    const checker = new EventChecker('run')
    for (const event of events) checker.check(event)
    return { events, result: await stream.result }
  }

  it('asks no model and ends with the result of the call', async () => {
    const { events, result } = await leg()
    expect([ran, asked]).to.deep.equal([['a'], 0])
    expect(typesOf(events).filter((type) => type !== 'tool-inventory')).to.deep.equal([
      'start',
      'step-start',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'step-finish',
      'tool-execution-start',
      'tool-execution-end',
      'finish',
    ])
    expect(result).to.deep.include({
      status: 'done',
      finishReason: 'stop',
      steps: 1,
      usage: {},
      termination: { reason: 'natural_end' },
    })
    expect(result.messages.map(({ role }) => role)).to.deep.equal(['assistant', 'tool'])
  })

  it('ends naturally where a run may have one step only', async () => {
    const { result } = await leg({ maxSteps: 1 })
    expect([ran, result.termination]).to.deep.equal([['a'], { reason: 'natural_end' }])
  })

  it('waits for an approval, and ends after the call with it', async () => {
    const config = { tool_policy: { remove: 'ask' } } as const
    const first = await leg({ config })
    expect([ran, first.result.termination]).to.deep.equal([[], { reason: 'suspended' }])
    const { suspension, messages } = first.result
    const [approval] = suspension?.approvals ?? []
    if (!suspension || !approval) throw new Error('the run does not wait')
    const verdicts = [{ approvalId: approval.approvalId, approved: true }]
    const { result } = await leg({ config, messages, resume: { ...suspension, verdicts } })
    expect([ran, asked]).to.deep.equal([['a'], 0])
    expect(result.termination).to.deep.equal({ reason: 'natural_end' })
  })

  for (const at of ['start', 'answer'] as const) {
    it(`asks no model when it goes on after an interruption (${at})`, async () => {
      const resume: Interruption = {
        runId: 'r',
        seq: 3,
        at: 0,
        steps: at === 'start' ? 0 : 1,
        usage: {},
        uncounted: {},
        messages: [],
        hasBegun: at === 'answer',
        resumptions: 0,
        interrupted: { at },
        calls: { begun: new Map(), results: new Map(), resolved: new Set(), tools: [] },
      }
      const { result } = await leg({ resume })
      expect([ran, asked]).to.deep.equal([['a'], 0])
      expect(result).to.include({ status: 'done', steps: 1 })
    })
  }

  it('has a result for a tool that is not there', async () => {
    const { result } = await leg({ call: { ...CALL, name: 'nothing' } })
    const part = result.messages.at(-1)?.parts[0]
    expect(part).to.deep.include({ type: 'tool-result', isError: true })
    expect(asked).to.equal(0)
  })
})
