import type { AgentCall } from '../children/index.ts'

/** A team: its members, and who leads them. AL-13 */
export interface Team {
  /** The id of the agent that has the team. */
  readonly id: string
  /** The leader that is named: a member, or the agent that has the team. */
  readonly leader?: string
  /** The member that is asked for work of nobody else. AL-19 */
  readonly default?: string
  readonly members: readonly Member[]
}

/** A member of a team. */
export interface Member {
  /** The id of the agent. */
  readonly id: string
  readonly description?: string
  readonly type?: string
  readonly capabilities?: readonly string[]
  /** Whether it can have the tools of a leader: an agent that runs elsewhere cannot. */
  readonly canLead: boolean
  /** Why it cannot be asked. It is left out, and the run warns of it. AW-16 */
  readonly missing?: string
}

/** Whether the agent that has a team leads it itself. */
export function leadsItself({ id, leader }: Team): boolean {
  return leader === id
}

/** The members that one of them can ask: all others that are there, in order. */
export function othersThan(id: string, { members }: Team): readonly Member[] {
  return members.filter((one) => one.id !== id && one.missing === undefined)
}

/** The members in the order in which they come to lead: the one that is named, then the first that is able. AL-14 */
export function electable({ leader, members }: Team): readonly Member[] {
  const able = members.filter(({ canLead, missing }) => canLead && missing === undefined)
  const named = able.filter(({ id }) => id === leader)
  return [...named, ...able.filter(({ id }) => id !== leader)]
}

/** The part of a call that one member is asked. */
export function partFor({ id: part }: Pick<Member, 'id'>, call: AgentCall) {
  return { ...call, part }
}
