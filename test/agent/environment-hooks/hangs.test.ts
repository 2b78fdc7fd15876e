import { expect } from 'chai'
import {
  type AgentEnvironment,
  type AgentSpec,
  createRuntime,
  type EnvironmentHook,
} from '../../../src/agent/index.ts'
import { createHost, HostError } from '../../../src/core/index.ts'
import { caller } from '../../helpers/plugins.ts'

const never = () => new Promise<never>(() => undefined)

const HOOKS: readonly Omit<EnvironmentHook, 'name'>[] = [
  { schema: never },
  { systemPrompt: never },
  { fetchContext: never, context: () => undefined },
  { onBuildAgent: never },
  { scopedTools: never },
  { preprocess: never },
  { onBeforeRun: never },
]

const ENVIRONMENTS: readonly AgentEnvironment[] = [
  { effectiveCwd: never },
  { effectiveCwd: () => '/', discoverInstructions: never },
]

/** The error of a run in these surroundings. */
async function failureOf(
  {
    limit = 0.02,
    agent = {},
    ...surroundings
  }: {
    hooks?: readonly EnvironmentHook[]
    environment?: AgentEnvironment
    limit?: number
    agent?: Partial<AgentSpec>
  },
  signal?: AbortSignal,
): Promise<HostError> {
  const seconds = signal ? 30 : limit
  const config = { limits: { hook: seconds } }
  await using host = await createHost({ plugins: [caller('model', [])], config })
  const runtime = await createRuntime({
    host,
    agents: [{ id: 'helper', ...agent }],
    ...surroundings,
  })
  const running = runtime.run('helper', { messages: 'Go', ...(signal ? { signal } : {}) })
  const error: unknown = await running.then(
    () => expect.fail('the run began'),
    (thrown: unknown) => thrown,
  )
  return HostError.is(error) ? error : expect.fail(String(error))
}

describe('surroundings that hang', () => {
  for (const members of HOOKS) {
    const [member = ''] = Object.keys(members)
    it(`CT-04 fail the run after the limit of hooks: ${member} of a hook`, async () => {
      const { code, message } = await failureOf({ hooks: [{ name: 'slow', ...members }] })
      expect(code).to.equal('TIMEOUT')
      expect(message).to.equal(
        `"${member}" of the environment hook "slow" failed: it did not answer within 0.02 s`,
      )
    })
  }

  for (const environment of ENVIRONMENTS) {
    const member = Object.keys(environment).at(-1) ?? ''
    it(`CT-03 fail the run after the limit of hooks: ${member} of the environment`, async () => {
      const { code, message } = await failureOf({ environment })
      expect(code).to.equal('TIMEOUT')
      expect(message).to.match(new RegExp(`^"${member}" of the environment failed: `))
    })
  }

  it('CT-04 have the limit of the agent’s own config over that of the host', async () => {
    const own = (hook: number) => ({ config: { limits: { hook } } })
    for (const members of HOOKS) {
      const { code, message } = await failureOf({
        hooks: [{ name: 'slow', ...members }],
        limit: 30,
        agent: own(0.02),
      })
      expect(code, Object.keys(members)[0]).to.equal('TIMEOUT')
      expect(message).to.include('within 0.02 s')
    }
    const { message } = await failureOf({
      hooks: [{ name: 'slow', systemPrompt: never }],
      agent: own(0.05),
    })
    expect(message).to.include('within 0.05 s')
  })

  it('keep no run that is cancelled', async () => {
    const cancel = new AbortController()
    const preprocess = () => {
      setImmediate(() => cancel.abort('enough'))
      return never()
    }
    const error = await failureOf({ hooks: [{ name: 'slow', preprocess }] }, cancel.signal)
    expect(error).to.include({ code: 'ABORTED', message: 'enough' })
  })
})
