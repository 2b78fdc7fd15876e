import type { AgentSpec } from '@braidwork/agent'
import { type AgentPlan, membersOf } from '@braidwork/agent/internal'

/** The agents that an agent asks, and those that they ask in turn. One that `find` does not know is left out. */
export async function askedAgents(
  asker: AgentSpec,
  find: (id: string) => Promise<AgentSpec | undefined>,
): Promise<readonly AgentSpec[]> {
  const asked = new Map<string, AgentSpec>()
  const ids = namesIn(asker)
  // The list grows while it is read.
  for (const id of ids) {
    if (id === asker.id || asked.has(id)) continue
    const spec = await find(id)
    if (!spec) continue
    asked.set(id, spec)
    ids.push(...namesIn(spec))
  }
  return [...asked.values()]
}

/** The ids of the delegates of an agent and of the members of its team. */
export function namesIn({ delegates, team }: AgentSpec): string[] {
  const members = team ? membersOf(team).map(({ agent }) => agent) : []
  return [...(delegates ?? []), ...members]
}

/** A plan whose delegates and team members run by other plans. @param plan plans the next run of one of them */
export function planAsking(
  { delegates, team, ...rest }: AgentPlan,
  plan: (id: string) => Promise<AgentPlan>,
): AgentPlan {
  return {
    ...rest,
    ...(delegates
      ? { delegates: delegates.map((one) => ({ ...one, plan: () => plan(one.id) })) }
      : {}),
    ...(team ? { team: { ...team, plan } } : {}),
  }
}
