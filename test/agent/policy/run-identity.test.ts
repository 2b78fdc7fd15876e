import { inspect } from 'node:util'
import { expect } from 'chai'
import {
  inheritedIdentity,
  type RunIdentity,
  type RunScope,
  run,
  runIdentity,
  systemEnvironment,
} from '../../../src/agent/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { ENDPOINT, FakeBackend } from '../backends/fake-backend.ts'
import { agent, asks, endsIn, leader, read, teamOf } from '../children/team.ts'

const FACTS = {
  request: 'q',
  session: 's',
  role: 'user',
  identity: 'ada',
  source: 'ag-ui',
} as const

const identity = (scope: RunScope = {}): RunIdentity => runIdentity({ ...FACTS, scope })

describe('the identity of a run', () => {
  it('AL-07 cannot be changed, nor what it was made of', () => {
    const tools = ['look']
    const one = identity({ tools })
    tools.push('write')
    expect(one.scope.tools).to.deep.equal(['look'])
    for (const part of [one, one.scope, one.scope.tools])
      expect(Object.isFrozen(part)).to.equal(true)
  })

  it('AL-07 is inherited with a scope that allows no more than both', () => {
    const parent = identity({ tools: ['look', 'write'], expiresAt: 50 })
    const scopeOf = (scope?: RunScope) => inheritedIdentity(parent, scope).scope
    expect(inheritedIdentity(parent)).to.deep.equal(parent)
    expect(scopeOf({ tools: ['write', 'none'], expiresAt: 99 })).to.deep.equal({
      tools: ['write'],
      expiresAt: 50,
    })
    expect(scopeOf({ tools: [], expiresAt: 9 })).to.deep.equal({ tools: [], expiresAt: 9 })
    expect(inheritedIdentity(identity(), { tools: ['look'] }).scope).to.deep.equal({
      tools: ['look'],
    })
    expect(Object.isFrozen(inheritedIdentity(parent))).to.equal(true)
  })
})

/** Identities that would restrict nothing, or not as they say: what is wrong, its place, and a part of what is told. */
const FAULTS: readonly (readonly [given: object, pointer: string, told: string])[] = [
  [{ scope: { tool: [] } }, '/scope/tool', 'Did you mean "tools"?'],
  [{ scope: { expires_at: 1 } }, '/scope/expires_at', 'Did you mean "expiresAt"?'],
  [{ scope: { tools: 'look' } }, '/scope/tools', 'a list of names'],
  [{ scope: { tools: [1] } }, '/scope/tools', 'a list of names'],
  [{ scope: { expiresAt: '2020-01-01T00:00:00Z' } }, '/scope/expiresAt', 'milliseconds since 1970'],
  [{ scope: { expiresAt: Number.NaN } }, '/scope/expiresAt', 'milliseconds since 1970'],
  [{ scope: { expiresAt: new Date(0) } }, '/scope/expiresAt', 'milliseconds since 1970'],
  [{ scope: undefined }, '/scope', 'must be an object'],
  [{ scope: 'all' }, '/scope', 'must be an object'],
  [{ scope: {}, scopes: {} }, '/scopes', 'Did you mean "scope"?'],
  [{ scope: {}, role: 1 }, '/role', 'must be a text'],
]

describe('an identity that would not restrict as it says', () => {
  for (const [given, pointer, told] of FAULTS) {
    it(`AL-07 is refused with ${inspect(given)}, by itself and by a run`, async () => {
      const wrong = { ...FACTS, ...given } as RunIdentity
      let error: unknown
      try {
        runIdentity(wrong)
      } catch (thrown) {
        error = thrown
      }
      expect(error).to.include({ code: 'OPTION_INVALID', pointer })
      expect((error as Error).message).to.include(told)
      await using host = await scriptedHost()
      const { error: ended } = await run(host, { messages: 'Hi.', identity: wrong }).result
      expect(ended).to.include({ code: 'OPTION_INVALID', pointer: `/identity${pointer}` })
    })
  }

  it('AL-07 is refused where it is no object', async () => {
    await using host = await scriptedHost()
    const identity = 'ada' as unknown as RunIdentity
    const { error } = await run(host, { messages: 'Hi.', identity }).result
    expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/identity' })
  })
})

describe('a run with an identity', () => {
  let now: number
  let ran: string[]
  beforeEach(() => {
    now = 0
    ran = []
  })

  const files = tool('files', {
    getToolSchemas: () => [schema('look'), schema('write'), schema('wait')],
    executeTool: ({ name }: { name: string }) => {
      ran.push(name)
      if (name === 'wait') now = 100
      return name
    },
  })
  const environment = { ...systemEnvironment, now: () => now }
  const call = (name: string) => ({ name, input: { path: 'x' } })
  const calling = (id: string, ...names: readonly string[]) =>
    agent(id, [
      { when: { step: 1 }, then: { tool_calls: names.map(call) } },
      { then: { text: `${id} is done` } },
    ])

  async function ranOf(scope: RunScope, agents = [calling('leader', 'look', 'write')]) {
    await using team = await teamOf({ agents, plugins: [files] })
    const options = { messages: 'go', identity: identity(scope), environment }
    const stream = await team.runtime.run('leader', options)
    const events = await read(stream)
    return { events, ends: endsIn(events), result: await stream.result }
  }

  it('AL-07 runs only the tools of its scope', async () => {
    const { ends } = await ranOf({ tools: ['look'] })
    expect(ran).to.deep.equal(['look'])
    expect(ends[1]?.[1]).to.equal('The scope of this run does not allow "write".')
  })

  it('AL-07 gives the runs below it no more than it has, whatever a task asks for', async () => {
    const tasks = [
      { prompt: 'part', tools: ['look', 'write'] },
      { prompt: 'part', tools: ['wait'] },
    ]
    const spawning = agent(
      'leader',
      [
        {
          when: { text: 'part', step: 1 },
          then: { tool_calls: ['look', 'write', 'wait'].map(call) },
        },
        { when: { step: 1 }, then: { tool_calls: [{ name: 'agent_spawn', input: { tasks } }] } },
        { then: { text: 'done' } },
      ],
      { subagents: true },
    )
    await ranOf({ tools: ['agent_spawn', 'look'] }, [spawning])
    expect(ran).to.deep.equal(['look'])
  })

  it('AL-07 may do nothing once its scope has expired: no call, no further step, no run below', async () => {
    const asking = leader([call('wait'), call('look'), asks('a', 'x')], { delegates: ['a'] })
    const { ends, result } = await ranOf({ expiresAt: 100 }, [asking, calling('a', 'write')])
    expect(ran).to.deep.equal(['wait'])
    const expired = 'The scope of this run has expired, so it allows nothing any more.'
    expect(ends.slice(1).map(([, output]) => output)).to.deep.equal([expired, expired])
    expect(result.steps).to.equal(1)
    expect(result.termination).to.deep.equal({
      reason: 'stopped',
      code: 'scope_expired',
      detail: expired,
    })
  })

  it('AL-07 does not begin with a scope that has expired, here or on another server', async () => {
    now = 100
    const { result } = await ranOf({ expiresAt: 100 })
    expect([result.status, result.error?.code]).to.deep.equal(['failed', 'SCOPE_EXPIRED'])
    const backend = new FakeBackend()
    await using team = await teamOf({
      agents: [{ id: 'far', endpoint: ENDPOINT }],
      backends: [backend],
    })
    const options = { messages: 'go', identity: identity({ expiresAt: 100 }), environment }
    const far = await (await team.runtime.run('far', options)).result
    expect([far.status, far.error?.code]).to.deep.equal(['failed', 'SCOPE_EXPIRED'])
    expect(backend.orders).to.deep.equal([])
  })

  it('AL-07 is told of a run below it whose scope has expired while it worked', async () => {
    const asking = leader([asks('a', 'x'), call('look')], { delegates: ['a'] })
    const { ends, result } = await ranOf({ expiresAt: 100 }, [asking, calling('a', 'wait')])
    expect(ran).to.deep.equal(['wait'])
    expect(ends[0]?.[1]).to.deep.include({ agent: 'a', status: 'stopped', code: 'scope_expired' })
    expect(result.termination).to.deep.include({ code: 'scope_expired' })
  })
})
