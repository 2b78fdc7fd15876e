import { didYouMean } from '@braidwork/core/internal'
import type { ModelChoice } from '@braidwork/plugin'
import type { AgentSpec } from '../specs/index.ts'
import { reasonAgainstDollars, type StopCondition } from '../stop/index.ts'
import type { AgentWarning } from './resolved-agent.ts'
import type { Trial } from './trials.ts'

/** What the stop conditions of an agent are checked against. */
export interface StopSurroundings {
  /** The models that a run may ask. */
  readonly models: readonly Pick<Trial, 'choice' | 'facts'>[]
  /** The names of the tools that are registered, as the model calls them. */
  readonly tools: readonly string[]
}

/** The warnings of stop conditions that probably never stop a run. AW-37, AW-66 */
export function stopWarnings(
  { id: agent, stop_conditions: conditions = [] }: AgentSpec,
  surroundings: StopSurroundings,
): readonly AgentWarning[] {
  return conditions.flatMap((condition) => {
    const found = findingOf(condition, surroundings)
    return found ? [{ agent, field: 'stop_conditions', ...found }] : []
  })
}

type Finding = Pick<AgentWarning, 'code' | 'entry' | 'message'>

function findingOf(condition: StopCondition, { models, tools }: StopSurroundings): Finding | null {
  if (condition.type === 'cost_budget') return unpriced(models)
  if (condition.type !== 'stop_on_tool' || tools.includes(condition.tool_name)) return null
  const { tool_name: entry } = condition
  const message = `No registered tool is named "${entry}", so no call of it stops a run.${didYouMean(entry, tools)}`
  return { code: 'STOP_TOOL_UNKNOWN', entry, message }
}

function unpriced(models: StopSurroundings['models']): Finding | null {
  const names = models
    .filter(({ facts }) => reasonAgainstDollars(facts) !== undefined)
    .map(({ choice }) => `"${nameOf(choice)}"`)
  if (names.length === 0) return null
  const message = `The stop condition "cost_budget" has no effect with ${names.join(', ')}: the prices are not known. Put "prices" into the spec of the model.`
  return { code: 'BUDGET_UNPRICED', entry: 'cost_budget', message }
}

function nameOf({ id, provider, model }: ModelChoice): string {
  return id ?? model ?? provider
}
