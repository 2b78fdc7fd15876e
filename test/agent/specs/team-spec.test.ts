import { expect } from 'chai'
import { checkAgentSpec } from '../../../src/agent/specs/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { ENDPOINT, FakeBackend } from '../backends/fake-backend.ts'
import { speaker, teamOf } from '../children/team.ts'

const faultOf = async (team: unknown) => {
  const { code, pointer, message } = await errorOf(checkAgentSpec({ id: 'boss', team }))
  expect(code).to.equal('SPEC_INVALID')
  return { pointer, message }
}

describe('the team in a spec', () => {
  for (const [what, team, pointer, message] of [
    ['has members', { members: [] }, '/team/members', /fewer than 1|at least 1/],
    ['has a list of members', {}, '/team/members', /"?members"?/],
    ['has a member beside its leader', { members: ['a'] }, '/team/members', /at least one other/],
    ['has each member once', { members: ['a', 'b', 'a'] }, '/team/members/2', /"a" is a member/],
    ['is not a member of itself', { members: ['a', 'boss'] }, '/team/members/1', /its own team/],
    [
      'has its leader among its members',
      { members: ['editor', 'critic'], leader: 'editr' },
      '/team/leader',
      /"editr" is not in the team.* Did you mean "editor"\?/,
    ],
    [
      'has its default among its members',
      { members: ['editor', 'critic'], default: 'boss' },
      '/team/default',
      /"boss" is not in the team/,
    ],
    [
      'knows no other fields',
      { members: ['a', 'b'], ledr: 'a' },
      '/team/ledr',
      /leader|not allowed/,
    ],
    [
      'knows members by their agents',
      { members: ['a', { agnt: 'b' }] },
      '/team/members/1/agent',
      /"agent" is missing/,
    ],
  ] as const) {
    it(`AL-13 ${what}`, async () => {
      const fault = await faultOf(team)
      expect(fault.message).to.match(message)
      expect(fault.pointer).to.equal(pointer)
    })
  }

  it('AL-13 may be led by the agent itself, with one member', async () => {
    const spec = { id: 'boss', team: { leader: 'boss', members: [{ agent: 'a', type: 't' }] } }
    expect(await checkAgentSpec(spec)).to.deep.equal(spec)
  })

  it('AL-13 has no effect for an agent that runs elsewhere', async () => {
    const spec = { id: 'boss', endpoint: ENDPOINT, team: { members: ['a', 'b'] } }
    expect(await errorOf(checkAgentSpec(spec))).to.include({ pointer: '/team' })
  })

  const faultOfRun = async (agents: Parameters<typeof teamOf>[0]['agents']) => {
    await using team = await teamOf({ agents, backends: [new FakeBackend()] })
    const error = await errorOf(team.runtime.resolve('boss'))
    const run = await errorOf(team.runtime.run('boss', { messages: 'go' }))
    expect(run.message).to.equal(error.message)
    const [fault] = (await team.runtime.check()).filter(({ agent }) => agent === 'boss')
    expect(fault?.error.message).to.equal(error.message)
    return error
  }

  it('AL-13 has members that are declared', async () => {
    const team = { members: ['a', 'critc'] }
    const error = await faultOfRun([
      { id: 'boss', team },
      speaker('a', 'x'),
      speaker('critic', 'x'),
    ])
    expect(error).to.include({ code: 'AGENT_NOT_FOUND', pointer: '/team/members/1' })
    expect(error.message).to.match(/The team of "boss" refers to it.*Did you mean "critic"\?/)
  })

  it('AL-13 is not inside itself, however deep', async () => {
    const team = { members: ['a', 'b'] }
    const error = await faultOfRun([
      { id: 'boss', team },
      speaker('a', 'x'),
      speaker('b', 'x', { team: { leader: 'b', members: ['c'] } }),
      speaker('c', 'x', { team: { members: ['a', { agent: 'boss' }] } }),
    ])
    expect(error).to.include({ code: 'SPEC_INVALID', pointer: '/team/members/1' })
    expect(error.message).to.include('boss → b → c → boss')
  })

  for (const [leader, pointer] of [
    ['far', '/team/leader'],
    [undefined, '/team/members'],
  ] as const) {
    it(`AL-14 is led by an agent that runs here, ${leader ? 'also' : 'not only'} as it is named`, async () => {
      const far = (id: string) => ({ id, endpoint: ENDPOINT })
      const others = leader ? [speaker('b', 'x')] : [far('b')]
      const team = { members: ['far', 'b'], ...(leader ? { leader } : {}) }
      const error = await faultOfRun([{ id: 'boss', team }, far('far'), ...others])
      expect(error).to.include({ code: 'SPEC_INVALID', pointer })
    })
  }
})
