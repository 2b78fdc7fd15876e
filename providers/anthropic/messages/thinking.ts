import type { Context } from 'braidwork/plugin'
import type { JsonObject } from '../../model-api/json.ts'
import type { Sampling } from '../../model-api/settings.ts'
import type { Family } from '../models.ts'

/** Tokens to think with, for models that take a budget and no effort; the API wants at least the smallest. */
const BUDGETS: { readonly [effort: string]: number } = {
  minimal: 1024,
  low: 4096,
  medium: 10_240,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}

const SMALLEST_BUDGET = 1024

/** How a request asks to think. */
export interface Thinking {
  readonly thinking?: JsonObject
  readonly effort?: string
  /** Tokens that are thought with, beside those of the answer. */
  readonly budget: number
}

interface Around {
  readonly model: string
  readonly family: Family
  readonly warn: Context['warn']
}

/** What the reasoning effort of a config comes to for a model. */
export function thinkingOf(effort: Sampling['reasoning_effort'], around: Around): Thinking {
  const { model, family, warn } = around
  if (effort === undefined) return { budget: 0 }
  if (family.thinking === 'none') {
    warn(`"${model}" does not think: reasoning_effort is left out.`)
    return { budget: 0 }
  }
  if (effort === 'none') return withoutThinking(around)
  if (typeof effort === 'number') return withBudget(effort, around)
  return family.thinking === 'adaptive'
    ? withEffort(effort, around)
    : { ...budgeted(BUDGETS[effort] ?? SMALLEST_BUDGET), ...effortOf(effort, family) }
}

function withoutThinking({ model, family, warn }: Around): Thinking {
  if (family.alwaysThinks) {
    warn(`"${model}" always thinks: it cannot be told not to.`)
    return { budget: 0 }
  }
  return { thinking: { type: 'disabled' }, budget: 0 }
}

function withBudget(tokens: number, { model, family, warn }: Around): Thinking {
  if (family.takesBudget) return budgeted(Math.max(SMALLEST_BUDGET, tokens))
  warn(`"${model}" takes an effort and no number of tokens: it thinks as much as it finds right.`)
  return { thinking: ADAPTIVE, budget: 0 }
}

/** Without a display, newer models keep what they think to themselves. */
const ADAPTIVE = { type: 'adaptive', display: 'summarized' } as const

function withEffort(effort: string, { model, family, warn }: Around): Thinking {
  const known = effortOf(effort, family)
  if (known.effort !== effort) {
    warn(
      `"${model}" knows no effort "${effort}", only ${family.efforts.join(', ')}: it is asked for "${known.effort}".`,
    )
  }
  return { thinking: ADAPTIVE, ...known, budget: 0 }
}

/** The effort that a family knows; of one that it does not, the nearest. */
function effortOf(effort: string, { efforts }: Family): { readonly effort?: string } {
  if (efforts.length === 0) return {}
  const nearest = effort === 'minimal' ? efforts[0] : efforts.at(-1)
  const high = effort === 'xhigh' && efforts.includes('high') ? 'high' : nearest
  return { effort: efforts.includes(effort) ? effort : String(high) }
}

function budgeted(budget: number): Thinking {
  return { thinking: { type: 'enabled', budget_tokens: budget }, budget }
}

/** Whether a thinking setting of the API makes the model think. */
export function isThinking({ thinking }: Pick<Thinking, 'thinking'>, family: Family): boolean {
  if (thinking) return thinking['type'] !== 'disabled'
  return family.alwaysThinks
}
