import {
  type Message,
  type RunProgress,
  type Termination,
  type ToolCallPart,
  textOf,
} from '@braidwork/plugin'
import { type TextMatcher, textMatcher } from '../text-pattern.ts'
import { STOP_CODES, type StopCode, type StopCondition } from './stop-conditions.ts'

/** What conditions are judged by, after an answer. */
export interface StopFacts {
  readonly progress: RunProgress
  /** The messages of the answer. */
  readonly answer: readonly Message[]
  readonly calls: readonly ToolCallPart[]
  readonly steps: number
}

export type Stopped = Extract<Termination, { readonly reason: 'stopped' }>

type Of<C extends StopCode> = Extract<StopCondition, { readonly type: C }>
type Judges = {
  /** Says why the condition stops the run. Undefined if it does not. */
  readonly [C in StopCode]: (condition: Of<C>, facts: StopFacts) => string | undefined
}

const JUDGES: Omit<Judges, 'content_match'> = {
  max_rounds: ({ rounds: most }, { steps }) => reached(steps, most, 'steps'),
  timeout: ({ seconds: most }, { progress }) => reached(progress.seconds, most, 'seconds'),
  token_budget: ({ max_total: most }, { progress }) => reached(progress.tokens, most, 'tokens'),
  cost_budget: ({ max_dollars: most }, { progress }) => reached(progress.dollars, most, 'dollars'),
  consecutive_errors: ({ max }, { progress }) =>
    reached(progress.failedCalls, max, 'failed calls in a row'),
  stop_on_tool: ({ tool_name: name }, { calls }) =>
    calls.some((call) => call.name === name) ? `The model called "${name}".` : undefined,
  loop_detection: ({ window }, { progress }) =>
    reached(progress.equalAnswers, window, 'equal answers in a row'),
}

/** The conditions that what the tools and agents of a step have used can meet. */
const BUDGETS: readonly StopCode[] = ['timeout', 'token_budget', 'cost_budget']

/** The conditions that also stop a run which would end anyway. */
const OF_CONTENT: readonly StopCode[] = ['stop_on_tool', 'content_match']

/** Judges the stop conditions of a run. The first that is met decides, in the order of {@link STOP_CODES}. AW-66 */
export class StopCheck {
  readonly #conditions: readonly StopCondition[]
  readonly #patterns: ReadonlyMap<string, TextMatcher>

  private constructor(
    conditions: readonly StopCondition[],
    patterns: ReadonlyMap<string, TextMatcher>,
  ) {
    const rankOf = ({ type }: StopCondition) => STOP_CODES.indexOf(type)
    this.#conditions = conditions.toSorted((left, right) => rankOf(left) - rankOf(right))
    this.#patterns = patterns
  }

  /** @throws {HostError} OPTION_INVALID if a pattern is not an RE2 pattern */
  static async of(conditions: readonly StopCondition[]): Promise<StopCheck> {
    const patterns = new Map<string, TextMatcher>()
    for (const [index, condition] of conditions.entries()) {
      if (condition.type !== 'content_match') continue
      patterns.set(
        condition.pattern,
        await textMatcher(condition.pattern, `/stop_conditions/${index}/pattern`),
      )
    }
    return new StopCheck(conditions, patterns)
  }

  /**
   * The first condition that stops a run after an answer.
   * @param goesOn whether another step would follow; limits stop only a run that goes on
   */
  hit(facts: StopFacts, goesOn: boolean): Stopped | undefined {
    for (const condition of this.#conditions) {
      if (!goesOn && !OF_CONTENT.includes(condition.type)) continue
      const detail = this.#judge(condition, facts)
      if (detail !== undefined) return { reason: 'stopped', code: condition.type, detail }
    }
    return undefined
  }

  /** The budget that is used up, so that no request may follow. */
  spent(progress: RunProgress): Stopped | undefined {
    const facts = { progress, answer: [], calls: [], steps: 0 }
    for (const condition of this.#conditions) {
      if (!BUDGETS.includes(condition.type)) continue
      const detail = this.#judge(condition, facts)
      if (detail !== undefined) return { reason: 'stopped', code: condition.type, detail }
    }
    return undefined
  }

  /** The condition that lets no step follow so many. */
  stepLimit(steps: number): Stopped | undefined {
    const rounds = this.#conditions.flatMap((one) => (one.type === 'max_rounds' ? one.rounds : []))
    const detail = reached(steps, Math.min(...rounds), 'steps')
    return detail === undefined ? undefined : { reason: 'stopped', code: 'max_rounds', detail }
  }

  #judge(condition: StopCondition, facts: StopFacts): string | undefined {
    if (condition.type !== 'content_match') {
      const judge = JUDGES[condition.type] as (
        one: StopCondition,
        of: StopFacts,
      ) => string | undefined
      return judge(condition, facts)
    }
    const { pattern } = condition
    const text = facts.answer.map(textOf).join('\n')
    return this.#patterns.get(pattern)?.(text) ? `The answer matches "${pattern}".` : undefined
  }
}

function reached(value: number, most: number, unit: string): string | undefined {
  if (value < most) return undefined
  const shown = Number.isInteger(value) ? value : Number(value.toPrecision(4))
  return `The run has reached ${shown} of at most ${most} ${unit}.`
}
