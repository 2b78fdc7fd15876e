import { expect } from 'chai'
import type { AgentSpec } from '../../../src/agent/index.ts'
import { speaker, teamOf } from '../children/team.ts'

/** What is withheld from an agent that may ask "a", itself and a team of "b". */
async function withheldFrom(spec: Partial<AgentSpec>) {
  const team = { leader: 'boss', members: ['b'] }
  const boss = { id: 'boss', delegates: ['a'], subagents: true, team, ...spec }
  await using made = await teamOf({ agents: [boss, speaker('a', 'x'), speaker('b', 'x')] })
  const { warnings } = await made.runtime.resolve('boss')
  return warnings
    .filter(({ code }) => code === 'ASKING_TOOL_WITHHELD')
    .map(({ field, entry }) => `${field}: ${entry}`)
}

const TEAM = ['broadcast', 'multicast', 'dispatch', 'read', 'write'].map(
  (one) => `team_${one}_boss`,
)

describe('the tools by which an agent asks others', () => {
  it('AW-37 are warned of where the spec lists its tools and forgets them', async () => {
    const all = ['agent_run_a', 'agent_spawn', ...TEAM]
    const literal = await withheldFrom({ allowed_tools: ['calculate'] })
    expect(literal).to.have.members(all.map((name) => `allowed_tools: ${name}`))
    const pattern = await withheldFrom({ allowed_tool_patterns: ['team_*', 'agent_run_*'] })
    expect(pattern).to.deep.equal(['allowed_tool_patterns: agent_spawn'])
  })

  it('AW-37 are not warned of where the spec allows everything, or excludes them', async () => {
    expect(await withheldFrom({})).to.deep.equal([])
    const allowed = ['agent_run_a', ...TEAM]
    expect(
      await withheldFrom({ allowed_tools: allowed, excluded_tools: ['agent_spawn'] }),
    ).to.deep.equal([])
  })
})
