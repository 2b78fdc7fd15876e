import { inspect } from 'node:util'
import { expect } from 'chai'
import { type AgentRuntime, createRuntime, messagesAfter, run } from '../../../src/agent/index.ts'
import { createHost, type Host } from '../../../src/core/host/index.ts'
import { HostError } from '../../../src/plugin/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'

type Untyped = (...given: readonly unknown[]) => Promise<unknown>

async function errorOf(work: () => Promise<unknown>): Promise<HostError> {
  try {
    await work()
  } catch (error) {
    if (HostError.is(error)) return error
    throw error
  }
  throw new Error('It threw nothing.')
}

describe('a runtime in code without types', () => {
  let host: Host
  let runtime: AgentRuntime
  let asked: Untyped
  let compacted: Untyped
  before(async () => {
    host = await scriptedHost()
    runtime = await createRuntime({ host, agents: [{ id: 'a', system_prompt: 'Be brief.' }] })
    asked = runtime.run.bind(runtime) as Untyped
    compacted = runtime.compact.bind(runtime) as Untyped
  })
  after(() => host.close())

  const resultOf = async (options: object) =>
    ((await asked('a', options)) as ReturnType<typeof run>).result

  const OPTIONS: readonly (readonly [options: object, pointer: string, told: string])[] = [
    [{ sende: 'x' }, '/sende', 'Did you mean "sender"?'],
    [{ sender: 5 }, '/sender', 'a text'],
    [{ shared: 5 }, '/shared', 'an object'],
    [{ childLog: 5 }, '/childLog', 'an object'],
    [{ environment: {} }, '/environment', 'an environment'],
    [{ maxTurns: 3 }, '/maxTurns', '"maxSteps" limits the steps'],
    [{ abortSignal: AbortSignal.abort() }, '/abortSignal', '"signal" takes an AbortSignal'],
    [{ models: [] }, '/models', 'runtime.run has no option "models"'],
    [{ stopConditions: [] }, '/stopConditions', 'the spec of the agent decides it'],
    [{ config: {} }, '/config', 'the spec of the agent decides it'],
    [{ childLimits: null }, '/childLimits', 'an object'],
    [{ childTools: [{}] }, '/childTools/0', 'a "tool"'],
    [{ childTools: 5 }, '/childTools', 'a list'],
    [{ tools: {} }, '/tools', 'a list of tools'],
    [{ tools: [5] }, '/tools/0', 'a tool with its "name"'],
    [{ signal: new AbortController() }, '/signal', 'an AbortController'],
    [{ resume: null }, '/resume', '"suspension"'],
    [{ conversationId: 5 }, '/conversationId', 'a text'],
    [{ canAsk: null }, '/canAsk', 'true or false'],
    [{ onEvent: 5 }, '/onEvent', 'a function'],
  ]
  for (const [options, pointer, told] of OPTIONS) {
    it(`refuses a run with ${inspect(options, { depth: 1 })}`, async () => {
      const { status, error } = await resultOf({ messages: 'Hi.', ...options })
      expect(status).to.equal('failed')
      expect(error).to.include({ code: 'OPTION_INVALID', pointer })
      expect(error?.message).to.include(told)
    })
  }

  for (const messages of [undefined, null, 5, {}]) {
    it(`refuses the messages ${inspect(messages)}`, async () => {
      const { error } = await resultOf({ messages })
      expect(error).to.include({ code: 'MESSAGES_INVALID' })
    })
  }

  it('runs an agent with a decoded request', async () => {
    const decoded = { protocol: 'responses', model: 'm', config: {}, approvals: [], ignored: [] }
    const stream = (await asked('a', { messages: 'Hi.', ...decoded })) as ReturnType<typeof run>
    expect(await stream.result).to.include({ status: 'done' })
  })

  it('refuses messagesAfter without the result of a run, and with what is none', async () => {
    const combined = messagesAfter as (...given: readonly unknown[]) => unknown
    for (const given of [[], ['Hi.'], ['Hi.', 5], ['Hi.', {}], ['Hi.', Promise.resolve()]]) {
      const error = await errorOf(async () => combined(...given))
      expect(error).to.include({ code: 'OPTION_INVALID' })
      expect(error.message).to.include('await stream.result')
    }
    expect((await errorOf(async () => combined(5, { messages: [] }))).code).to.equal(
      'MESSAGES_INVALID',
    )
  })

  it('refuses a run without options, and of an agent without an id', async () => {
    expect(await errorOf(() => asked('a'))).to.include({ code: 'OPTION_INVALID' })
    const unnamed = await errorOf(() => asked(undefined, { messages: 'Hi.' }))
    expect(unnamed).to.include({ code: 'AGENT_NOT_FOUND' })
    const { error } = await (run as (host: unknown) => ReturnType<typeof run>)(host).result
    expect(error).to.include({ code: 'MESSAGES_INVALID' })
    for (const none of [undefined, Promise.resolve(host)]) {
      expect(() => run(none as never, { messages: 'Hi.' })).to.throw('needs a host')
    }
  })

  it('refuses what is no list of messages to compact', async () => {
    const codeOf = async (...given: readonly unknown[]) =>
      (await errorOf(() => compacted('a', ...given))).code
    expect(await codeOf()).to.equal('OPTION_INVALID')
    expect(await codeOf({})).to.equal('MESSAGES_INVALID')
    expect(await codeOf({ messages: [{ role: 'user', content: 'x' }] })).to.equal(
      'MESSAGES_INVALID',
    )
    expect(await codeOf({ messages: [], mesages: 1 })).to.equal('OPTION_INVALID')
    expect(await codeOf({ messages: 'x' })).to.equal('COMPACTION_NEEDLESS')
    expect(await codeOf({ messages: [] })).to.equal('COMPACTION_NEEDLESS')
  })

  it('refuses specs that are none', async () => {
    const codeOf = async (add: Untyped) => (await errorOf(() => add(undefined))).code
    expect(await codeOf(runtime.addAgent.bind(runtime) as Untyped)).to.equal('SPEC_INVALID')
    expect(await codeOf(runtime.addModel.bind(runtime) as Untyped)).to.equal('SPEC_INVALID')
  })

  it('says why the provider of a model could not be loaded', async () => {
    await using without = await createHost({ plugins: ['no-such-provider'] })
    const models = [{ id: 'm', provider_id: 'no-such-provider', upstream_model: 'x' }]
    const agents = [{ id: 'b', model_id: 'm' }]
    const other = await createRuntime({ host: without, agents, models })
    const error = await errorOf(() => other.resolve('b'))
    expect(error.code).to.equal('PROVIDER_NOT_FOUND')
    const [reason] = without.diagnostics
    expect(error.message).to.include('could not be loaded').and.include(reason?.message)
  })

  it('refuses options of a runtime that there are not', async () => {
    const error = await errorOf(() => createRuntime({ host, tools: [] } as never))
    expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/tools' })
  })

  for (const [options, pointer, told] of [
    [{ agents: {} }, '/agents', 'a list of specs'],
    [{ models: {} }, '/models', 'a list of specs'],
    [{ hooks: {} }, '/hooks', 'a list of objects'],
    [{ backends: {} }, '/backends', 'a2aBackend'],
    [{ reasonAgainst: 5 }, '/reasonAgainst', 'a function'],
    [{ environment: 5 }, '/environment', 'an object'],
    [{ environment: { now: 5 } }, '/environment/now', 'a function'],
    [{ environment: { efectiveCwd: 5 } }, '/environment/efectiveCwd', '"effectiveCwd"?'],
  ] as const) {
    it(`refuses a runtime with another kind of "${pointer.slice(1)}"`, async () => {
      const error = await errorOf(() => createRuntime({ host, ...options } as never))
      expect(error).to.include({ code: 'OPTION_INVALID', pointer })
      expect(error.message).to.include(told)
    })
  }

  it('may have an environment of a class with more members', async () => {
    const now = () => 7
    await createRuntime({ host, environment: { now, clock: 'own' } as never })
  })

  it('refuses options of a request that there are not', async () => {
    const { error } = await host.stream({}, 'Hi.', { abortSignal: undefined } as never).result
    expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/abortSignal' })
    const opening = await errorOf(() => host.open({}, { conversation_id: 'c' } as never))
    expect(opening.message).to.include('Did you mean "conversationId"?')
  })
})
