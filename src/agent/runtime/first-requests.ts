import { HostError } from '@braidwork/plugin'
import type { AgentPlan } from './agent-plan.ts'
import { dryRunPlan } from './run-plan.ts'
import type { AgentRuntime } from './runtime.ts'

/** What a run of an agent would refuse or warn of before a model is asked. */
export interface FirstRequests {
  readonly errors: readonly HostError[]
  readonly warnings: readonly string[]
}

/** A run that nobody asked for. It has a conversation, as those of chats do: some plugins warn where there is none. */
const TRIAL = { messages: 'Hello', conversationId: 'trial' }

/**
 * Builds the first request of an agent for each of its models, as its runs would, and sends none. Plugins check here what
 * a schema cannot say, such as whether a file exists. Each fault is told once.
 * @throws {HostError} as `AgentRuntime.plan`
 */
export async function firstRequests(runtime: AgentRuntime, id: string): Promise<FirstRequests> {
  const plan = await runtime.plan(id)
  const errors = new Map<string, HostError>()
  const warnings = new Set<string>()
  for (const one of plan.remote ? [] : plansOf(plan)) {
    try {
      const built = await dryRunPlan(runtime.host, one, TRIAL)
      for (const warning of built.warnings) warnings.add(warning)
    } catch (error) {
      if (!HostError.is(error)) throw error
      errors.set(error.message, error)
    }
  }
  return { errors: [...errors.values()], warnings: [...warnings] }
}

/** A plan for each model of a pool. */
function plansOf(plan: AgentPlan): readonly AgentPlan[] {
  const { routing } = plan
  if (!routing) return [plan]
  return routing.candidates.map((one) => ({ ...plan, routing: { ...routing, candidates: [one] } }))
}
