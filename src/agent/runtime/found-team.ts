import { HostError, pointerOf } from '@braidwork/plugin'
import type { CatalogTool } from '../catalog/index.ts'
import { type AgentSpec, membersOf, type TeamSpec } from '../specs/index.ts'
import { electable, type Member, memberToolNames, type Team } from '../teams/index.ts'
import { findAgent } from './found-agents.ts'
import { foundDelegate } from './found-delegates.ts'
import type { Registries } from './registries.ts'
import { isRemote } from './remote-agents.ts'
import type { AgentWarning } from './resolved-agent.ts'

type Known = Pick<Registries, 'agents' | 'backends'>

/** Finds the team of an agent. AL-13 @throws {HostError} AGENT_NOT_FOUND, SPEC_INVALID */
export function findTeam(known: Known, { id, team: spec }: AgentSpec): Team | undefined {
  if (!spec) return undefined
  const all = membersOf(spec).map(({ agent, ...facts }, at): Member & { agent: string } => {
    const pointer = pointerOf(['team', 'members', at])
    const reference = { owner: `The team of "${id}"`, ownerId: id, pointer }
    const found = findAgent(known.agents, agent, reference)
    assertNoCircle(known, [id, found.spec.id], pointer)
    const whose = `The team of "${id}" cannot ask its member`
    return {
      ...foundDelegate(known, found.spec, whose),
      ...facts,
      agent,
      canLead: !isRemote(found.spec),
    }
  })
  const idOf = (named: string | undefined) => all.find(({ agent }) => agent === named)?.id ?? named
  const members = all.map(({ agent: _, ...member }) => member)
  const team = {
    id,
    members,
    ...named('leader', idOf(spec.leader)),
    ...named('default', idOf(spec.default)),
  }
  assertLed(team, spec)
  return team
}

function named<K extends string>(key: K, id: string | undefined): { readonly [P in K]?: string } {
  return (id === undefined ? {} : { [key]: id }) as { readonly [P in K]?: string }
}

/** A team cannot be inside itself. @throws {HostError} SPEC_INVALID */
function assertNoCircle(known: Known, path: readonly string[], pointer: string): void {
  const [id = '', last = ''] = [path[0], path.at(-1)]
  const { team } = known.agents.has(last) ? known.agents.get(last) : {}
  for (const { agent } of team ? membersOf(team) : []) {
    if (agent === id) {
      const circle = [...path, id].join(' → ')
      const message = `The team of "${id}" is inside itself: ${circle}. Leave a member out.`
      throw new HostError('SPEC_INVALID', message, { pointer })
    }
    if (!path.includes(agent)) assertNoCircle(known, [...path, agent], pointer)
  }
}

/** @throws {HostError} SPEC_INVALID, if nobody can have the tools of a leader */
function assertLed(team: Team, { leader }: TeamSpec): void {
  const { id, members } = team
  if (leader === id) return
  const isAble = members.some((one) => one.id === team.leader && one.canLead)
  if (leader === undefined ? electable(team).length > 0 : isAble) return
  const who = leader === undefined ? 'No member' : `The leader "${leader}"`
  const message = `${who} of the team of "${id}" can lead: agents that run elsewhere cannot have the tools of a leader. Name a leader that runs here.`
  const pointer = leader === undefined ? '/team/members' : '/team/leader'
  throw new HostError('SPEC_INVALID', message, { pointer })
}

/** The tools that an agent can have as a member of teams: a run of it alone has none of them. AW-34 */
export function toolsAsMember({ agents }: Pick<Registries, 'agents'>, id: string): CatalogTool[] {
  const isMember = ({ team }: AgentSpec) =>
    team && membersOf(team).some(({ agent }) => agent === id)
  const names = agents.all.filter(isMember).flatMap((spec) => memberToolNames(spec.id))
  return names.map((name) => ({ name, id: name }))
}

/** The warnings of members that are left out. AW-16 */
export function teamWarnings(team: Team | undefined): readonly AgentWarning[] {
  return (team?.members ?? []).flatMap(({ id: entry, missing: message }) =>
    message === undefined
      ? []
      : [{ code: 'MEMBER_LEFT_OUT', agent: team?.id ?? '', field: 'team', entry, message }],
  )
}
