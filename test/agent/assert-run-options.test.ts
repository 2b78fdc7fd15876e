import { inspect } from 'node:util'
import { expect } from 'chai'
import { run, Steering } from '../../src/agent/index.ts'
import { RUN_OPTIONS } from '../../src/agent/run-option-kinds.ts'
import type { Host } from '../../src/core/host/index.ts'
import type { HostError, RunEvent } from '../../src/plugin/index.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { errorOf } from '../helpers/plugins.ts'

const VERDICT = '/resume/verdicts/0'
const CANDIDATE = '/routing/candidates/0'

/** Options as data may bring them, each with the place and a part of what is said of it. */
const FAULTS: readonly (readonly [options: object, pointer: string, told: string])[] = [
  ...[-1, 0, 1.5, '3', Number.NaN, null].map(
    (maxSteps) => [{ maxSteps }, '/maxSteps', 'whole number of at least 1'] as const,
  ),
  [{ maxStep: 3 }, '/maxStep', 'Did you mean "maxSteps"?'],
  [{ sinal: AbortSignal.abort() }, '/sinal', 'Did you mean "signal"?'],
  [{ abortSignal: AbortSignal.abort() }, '/abortSignal', '"signal" takes an AbortSignal'],
  ...['maxRounds', 'maxTurns', 'stopWhen', 'recursionLimit'].map(
    (name) => [{ [name]: 3 }, `/${name}`, '"maxSteps" limits the steps'] as const,
  ),
  [{ system: 'Be brief.' }, '/system', 'the role "system"'],
  [{ onStepFinish: () => undefined }, '/onStepFinish', 'Read the events of the stream'],
  [{ temperature: 1 }, '/temperature', 'It belongs into "config"'],
  [{ question: 'Hi.' }, '/question', 'run has no option "question". It takes messages, config'],
  [{ model: 'm' }, '/model', 'run has no option "model".'],
  [{ signal: new AbortController() }, '/signal', 'an AbortController'],
  [{ tools: { add: {} } }, '/tools', 'a list of tools'],
  [{ conversationId: 7 }, '/conversationId', 'a text'],
  [{ runId: '' }, '/runId', 'not blank'],
  [{ conversationId: '' }, '/conversationId', 'not blank'],
  [{ conversationId: ' \n' }, '/conversationId', 'not blank'],
  [{ childLimits: { at_once: 0 } }, '/childLimits/at_once', 'at least 1'],
  [{ childLimits: { total: 0 } }, '/childLimits/total', 'at least 1'],
  [{ childLimits: { totl: 2 } }, '/childLimits/totl', 'Did you mean "total"?'],
  [{ childLimits: { seconds: '5' } }, '/childLimits/seconds', 'above 0'],
  [{ modelInfo: { contextWindw: 5 } }, '/modelInfo/contextWindw', 'Did you mean "contextWindow"?'],
  [{ childLimits: { seconds: 0 } }, '/childLimits/seconds', 'above 0'],
  [{ stopConditions: { type: 'timeout' } }, '/stopConditions', 'array'],
  [
    { stopConditions: [{ type: 'nope' }] },
    '/stopConditions/0/type',
    'not valid at /0/type: "type" must be one of "max_rounds"',
  ],
  [{ stopConditions: [{ type: 'timeout', seconds: -1 }] }, '/stopConditions/0/seconds', '> 0'],
  [{ rules: { max_iterations: 2 } }, '/rules', 'a RuleBook'],
  [{ retry: null }, '/retry', 'object'],
  [{ stopConditions: null }, '/stopConditions', 'array'],
  [{ childTools: [{}] }, '/childTools/0', 'The item 0 of "childTools" of run must be an object'],
  [{ delegates: [{ id: 'a' }] }, '/delegates/0', 'the function "begin"'],
  [{ late: { record: () => undefined } }, '/late', 'the signal "until"'],
  [{ context: [{ kind: 'fact', ref: 'a' }] }, '/context/0', 'one of instructions, memory'],
  [{ call: { callId: 'c', name: 'n' } }, '/call', '"input"'],
  [{ routing: {} }, '/routing', 'a list of at least one model'],
  [{ routing: { candidates: [] } }, '/routing', 'a list of at least one model'],
  [{ routing: { candidate: [] } }, '/routing', 'a list of at least one model'],
  [{ routing: { candidates: 5 } }, '/routing/candidates', 'a list of models'],
  ...['m', { model: 'm' }, { id: 'b', config: { model: 'm' } }, { choice: { model: 'm' } }].map(
    (candidate) =>
      [
        { routing: { candidates: [candidate] } },
        '/routing/candidates/0',
        'The item 0 of "candidates" of "routing" of run must be a model: an object with "choice"',
      ] as const,
  ),
  [routed({ choice: { provider: 'p', modle: 'm' } }), `${CANDIDATE}/choice/modle`, '"model"?'],
  [routed({ choice: { provider: 'p', model: 5 } }), `${CANDIDATE}/choice/model`, 'a text'],
  [routed({ modelinfo: {} }), `${CANDIDATE}/modelinfo`, 'Did you mean "modelInfo"?'],
  [{ routing: { ...routed({}).routing, excluded: [{}] } }, '/routing/excluded/0', 'the "reason"'],
  [{ resume: {} }, '/resume', '"suspension"'],
  [{ resume: { runId: 'r', seq: 1, steps: 1 } }, '/resume/approvals', 'a list'],
  [{ resume: { runId: 'r', seq: 1, steps: 1, approvals: [] } }, '/resume/verdicts', 'answers'],
  ...['false', 'no', 1, {}, null, undefined].map(
    (approved) =>
      [withVerdict({ approvalId: 'a', approved }), `${VERDICT}/approved`, 'true'] as const,
  ),
  ...['input', 'args', 'editedInput', 'reasn'].map(
    (name) =>
      [
        withVerdict({ approvalId: 'a', approved: true, [name]: {} }),
        `${VERDICT}/${name}`,
        `A verdict has no option "${name}".`,
      ] as const,
  ),
  [{ resume: 'x' }, '/resume', '"suspension"'],
  [{ resume: null }, '/resume', '"suspension"'],
  [{ resume: { runId: 'r', seq: 1, steps: 1, approvals: [null] } }, '/resume/approvals', 'a list'],
  [{ resume: { runId: 'r', seq: 1, steps: 1, interrupted: 5 } }, '/resume/interrupted', 'left'],
  [{ resume: { runId: 'r', seq: 1, steps: 1, kept: 5 } }, '/resume/kept', 'has kept'],
  [withVerdict({ approved: true }), `${VERDICT}/approvalId`, 'the id of an approval'],
  [withVerdict(true), `${VERDICT}/approvalId`, 'the id of an approval'],
]

/** Values of each kind, and some that are nearly right. */
const OTHERS: readonly unknown[] = [
  null,
  'x',
  5,
  true,
  [],
  [1],
  [null],
  [{}],
  {},
  { zz: 1 },
  () => undefined,
]

/** The options that one of these values may be, with the values. */
const VALID: { readonly [name: string]: readonly unknown[] } = {
  messages: ['x'],
  config: [{}, { zz: 1 }],
  tools: [[]],
  maxSteps: [5],
  conversationId: ['x'],
  runId: ['x'],
  stopConditions: [[]],
  canAsk: [true],
  canReset: [true],
  takenCallIds: [[]],
  context: [[]],
  active: [[]],
  delegates: [[]],
  childTools: [[]],
  childLimits: [{}],
  startWait: [5],
  modelInfo: [{}],
}
const FUNCTIONS = ['committed', 'withholds', 'onAnswer', 'onEvent']

/** Codes of what is no option alone. */
const CODES: { readonly [name: string]: string } = {
  messages: 'MESSAGES_INVALID',
  config: 'CONFIG_INVALID',
}

function isValid(name: string, value: unknown): boolean {
  if (typeof value === 'function') return FUNCTIONS.includes(name)
  return (VALID[name] ?? []).some((one) => inspect(one) === inspect(value))
}

function expectRefused(name: string, error: HostError | undefined): void {
  const code = CODES[name] ?? 'OPTION_INVALID'
  expect(error).to.include({ code })
  if (code !== 'OPTION_INVALID') return
  expect(error?.pointer).to.match(new RegExp(`^/${name}(/|$)`))
}

function routed(candidate: object) {
  return {
    routing: { candidates: [{ choice: { provider: 'scripted' }, config: {}, ...candidate }] },
  }
}

function withVerdict(verdict: unknown) {
  return { resume: { runId: 'r', seq: 1, steps: 1, approvals: [], verdicts: [verdict] } }
}

describe('the options of a run', () => {
  let host: Host
  before(async () => {
    host = await scriptedHost([])
  })
  after(() => host.close())

  const ran = (options: object) => run(host, { messages: 'Hi.', ...options }).result

  for (const [options, pointer, told] of FAULTS) {
    it(`are refused with ${inspect(options, { depth: 5 })}`, async () => {
      const { status, error } = await ran(options)
      expect(status).to.equal('failed')
      expect(error).to.include({ code: 'OPTION_INVALID', pointer })
      expect(error?.message).to.include(told)
    })
  }

  for (const name of RUN_OPTIONS) {
    for (const value of OTHERS) {
      const options = { [name]: value }
      it(`do not make it throw, with ${inspect(options, { depth: 3 })}`, async () => {
        const { status, error } = await ran(options)
        if (status === 'done') return expect(isValid(name, value)).to.equal(true)
        return expectRefused(name, error)
      })
    }
  }

  it('tell a start and an ending where they are refused, under the id of the run', async () => {
    const steering = new Steering()
    const said = steering.say({ role: 'user', parts: [{ type: 'text', text: 'Wait.' }] })
    const seen: RunEvent[] = []
    const onEvent = (event: RunEvent) => void seen.push(event)
    const options = { messages: 'Hi.', runId: 'r1', steering, onEvent, canAsk: null as never }
    const events: RunEvent[] = []
    for await (const event of run(host, options)) events.push(event)
    expect(events.map(({ type, runId, seq }) => [type, runId, seq])).to.deep.equal([
      ['start', 'r1', 0],
      ['error', 'r1', 1],
    ])
    expect(seen).to.deep.equal(events)
    expect(await errorOf(said)).to.include({ code: 'RUN_NOT_ACTIVE' })
  })

  it('ask the models of a routing', async () => {
    const { status, messages } = await ran(routed({}))
    expect(status).to.equal('done')
    expect(messages).to.have.length(1)
  })

  it('may be more than it knows, as those of a decoded request', async () => {
    const decoded = {
      protocol: 'responses',
      model: 'm',
      approvals: [],
      hostTools: 'none',
      ignored: [],
    }
    expect(await ran(decoded)).to.include({ status: 'done' })
  })

  it('may have no end of steps', async () => {
    expect(await ran({ maxSteps: Number.POSITIVE_INFINITY })).to.include({ status: 'done' })
  })
})
