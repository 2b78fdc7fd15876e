import { schemaBranch } from '../schema-branch.ts'

/** When a run stops before its agent is done. AW-66 */
export type StopCondition =
  /** The highest number of steps. */
  | { readonly type: 'max_rounds'; readonly rounds: number }
  /**
   * The longest time that the run may work, in seconds. Waiting for a person does not count. It is judged after each
   * answer and before each request, and cuts off neither a request nor a call.
   */
  | { readonly type: 'timeout'; readonly seconds: number }
  /** The most tokens of input and output together. */
  | { readonly type: 'token_budget'; readonly max_total: number }
  /** The highest cost in US dollars. It needs a model whose prices are known. */
  | { readonly type: 'cost_budget'; readonly max_dollars: number }
  /** This many calls of tools have failed, and none in between has succeeded. */
  | { readonly type: 'consecutive_errors'; readonly max: number }
  /** The model calls this tool. The call does not run. */
  | { readonly type: 'stop_on_tool'; readonly tool_name: string }
  /** The text of an answer has a match for this RE2 pattern. */
  | { readonly type: 'content_match'; readonly pattern: string }
  /** This many answers in a row are equal, and not empty. */
  | { readonly type: 'loop_detection'; readonly window: number }

/** The name of a kind of condition, which is also the code of a run that it stopped. */
export type StopCode = StopCondition['type']

const count = { type: 'integer', minimum: 1 } as const
const amount = { type: 'number', exclusiveMinimum: 0 } as const

/** The member of each kind of condition, with its schema. In this order the kinds are judged. */
const MEMBERS = {
  max_rounds: { rounds: count },
  timeout: { seconds: amount },
  token_budget: { max_total: count },
  cost_budget: { max_dollars: amount },
  consecutive_errors: { max: count },
  stop_on_tool: { tool_name: { type: 'string', pattern: '.' } },
  content_match: { pattern: { type: 'string', pattern: '.' } },
  loop_detection: { window: { type: 'integer', minimum: 2 } },
} as const satisfies { readonly [C in StopCode]: object }

/** The kinds of conditions, in the order in which they are judged. */
export const STOP_CODES = Object.keys(MEMBERS) as readonly StopCode[]

/**
 * The JSON Schema (2020-12) of a list of stop conditions. That a pattern is an RE2 expression is no part of it: see
 * `patternFaults`.
 */
export const STOP_CONDITIONS_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    properties: { type: { enum: STOP_CODES } },
    required: ['type'],
    allOf: Object.entries(MEMBERS).map(([type, members]) =>
      schemaBranch('type', type, {
        properties: { type: true, ...members },
        required: Object.keys(members),
        additionalProperties: false,
      }),
    ),
  },
} as const
