import { expect } from 'chai'
import {
  type RunOptions,
  type RunResult,
  run,
  type StopCondition,
} from '../../../src/agent/index.ts'
import type { Message, RunEvent, ToolResultPart } from '../../../src/plugin/events/index.ts'
import { collect, scriptedHost } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'

const PRICE = { input: 1_000_000, output: 1_000_000 }

describe('the stop conditions of a run', () => {
  let ran: string[]
  beforeEach(() => {
    ran = []
  })

  const tools = () =>
    tool('tools', {
      getToolSchemas: () => [schema('look'), schema('fail'), schema('finish')],
      executeTool: ({ name }: { readonly name: string }) => {
        ran.push(name)
        if (name === 'fail') throw new Error('it failed')
        return 'ok'
      },
    })
  const calling = (name: string, more: object = {}) => ({
    then: { tool_calls: [{ name }], ...more },
  })
  const LOOPING = [calling('look')]

  async function runWith(
    script: readonly object[],
    options: Partial<RunOptions> = {},
  ): Promise<{ readonly result: RunResult; readonly events: readonly RunEvent[] }> {
    await using host = await scriptedHost([tools()])
    const stream = run(host, {
      config: { settings: { scripted: { script } } },
      messages: 'go',
      maxSteps: 9,
      ...options,
    })
    const events = await collect(stream)
    return { events, result: await stream.result }
  }

  const stoppedBy = async (condition: StopCondition, script: readonly object[] = LOOPING) => {
    const { result } = await runWith(script, { stopConditions: [condition] })
    expect(result.status).to.equal('done')
    return result
  }

  const resultsIn = (messages: readonly Message[]) =>
    messages.flatMap(({ parts }) =>
      parts.filter((part): part is ToolResultPart => part.type === 'tool-result'),
    )

  it('AW-67 end it with its termination beside the status, at the highest number of steps too', async () => {
    const { result, events } = await runWith(LOOPING, { maxSteps: 2 })
    expect(result.termination).to.deep.equal({
      reason: 'stopped',
      code: 'max_rounds',
      detail: 'The run has reached 2 of at most 2 steps.',
    })
    expect(events.at(-1)).to.deep.include({ type: 'finish', termination: result.termination })
    expect(ran).to.deep.equal(['look', 'look'])
  })

  it('AW-67 leave an answer that asks for nothing more as a natural end', async () => {
    const answer = [{ then: { text: 'Done.' } }]
    const most: readonly StopCondition[] = [
      { type: 'token_budget', max_total: 1 },
      { type: 'timeout', seconds: 1e-9 },
    ]
    const { result } = await runWith(answer, { maxSteps: 1, stopConditions: most })
    expect(result.termination).to.deep.equal({ reason: 'natural_end' })
  })

  it('CT-12 tell an empty answer as no action', async () => {
    const { result } = await runWith([{ then: { text: '' } }])
    expect(result.termination).to.deep.equal({ reason: 'no_action' })
    expect(result.messages.flatMap(({ parts }) => parts)).to.deep.equal([])
  })

  it('AW-66 stop at the lower of two numbers of steps', async () => {
    const result = await stoppedBy({ type: 'max_rounds', rounds: 3 })
    expect(result).to.deep.include({ steps: 3 })
    expect(result.termination).to.include({ code: 'max_rounds' })
  })

  it('AW-66 stop when the budget of tokens is spent, before the calls of that answer run', async () => {
    const counted = [calling('look', { usage: { input: 60, output: 40 } })]
    const result = await stoppedBy({ type: 'token_budget', max_total: 200 }, counted)
    expect(result.termination).to.deep.equal({
      reason: 'stopped',
      code: 'token_budget',
      detail: 'The run has reached 200 of at most 200 tokens.',
    })
    expect(ran).to.deep.equal(['look'])
    const last = resultsIn(result.messages).at(-1)
    expect(last).to.deep.include({ isError: true })
    expect(last?.error).to.include({ class: 'canceled' })
    expect(String(last?.output)).to.include('stopped before the call ran').and.include('200 tokens')
  })

  it('AW-66 stop when the budget of dollars is spent', async () => {
    const counted = [calling('look', { usage: { input: 1, output: 1 } })]
    const { result } = await runWith(counted, {
      modelInfo: { price: PRICE },
      stopConditions: [{ type: 'cost_budget', max_dollars: 5 }],
    })
    expect(result.termination).to.include({ code: 'cost_budget' })
    expect(result.steps).to.equal(3)
  })

  it('AW-66 warn of budgets that cannot count an answer', async () => {
    const budgets: readonly StopCondition[] = [
      { type: 'cost_budget', max_dollars: 5 },
      { type: 'token_budget', max_total: 9 },
    ]
    const warningsOf = async (usage: object, modelInfo: RunOptions['modelInfo'] = {}) => {
      const script = [{ then: { text: 'Done.', usage } }]
      const { result } = await runWith(script, { modelInfo, stopConditions: budgets })
      return result.warnings
    }
    const unreported = (type: string) =>
      `The stop condition "${type}" did not count an answer: the model API did not report how many tokens it used.`
    const unpriced =
      'The stop condition "cost_budget" did not count an answer: the prices of the model are not known.'
    const used = { input: 1, output: 1 }
    expect(await warningsOf({}, { price: PRICE })).to.deep.equal(
      ['cost_budget', 'token_budget'].map(unreported),
    )
    expect(await warningsOf(used, { price: { input: 1 } })).to.deep.equal([unpriced])
    expect(await warningsOf(used, { price: PRICE })).to.deep.equal([])
  })

  it('AW-66 stop after a time of work', async () => {
    let elapsed = 0
    const environment = {
      now: () => 0,
      elapsed: () => (elapsed += 100),
      sleep: () => Promise.resolve(),
      newId: (kind: string) => kind,
    }
    const stopConditions: readonly StopCondition[] = [{ type: 'timeout', seconds: 1 }]
    const { result } = await runWith(LOOPING, { stopConditions, environment })
    expect(result.termination).to.include({ code: 'timeout' })
    expect(result.steps).to.be.within(2, 8)
  })

  it('AW-66 stop after failures in a row, which a success ends', async () => {
    const script = [{ when: { step: 3 }, ...calling('look') }, calling('fail')]
    const result = await stoppedBy({ type: 'consecutive_errors', max: 3 }, script)
    expect(result.termination).to.include({ code: 'consecutive_errors' })
    expect(ran).to.deep.equal(['fail', 'fail', 'look', 'fail', 'fail', 'fail'])
  })

  it('AW-66 stop at a call of a tool, before the tool runs', async () => {
    const script = [{ when: { step: 1 }, ...calling('look') }, calling('finish')]
    const result = await stoppedBy({ type: 'stop_on_tool', tool_name: 'finish' }, script)
    expect(result.termination).to.include({
      code: 'stop_on_tool',
      detail: 'The model called "finish".',
    })
    expect(ran).to.deep.equal(['look'])
  })

  it('AW-66 stop at a text that matches, also where the run would end anyway', async () => {
    const result = await stoppedBy({ type: 'content_match', pattern: 'DONE\\b' }, [
      { when: { step: 1 }, ...calling('look', { text: 'not yet' }) },
      { then: { text: 'It is DONE.' } },
    ])
    expect(result.termination).to.include({ code: 'content_match' })
    expect(result.steps).to.equal(2)
  })

  it('AW-66 refuse a pattern that is not RE2', async () => {
    const { result } = await runWith(LOOPING, {
      stopConditions: [{ type: 'content_match', pattern: '(?<=a)b' }],
    })
    expect(result.error).to.include({
      code: 'OPTION_INVALID',
      pointer: '/stopConditions/0/pattern',
    })
    expect(result.termination).to.deep.equal({ reason: 'error' })
  })

  it('AW-66 stop at equal answers in a row, and not at empty or different ones', async () => {
    const result = await stoppedBy({ type: 'loop_detection', window: 3 }, [
      { when: { step: 2 }, ...calling('look', { text: 'something else' }) },
      calling('look', { text: 'hm' }),
    ])
    expect(result.termination).to.include({ code: 'loop_detection' })
    expect(result.steps).to.equal(5)
  })

  it('AW-66 judge the number of steps first, and then in one order', async () => {
    const counted = [calling('look', { usage: { input: 1, output: 1 } })]
    const stopConditions: readonly StopCondition[] = [
      { type: 'stop_on_tool', tool_name: 'look' },
      { type: 'token_budget', max_total: 1 },
    ]
    const both = await runWith(counted, { stopConditions })
    expect(both.result.termination).to.include({ code: 'token_budget' })
    const all = await runWith(counted, { stopConditions, maxSteps: 1 })
    expect(all.result.termination).to.include({ code: 'max_rounds' })
  })

  it('AW-66 count over a wait for an approval', async () => {
    const script = [calling('look', { usage: { input: 50, output: 50 } })]
    const stopConditions: readonly StopCondition[] = [{ type: 'token_budget', max_total: 200 }]
    const config = { settings: { scripted: { script } }, tool_policy: { look: 'ask' as const } }
    const first = await runWith([], { config, stopConditions })
    const { suspension } = first.result
    if (!suspension) return expect.fail('the run does not wait')
    expect(first.result.termination).to.deep.equal({ reason: 'suspended' })
    const verdicts = suspension.approvals.map(({ approvalId }) => ({ approvalId, approved: true }))
    const messages: Message[] = [
      { role: 'user', parts: [{ type: 'text', text: 'go' }] },
      ...first.result.messages,
    ]
    const resume = { ...suspension, verdicts }
    const second = await runWith([], { config, stopConditions, messages, resume })
    expect(second.result.termination).to.include({ code: 'token_budget' })
    expect(second.result.steps).to.equal(2)
    expect(ran).to.deep.equal(['look'])
  })
})
