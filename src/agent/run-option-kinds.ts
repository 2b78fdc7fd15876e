import {
  BOOLEAN,
  ELSEWHERE,
  FUNCTION,
  havingMethods,
  ID,
  INSTANCE,
  isText,
  type Kind,
  type Kinds,
  LIST,
  MODEL_INFO,
  OBJECT,
  objectOf,
  POSITIVE,
  TEXTS,
} from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'

/** Infinity counts without an end. */
const COUNT: Kind = {
  has: (value) => value === Infinity || (Number.isInteger(value) && Number(value) >= 1),
  expected: 'a whole number of at least 1',
}
const CALL: Kind = {
  has: (value) => isObject(value) && isText(value['callId']) && isText(value['name']),
  expected: 'a call of a tool, with "callId", "name" and "input"',
}
const ROUTING: Kind = {
  has: (value) => isObject(value) && Array.isArray(value['candidates']),
  expected: 'an object with "candidates"',
}

/** The clock, timers and ids that a run cannot begin without. */
export const ENVIRONMENT = havingMethods('an environment', 'now', 'elapsed', 'sleep', 'newId')

/** Every option. Errors list them in this order, so those that programs give most come first. */
export const RUN_KINDS = {
  messages: ELSEWHERE,
  config: ELSEWHERE,
  tools: { ...LIST, expected: 'a list of tools, each with its "name"' },
  signal: ELSEWHERE,
  maxSteps: COUNT,
  conversationId: ID,
  runId: ID,
  resume: ELSEWHERE,
  results: havingMethods('a store of results', 'put', 'load'),
  retry: ELSEWHERE,
  stopConditions: ELSEWHERE,
  steering: havingMethods('a Steering', 'take', 'end'),
  rules: { ...havingMethods('', 'brokenBy'), expected: 'a RuleBook' },
  canAsk: BOOLEAN,
  canReset: BOOLEAN,
  committed: FUNCTION,
  takenCallIds: TEXTS,
  late: havingMethods('a record of late answers', 'record'),
  context: LIST,
  call: CALL,
  environment: ENVIRONMENT,
  withholds: FUNCTION,
  modelInfo: MODEL_INFO,
  agent: OBJECT,
  active: TEXTS,
  identity: ELSEWHERE,
  delegates: LIST,
  childTools: LIST,
  subagent: OBJECT,
  childLimits: objectOf({ at_once: COUNT, total: COUNT, seconds: POSITIVE }),
  parent: OBJECT,
  routing: ROUTING,
  breakers: INSTANCE,
  onAnswer: FUNCTION,
  onEvent: FUNCTION,
} satisfies Kinds

/** The options that a run takes apart before it begins. */
export const BEGINNING = {
  environment: ENVIRONMENT,
  resume: OBJECT,
  steering: RUN_KINDS.steering,
  takenCallIds: TEXTS,
  delegates: LIST,
  childTools: LIST,
  routing: ROUTING,
} satisfies Kinds

/** The names of all options of a run. */
export const RUN_OPTIONS: readonly string[] = Object.keys(RUN_KINDS)
