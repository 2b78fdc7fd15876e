import type { Result } from '@braidwork/core'
import type { ModelInfo } from '@braidwork/plugin'
import { dollarsFor } from '../price.ts'
import type { StopCode, StopCondition } from './stop-conditions.ts'

type Spent = Pick<Result, 'status' | 'usage'>

/** Why a budget cannot count an answer. Undefined if it can. */
const REASONS: {
  readonly [C in StopCode]?: (spent: Spent, info: ModelInfo) => string | undefined
} = {
  token_budget: reasonAgainstTokens,
  cost_budget: (spent, info) => reasonAgainstTokens(spent) ?? reasonAgainstDollars(info),
}

/** The warnings of the budgets that cannot count an answer of a model, and so do not limit its run. AW-66 */
export function uncountedWarnings(
  conditions: readonly StopCondition[],
  spent: Spent,
  info: ModelInfo,
): readonly string[] {
  // Of a request that failed, no usage is expected.
  if (spent.status !== 'done') return []
  return conditions.flatMap(({ type }) => {
    const reason = REASONS[type]?.(spent, info)
    return reason === undefined
      ? []
      : [`The stop condition "${type}" did not count an answer: ${reason}.`]
  })
}

function reasonAgainstTokens({ usage }: Spent): string | undefined {
  const isKnown = usage.input !== undefined || usage.output !== undefined
  return isKnown ? undefined : 'the model API did not report how many tokens it used'
}

/** Why the cost of a model's answers is not known. Undefined if it is. */
export function reasonAgainstDollars({ price }: ModelInfo): string | undefined {
  const isKnown = dollarsFor({ input: 0, output: 0 }, price) !== undefined
  return isKnown ? undefined : 'the prices of the model are not known'
}
