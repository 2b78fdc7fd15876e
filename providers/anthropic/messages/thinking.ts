import type { Sampling } from '@braidwork/model-api/exchange'
import type { Config, Context, JsonObject } from '@braidwork/plugin'
import type { Family } from '../models.ts'

/** Thinking budgets in tokens by effort, for models that take a budget instead of an effort. */
const BUDGETS: { readonly [effort: string]: number } = {
  minimal: 1024,
  low: 4096,
  medium: 10_240,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}

/** The API refuses a smaller budget: https://platform.claude.com/docs/en/build-with-claude/extended-thinking. */
const SMALLEST_BUDGET = 1024

/** Tokens reserved for the answer: the budget must be smaller than the output limit. */
const LEFT_TO_ANSWER = 4096

/** The fields of a request that control thinking. */
export interface Thinking {
  readonly thinking?: JsonObject
  readonly effort?: string
  /** Thinking tokens in addition to the limit of the answer, which otherwise includes them. */
  readonly budget: number
}

interface Around {
  readonly model: string
  readonly family: Family
  readonly sampling: Pick<Sampling, 'reasoning_effort' | 'max_output_tokens'>
  readonly config: Config
  readonly warn: Context['warn']
}

/** Converts the config's reasoning effort for a model. The setting `thinking` takes precedence. */
export function thinkingOf(around: Around, own?: JsonObject): Thinking {
  const { sampling } = around
  const asked = askedThinking(sampling.reasoning_effort, around)
  if (!own) return withinLimit(asked, around)
  const given = typeof own['budget_tokens'] === 'number' ? own['budget_tokens'] : 0
  const budget = given < (sampling.max_output_tokens ?? 0) ? 0 : given
  return atQuietEffort({ ...asked, thinking: own, budget }, around)
}

/**
 * Keeps a budget within the limit of the answer, as the API counts it: a budget that the config names, if it is below the
 * limit, and otherwise half of the limit at most. A limit that is too small for both is for the answer alone.
 */
function withinLimit(asked: Thinking, { model, sampling, warn }: Around): Thinking {
  const { reasoning_effort: effort, max_output_tokens: limit } = sampling
  const { budget } = asked
  if (budget === 0 || limit === undefined) return asked
  const half = Math.floor(limit / 2)
  const isNamed = typeof effort === 'number'
  if (budget <= half || (isNamed && budget < limit)) return { ...asked, budget: 0 }
  if (half < SMALLEST_BUDGET) return asked
  if (isNamed) {
    warn(`"${model}" cannot think ${budget} tokens within ${limit}: a budget of ${half} is set.`)
  }
  return { ...asked, ...budgeted(half), budget: 0 }
}

function askedThinking(effort: Sampling['reasoning_effort'], around: Around): Thinking {
  const { model, family, warn } = around
  if (effort === undefined) return { budget: 0 }
  if (family.thinking === 'none') {
    warn(`"${model}" cannot think: reasoning_effort is left out.`)
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

/** The effort of the answer beside thinking that is off, or has a budget. */
function answerEffort({ config, family }: Around): Pick<Thinking, 'effort'> {
  const { answer_effort: effort } = config as Config & { readonly answer_effort?: string }
  return effort === undefined || effort === 'none' ? {} : effortOf(effort, family)
}

function withoutThinking(around: Around): Thinking {
  const { model, family, warn } = around
  if (family.quiet === 'never') {
    warn(`"${model}" always thinks: the lowest effort is requested.`)
    return { ...effortOf('minimal', family), ...answerEffort(around), budget: 0 }
  }
  if (family.quiet === 'between_tools') {
    warn(`"${model}" cannot stop thinking entirely: it thinks only between tool calls.`)
  }
  return atQuietEffort(
    { thinking: { type: family.quiet }, ...answerEffort(around), budget: 0 },
    around,
  )
}

function withBudget(tokens: number, around: Around): Thinking {
  const { model, family, warn } = around
  if (!family.takesBudget) {
    warn(
      `"${model}" takes an effort instead of a thinking budget: the model decides how much it thinks.`,
    )
    return { thinking: ADAPTIVE, ...answerEffort(around), budget: 0 }
  }
  const budget = fittingBudget(tokens, family)
  if (budget !== tokens)
    warn(`"${model}" cannot think with a budget of ${tokens} tokens: ${budget} are set.`)
  return { ...budgeted(budget), ...answerEffort(around) }
}

function fittingBudget(tokens: number, { maxOutputTokens }: Family): number {
  return Math.max(SMALLEST_BUDGET, Math.min(tokens, maxOutputTokens - LEFT_TO_ANSWER))
}

// Without `display`, newer models do not return their thinking.
const ADAPTIVE = { type: 'adaptive', display: 'summarized' } as const

function withEffort(effort: string, { model, family, warn }: Around): Thinking {
  const known = effortOf(effort, family)
  if (known.effort !== effort) {
    warn(
      `"${model}" has no effort "${effort}", only ${family.efforts.join(', ')}: "${known.effort}" is requested.`,
    )
  }
  return { thinking: ADAPTIVE, ...known, budget: 0 }
}

/** The effort if the family supports it, else the nearest one. */
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

/**
 * Lowers a high effort, which newer models refuse when thinking is off. The setting `thinking` takes precedence,
 * because it is more explicit than the effort.
 */
function atQuietEffort(asked: Thinking, { model, family, warn }: Around): Thinking {
  const { thinking, effort } = asked
  const highest = family.quietEfforts.at(-1)
  if (!QUIET.has(thinking?.['type']) || effort === undefined || highest === undefined) return asked
  if (family.quietEfforts.includes(effort)) return asked
  warn(`"${model}" takes no effort above "${highest}" without thinking: "${highest}" is requested.`)
  return { ...asked, effort: highest }
}

/** Whether a request asks the model to think. */
export function isThinking({ thinking }: Thinking): boolean {
  return thinking !== undefined && thinking['type'] !== 'disabled'
}
