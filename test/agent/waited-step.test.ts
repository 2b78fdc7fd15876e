import { expect } from 'chai'
import fc from 'fast-check'
import {
  type Interruption,
  RuleBook,
  type RunOptions,
  type RunResult,
  run,
} from '../../src/agent/index.ts'
import { waitedStep } from '../../src/agent/waited-step.ts'
import type { ConfigLayer } from '../../src/core/config/layers.ts'
import type { Host } from '../../src/core/host/index.ts'
import type { Message } from '../../src/plugin/events/index.ts'
import type { RunSnapshot } from '../../src/plugin/run-hooks.ts'
import type { GatedCall } from '../../src/plugin/tools.ts'
import { propertyRuns, propertyTimeout } from '../helpers/cases.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { feature, schema, tool } from '../helpers/plugins.ts'

/** A call of a step: whether it asks a person first, and whether it fails. */
interface Call {
  readonly asks: boolean
  readonly fails: boolean
}

/** What ends a run: options, and a layer of its config. */
interface Limit {
  readonly options?: Partial<RunOptions>
  readonly config?: ConfigLayer
}

const USER: Message = { role: 'user', parts: [{ type: 'text', text: 'go' }] }

/** A script with the calls of each step, and then a text. */
function scriptOf(steps: readonly (readonly Call[])[]) {
  const called = steps.map((calls, step) => ({
    when: { step: step + 1 },
    then: {
      tool_calls: calls.map((call, at) => ({
        name: 'work',
        input: { ...call, at: `${step}.${at}` },
      })),
    },
  }))
  return [...called, { then: { text: 'Done.' } }]
}

/** The plugins of a run that note what its features see. `asking` lets calls ask. */
function notingPlugins(log: unknown[], asking: boolean) {
  const note = (snapshot: RunSnapshot) => {
    const { phase, step, answer, calls, results } = snapshot
    const outputs = results?.map(({ callId, output, isError }) => [callId, output, isError])
    log.push([phase, step, answer, calls, outputs])
  }
  return [
    tool('working', {
      getToolSchemas: () => [schema('work')],
      executeTool: ({ input }: { input: Call & { at: string } }) => {
        log.push(['ran', input.at])
        if (input.fails) throw new Error('It fails.')
        return `${input.at} is done`
      },
    }),
    feature('noting', {
      toolGate: ({ input }: GatedCall) =>
        asking && (input as Call).asks ? { suspend: 'A person decides.' } : undefined,
      afterToolExecute: note,
      stepEnd: note,
    }),
  ]
}

/** Runs to the end, and lets every call run that asks. */
async function answeredUntilEnd(host: Host, options: Partial<RunOptions>): Promise<RunResult> {
  let messages: readonly Message[] = [USER]
  let result = await run(host, { ...options, messages }).result
  while (result.suspension) {
    messages = [...messages, ...result.messages]
    const { suspension } = result
    const verdicts = suspension.approvals.map(({ approvalId }) => ({ approvalId, approved: true }))
    result = await run(host, { ...options, messages, resume: { ...suspension, verdicts } }).result
  }
  return result
}

/** Runs all steps, and tells what came of them. */
async function ranWith(steps: readonly (readonly Call[])[], limit: Limit, asking: boolean) {
  const log: unknown[] = []
  await using host = await scriptedHost(notingPlugins(log, asking), {
    settings: { scripted: { script: scriptOf(steps) } },
  })
  const result = await answeredUntilEnd(host, { ...limit.options, config: limit.config ?? {} })
  // Calls that ask run after the others, so only what the features see has the same order.
  const isRun = (entry: unknown) => (entry as readonly unknown[])[0] === 'ran'
  return {
    steps: result.steps,
    termination: result.termination,
    seen: log.filter((entry) => !isRun(entry)),
    ran: log.filter(isRun).map(String).sort(),
  }
}

const call = fc.record({ asks: fc.boolean(), fails: fc.boolean() })
const steps = fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
})
const most = fc.integer({ min: 1, max: 5 })
const ofCondition = (condition: NonNullable<RunOptions['stopConditions']>[number]): Limit => ({
  options: { stopConditions: [condition] },
})
const limit: fc.Arbitrary<Limit> = fc.oneof(
  most.map((maxSteps) => ({ options: { maxSteps } })),
  most.map((rounds) => ofCondition({ type: 'max_rounds', rounds })),
  most.map((max_rounds) => ({ config: { limits: { max_rounds } } })),
  most.map((max) => ofCondition({ type: 'consecutive_errors', max })),
  most.map((window) => ofCondition({ type: 'loop_detection', window: window + 1 })),
  fc.constant({ config: { tool_choice: { tool: 'work' } } }),
  fc.constant({}),
)

describe('a run whose calls ask a person', () => {
  it('AW-66 makes as many steps and ends for the same reason as one whose calls do not ask', async () => {
    await fc.assert(
      fc.asyncProperty(steps, limit, async (calls, ends) => {
        const [asked, plain] = [await ranWith(calls, ends, true), await ranWith(calls, ends, false)]
        expect(asked).to.deep.equal(plain)
      }),
      { numRuns: propertyRuns(150) },
    )
  }).timeout(propertyTimeout(60_000))

  it('AL-16 ends at the number of steps that its rules allow', async () => {
    const rules = await RuleBook.of({ max_iterations: 2 })
    const asking = [{ asks: true, fails: false }]
    const { steps, termination } = await ranWith(
      [asking, asking, asking],
      { options: { rules } },
      true,
    )
    expect(steps).to.equal(2)
    expect(termination).to.include({ reason: 'stopped', code: 'max_rounds' })
  })

  it('AW-60 shows its features all calls of the step with their results, in the order of the calls', async () => {
    const [plain, asking] = [false, true].map((asks) => ({ asks, fails: false })) as [Call, Call]
    const { seen } = await ranWith([[plain, asking, plain]], {}, true)
    const [[phase, , answer, calls, outputs]] = seen as [
      [string, number, readonly Message[], readonly { input: object }[], readonly unknown[][]],
    ]
    expect(phase).to.equal('after_tool_execute')
    expect(answer).to.have.lengthOf(1)
    expect(calls.map(({ input }) => input)).to.deep.equal(
      ['0.0', '0.1', '0.2'].map((at, index) => ({ ...(index === 1 ? asking : plain), at })),
    )
    expect(outputs.map(([, output]) => output)).to.deep.equal(
      ['0.0', '0.1', '0.2'].map((at) => `${at} is done`),
    )
  })
})

describe('a tool choice that forces a call', () => {
  let choices: unknown[]
  beforeEach(() => {
    choices = []
  })

  /** A host that forces a call of `look`, and notes the choice of each request. */
  function choosingHost(script: readonly object[]): Promise<Host> {
    const choosing = feature('choosing', {
      init: (config: ConfigLayer, state: object) => {
        choices.push(config.tool_choice)
        return state
      },
    })
    return scriptedHost(
      [choosing, ...['look', 'spend'].map((name) => tool(name, { schemas: [name] }))],
      {
        settings: { scripted: { script } },
        tool_policy: { spend: 'ask' },
        tool_choice: { tool: 'look' },
      },
    )
  }

  it('is over after an approval, where a call made it that did not wait', async () => {
    const calls = ['look', 'spend'].map((name) => ({ name, input: {} }))
    await using host = await choosingHost([
      { when: { step: 1 }, then: { tool_calls: calls } },
      { when: { step: 2 }, then: { tool_calls: calls.slice(1) } },
      { then: { text: 'Done.' } },
    ])
    await answeredUntilEnd(host, {})
    expect(choices).to.deep.equal([{ tool: 'look' }, 'auto', 'auto'])
  })

  it('is over too where the process ends after the approval, and another one goes on', async () => {
    await using host = await choosingHost([{ then: { text: 'Done.' } }])
    const called = (callId: string, name: string) =>
      ({ type: 'tool-call', callId, name, input: {} }) as const
    const ended = (callId: string, name: string) =>
      ({ role: 'tool', parts: [{ type: 'tool-result', callId, name, output: 'ok' }] }) as const
    const answer = [called('1', 'look'), called('2', 'spend')]
    const resume: Interruption = {
      runId: 'run',
      seq: 9,
      at: 0,
      steps: 2,
      usage: {},
      uncounted: {},
      messages: [ended('2', 'spend')],
      starts: [{ step: 2, at: 1 }],
      hasBegun: true,
      resumptions: 0,
      interrupted: { at: 'answer' },
      calls: { begun: new Map(), results: new Map(), resolved: new Set(), tools: [] },
    }
    const before: readonly Message[] = [
      USER,
      { role: 'assistant', parts: answer },
      ended('1', 'look'),
    ]
    const choicesAfter = async (messages: readonly Message[], steps: number) => {
      choices = []
      const { status } = await run(host, { messages, resume: { ...resume, steps } }).result
      expect(status).to.equal('done')
      return choices
    }
    expect(await choicesAfter(before, 2)).to.deep.equal(['auto'])
    // The calls of a conversation before the run are none of it.
    expect(await choicesAfter(before, 1)).to.deep.equal([{ tool: 'look' }])
  })
})

describe('the step whose calls waited', () => {
  const approval = {
    approvalId: 'a1',
    callId: 'c1',
    name: 'work',
    input: {},
    binding: '',
    expiresAt: 0,
  }

  it('is the last one with such a call, where a model uses an id again', () => {
    const ofStep = (output: string): readonly Message[] => [
      {
        role: 'assistant',
        parts: [
          { type: 'tool-call', callId: 'c1', name: 'work', input: output },
          { type: 'tool-call', callId: 'c2', name: 'work', input: output },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool-result', callId: 'c2', name: 'work', output }] },
    ]
    const { calls, results } = waitedStep([USER, ...ofStep('old'), ...ofStep('new')], [approval])
    expect(calls.map(({ input }) => input)).to.deep.equal(['new', 'new'])
    expect(results.map(({ output }) => output)).to.deep.equal(['new'])
  })

  it('has only the calls that waited, where the messages have no answer with them', () => {
    expect(waitedStep([USER], [approval])).to.deep.equal({ calls: [approval], results: [] })
  })
})
