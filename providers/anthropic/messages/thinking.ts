import type { Sampling } from '@braidwork/model-api/exchange'
import type { Context, JsonObject } from '@braidwork/plugin'
import type { Family } from '../models.ts'

/** Tokens to think with, for models that take a budget and no effort. */
const BUDGETS: { readonly [effort: string]: number } = {
  minimal: 1024,
  low: 4096,
  medium: 10_240,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}

/** https://platform.claude.com/docs/en/build-with-claude/extended-thinking: less is refused. */
const SMALLEST_BUDGET = 1024

/** What a budget leaves of the largest output, as it must be smaller than that. */
const LEFT_TO_ANSWER = 4096

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

/** What the reasoning effort of a config comes to for a model, under the API's own setting if there is one. */
export function thinkingOf(
  effort: Sampling['reasoning_effort'],
  around: Around,
  own?: JsonObject,
): Thinking {
  const asked = askedThinking(effort, around)
  if (!own) return asked
  const { budget_tokens: budget } = own
  return atQuietEffort(
    { ...asked, thinking: own, budget: typeof budget === 'number' ? budget : 0 },
    around,
  )
}

function askedThinking(effort: Sampling['reasoning_effort'], around: Around): Thinking {
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
    : {
        ...budgeted(fittingBudget(BUDGETS[effort] ?? SMALLEST_BUDGET, family)),
        ...effortOf(effort, family),
      }
}

function withoutThinking({ model, family, warn }: Around): Thinking {
  if (family.quiet === 'never') {
    warn(`"${model}" always thinks: it is asked for as little as it knows.`)
    return { ...effortOf('minimal', family), budget: 0 }
  }
  if (family.quiet === 'between_tools') {
    warn(`"${model}" cannot be told not to think at all: it thinks between its calls alone.`)
  }
  return { thinking: { type: family.quiet }, budget: 0 }
}

function withBudget(tokens: number, { model, family, warn }: Around): Thinking {
  if (!family.takesBudget) {
    warn(`"${model}" takes an effort and no number of tokens: it thinks as much as it finds right.`)
    return { thinking: ADAPTIVE, budget: 0 }
  }
  const budget = fittingBudget(tokens, family)
  if (budget !== tokens) warn(`"${model}" cannot think with ${tokens} tokens: it has ${budget}.`)
  return budgeted(budget)
}

function fittingBudget(tokens: number, { maxOutputTokens }: Family): number {
  return Math.max(SMALLEST_BUDGET, Math.min(tokens, maxOutputTokens - LEFT_TO_ANSWER))
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

const QUIET = new Set<unknown>(['disabled', 'between_tools'])

/** Newer models do not think hard without thinking: the effort gives way, as the setting is the more explicit. */
function atQuietEffort(asked: Thinking, { model, family, warn }: Around): Thinking {
  const { thinking, effort } = asked
  const highest = family.quietEfforts.at(-1)
  if (!QUIET.has(thinking?.['type']) || effort === undefined || highest === undefined) return asked
  if (family.quietEfforts.includes(effort)) return asked
  warn(`"${model}" takes no effort above "${highest}" without thinking: it is asked for that.`)
  return { ...asked, effort: highest }
}

/** Whether a request asks the model to think. */
export function isThinking({ thinking }: Thinking): boolean {
  return thinking !== undefined && thinking['type'] !== 'disabled'
}
