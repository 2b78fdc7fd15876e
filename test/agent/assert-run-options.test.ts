import { inspect } from 'node:util'
import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import { RUN_OPTIONS } from '../../src/agent/run-option-kinds.ts'
import type { Host } from '../../src/core/host/index.ts'
import { scriptedHost } from '../helpers/hosts.ts'

const VERDICT = '/resume/verdicts/0'

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
  [{ stopConditions: { type: 'timeout' } }, '/stop_conditions', 'array'],
  [{ stopConditions: [{ type: 'nope' }] }, '/stop_conditions/0/type', 'one of "max_rounds"'],
  [{ stopConditions: [{ type: 'timeout', seconds: -1 }] }, '/stop_conditions/0/seconds', '> 0'],
  [{ rules: { max_iterations: 2 } }, '/rules', 'a RuleBook'],
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
  [withVerdict({ approved: true }), `${VERDICT}/approvalId`, 'the id of an approval'],
  [withVerdict(true), `${VERDICT}/approvalId`, 'the id of an approval'],
]

/** Values that 5 may be, and codes of what is no option alone. */
const WRONG: { readonly [name: string]: unknown } = { maxSteps: 'x' }
const CODES: { readonly [name: string]: string } = {
  messages: 'MESSAGES_INVALID',
  config: 'CONFIG_INVALID',
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
    it(`are refused with another kind of "${name}"`, async () => {
      const wrong = WRONG[name] ?? 5
      const refused = async () => ran({ [name]: wrong })
      const error = await refused().then(
        (result) => result.error,
        (thrown: unknown) => thrown,
      )
      const code = CODES[name] ?? 'OPTION_INVALID'
      expect(error).to.include({ code })
      if (code === 'OPTION_INVALID') expect(error).to.have.property('pointer')
    })
  }

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
