import { expect } from 'chai'
import type { AgentSpec } from '../../../src/agent/index.ts'
import { ENDPOINT, FakeBackend } from '../backends/fake-backend.ts'
import { agent, speaker, teamOf } from '../children/team.ts'
import { caller, calls, outcomesOf, type TeamSpec } from './led-team.ts'

const task = calls('run', { prompt: 'Write about the sea.' })
const asking = (team: TeamSpec) => caller('boss', [task], { team })

/** A member that asks all others where it leads, and else says who it is. */
function member(id: string, spec: Partial<AgentSpec> = {}): AgentSpec {
  const script = [
    { when: { equals: 'help' }, then: { text: `I am ${id}.` } },
    { when: { step: 1 }, then: { tool_calls: [calls('broadcast', { prompt: 'help' })] } },
    { then: { text: `${id} led: {{result.team_broadcast_boss}}` } },
  ]
  return agent(id, script, spec)
}

const failing = (id: string) =>
  agent(id, [
    { when: { equals: 'help' }, then: { text: `I am ${id}.` } },
    { then: { fault: 'failed' } },
  ])

interface Led {
  readonly leader: string
  readonly text: string
  readonly replaced?: readonly object[]
}

const helped = (led: Led | undefined) => {
  const { leader, text = '' } = led ?? {}
  return (JSON.parse(text.slice(`${leader} led: `.length)) as Led[]).map((one) => one.text)
}

describe('the leader of a team', () => {
  it('AL-14 is the member that is named, and the others are its members', async () => {
    const agents = [
      asking({ leader: 'b', members: ['a', 'b', 'c'] }),
      ...['a', 'b', 'c'].map((id) => member(id)),
    ]
    const { ends, result } = await outcomesOf(agents)
    const [led] = ends as Led[]
    expect(led).to.include({ leader: 'b' }).and.not.have.property('replaced')
    expect(helped(led)).to.deep.equal(['I am a.', 'I am c.'])
    expect(result.status).to.equal('done')
  })

  it('AL-14 is else the first member that is able', async () => {
    const remote = { id: 'a', endpoint: ENDPOINT }
    const agents = [asking({ members: ['a', 'b', 'c'] }), remote, member('b'), member('c')]
    const { ends } = await outcomesOf(agents, { backends: [new FakeBackend()] })
    const [led] = ends as Led[]
    expect(led).to.include({ leader: 'b' })
    // An agent that runs elsewhere cannot lead, but it works as a member: this one repeats what it is told.
    expect(helped(led)).to.deep.equal(['help', 'I am c.'])
  })

  it('AL-14 is elected again when it fails, and the result says so', async () => {
    const team = { leader: 'c', members: ['a', 'b', 'c'] }
    const { ends } = await outcomesOf([asking(team), failing('a'), member('b'), failing('c')])
    const [led] = ends as Led[]
    expect(led).to.include({ leader: 'b' })
    expect(led?.replaced?.map((one) => Object.entries(one).slice(0, 2))).to.deep.equal(
      ['c', 'a'].map((id) => [
        ['agent', id],
        ['status', 'failed'],
      ]),
    )
    expect(helped(led)).to.deep.equal(['I am a.', 'I am c.'])
  })

  it('AL-14 is elected again when it takes too long', async () => {
    const slow = agent('a', [{ then: { fault: 'stall' } }])
    const team = { members: ['a', 'b'] }
    const limits = { childLimits: { seconds: 0.05 } }
    const agents = [asking(team), slow, speaker('b', 'b led.')]
    const { ends } = await outcomesOf(agents, {}, limits)
    const [led] = ends as Led[]
    expect(led).to.include({ leader: 'b', text: 'b led.' })
    expect(led?.replaced?.[0]).to.include({ agent: 'a', status: 'timed_out' })
  })

  it('AL-14 keeps the team where it stops at a limit: nobody repeats its work', async () => {
    const looping = agent(
      'a',
      [{ then: { text: 'on', tool_calls: [{ name: 'no', input: {} }] } }],
      {
        max_rounds: 1,
      },
    )
    const { ends } = await outcomesOf([
      asking({ members: ['a', 'b'] }),
      looping,
      speaker('b', 'b led.'),
    ])
    expect(ends[0]).to.deep.include({
      agent: 'a',
      leader: 'a',
      status: 'stopped',
      code: 'max_rounds',
    })
  })

  it('AL-14 is nobody where all fail, which is a structured result', async () => {
    const { ends, events } = await outcomesOf([
      asking({ members: ['a', 'b'] }),
      failing('a'),
      failing('b'),
    ])
    expect(ends[0]).to.deep.include({ status: 'failed', code: 'NO_LEADER' })
    expect((ends[0] as Led).replaced).to.have.length(2)
    const end = events.find((event) => event.type === 'tool-execution-end')
    expect(end).to.deep.include({ state: 'failed' })
  })

  it('AL-14 is not asked where the task is empty', async () => {
    const call = calls('run', { prompt: ' ' })
    const spec = caller('boss', [call], { team: { members: ['a', 'b'] } })
    const { ends, events, result } = await outcomesOf([spec, member('a'), member('b')])
    const message = 'The prompt for the team "boss" is empty. Say what it is to do.'
    expect(ends).to.deep.equal([
      { agent: 'boss', status: 'refused', code: 'PROMPT_EMPTY', message },
    ])
    const end = events.find((event) => event.type === 'tool-execution-end')
    expect(end).to.include({ state: 'validation_failed' })
    expect(result.status).to.equal('done')
  })

  it('AL-14 is not elected for a task that no member could begin', async () => {
    const agents = [asking({ members: ['a', 'b', 'c'] }), failing('a'), member('b'), member('c')]
    const { ends } = await outcomesOf(agents, {}, { childLimits: { total: 1 } })
    expect(ends[0]).to.deep.include({ status: 'refused', code: 'TOO_MANY' })
    expect((ends[0] as Led).replaced).to.have.length(1)
  })

  it('AL-13 is the agent itself where its spec says so', async () => {
    const spec = caller('boss', [calls('broadcast', { prompt: 'help' })], {
      team: { leader: 'boss', members: ['a'] },
    })
    await using team = await teamOf({ agents: [spec, member('a')] })
    const { tools } = await team.runtime.resolve('boss')
    const names = tools.filter(({ offered }) => offered).map(({ tool_name }) => tool_name)
    expect(names).to.include('team_broadcast_boss').and.not.include('team_run_boss')
  })

  it('AL-13 has the tools of the leader, its members only those that share', async () => {
    const offered: { readonly [id: string]: readonly string[] }[] = []
    const hook = {
      name: 'watch',
      onEvent: (
        id: string,
        _: unknown,
        event: { readonly type: string; readonly tools?: unknown },
      ) => {
        if (event.type !== 'tool-inventory') return
        const tools = event.tools as { offered: boolean; tool_name: string }[]
        const names = tools.filter((one) => one.offered).map((one) => one.tool_name)
        offered.push({ [id]: names.map((name) => name.replace(/^team_(.*)_boss$/, '$1')) })
      },
    }
    const agents = [asking({ members: ['a', 'b'] }), member('a'), member('b')]
    await outcomesOf(agents, { hooks: [hook] })
    expect(offered).to.deep.equal([
      { boss: ['run'] },
      { a: ['broadcast', 'multicast', 'dispatch', 'read', 'write'] },
      { b: ['read', 'write'] },
    ])
  })
})
