import { didYouMean, listed } from '@braidwork/core/internal'
import { pointerOf } from '@braidwork/plugin'

/** A team of agents, as data. AL-13 */
export interface TeamSpec {
  /** The members, in the order in which they are asked. */
  readonly members: readonly (string | TeamMember)[]
  /**
   * The member that leads the team, or the agent itself. The default is the first member that is able. Another member
   * takes over from one that fails. AL-14
   */
  readonly leader?: string
  /** The member that is asked for work that no other one says it can do. By default such work finds nobody. AL-19 */
  readonly default?: string
}

/** A member of a team, and what it can do. */
export interface TeamMember {
  /** The id of the agent. */
  readonly agent: string
  readonly type?: string
  readonly capabilities?: readonly string[]
}

const MOST_MEMBERS = 100
const name = { type: 'string', minLength: 1, maxLength: 100 } as const

/** The JSON Schema (2020-12) of a {@link TeamSpec}. */
export const TEAM_SCHEMA = {
  type: 'object',
  properties: {
    members: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_MEMBERS,
      items: {
        anyOf: [
          { type: 'string' },
          {
            type: 'object',
            properties: {
              agent: { type: 'string' },
              type: name,
              capabilities: { type: 'array', items: name, uniqueItems: true, maxItems: 100 },
            },
            required: ['agent'],
            additionalProperties: false,
          },
        ],
      },
    },
    leader: { type: 'string' },
    default: { type: 'string' },
  },
  required: ['members'],
  additionalProperties: false,
} as const

/** The members of a team, each as an object. */
export function membersOf({ members }: TeamSpec): readonly TeamMember[] {
  return members.map((one) => (typeof one === 'string' ? { agent: one } : one))
}

interface Fault {
  readonly pointer: string
  readonly message: string
}

/** The faults of the team of an agent that its schema does not find. @param id the id of the agent */
export function teamFaults(id: string, team: TeamSpec): readonly Fault[] {
  const ids = membersOf(team).map(({ agent }) => agent)
  const members = ids.flatMap((agent, at): Fault[] => {
    const pointer = pointerOf(['members', at])
    if (agent === id) {
      const message = `"${id}" cannot be a member of its own team; to let it lead, name it as "leader" only`
      return [{ pointer, message }]
    }
    return ids.indexOf(agent) < at ? [{ pointer, message: `"${agent}" is a member already` }] : []
  })
  const alone = ids.length === 1 && team.leader !== id
  return [
    ...members,
    ...(alone
      ? [{ pointer: '/members', message: 'a leader needs at least one other member' }]
      : []),
    ...unknown('leader', team.leader, [...ids, id]),
    ...unknown('default', team.default, ids),
  ]
}

/** The fault of a field that names somebody who is not in the team. */
function unknown(
  field: 'leader' | 'default',
  agent: string | undefined,
  known: readonly string[],
): readonly Fault[] {
  if (agent === undefined || known.includes(agent)) return []
  const message = `"${agent}" is not in the team; there is ${listed(known)}.${didYouMean(agent, known)}`
  return [{ pointer: pointerOf([field]), message }]
}
