import {
  BOOLEAN,
  ELSEWHERE,
  FUNCTION,
  havingMethods,
  ID,
  isId,
  isText,
  type Kind,
  type Kinds,
  LIST,
  listOf,
  MODEL_INFO,
  objectOf,
  POSITIVE,
  TEXTS,
} from '@braidwork/core/internal'
import { CONTEXT_KINDS, isObject } from '@braidwork/plugin'
import { ROUTING } from './routing-kind.ts'

/** The members of a value, which may be of a class. */
const membersOf = (value: unknown) => Object(value) as { readonly [name: string]: unknown }
const isSignal = (value: unknown) => typeof membersOf(value)['addEventListener'] === 'function'

/** Infinity counts without an end. */
const COUNT: Kind = {
  has: (value) => value === Infinity || (Number.isInteger(value) && Number(value) >= 1),
  expected: 'a whole number of at least 1',
}
const SIGNAL: Kind = {
  has: isSignal,
  expected: 'an AbortSignal, such as the signal of an AbortController',
}
const CALL: Kind = {
  has: (value) =>
    isObject(value) &&
    isText(value['callId']) &&
    isText(value['name']) &&
    value['input'] !== undefined,
  expected: 'a call of a tool, with "callId", "name" and "input"',
}
const CONTEXT_ITEM: Kind = {
  has: (value) =>
    isObject(value) && CONTEXT_KINDS.some((kind) => kind === value['kind']) && isText(value['ref']),
  expected: `an object with "ref" and a "kind", which is one of ${CONTEXT_KINDS.join(', ')}`,
}
const TOOL: Kind = {
  has: (value) => isText(membersOf(value)['name']),
  expected: 'a tool with its "name"',
}
const AGENT: Kind = {
  has: (value) => {
    if (!isObject(value) || !isId(value['id'])) return false
    const { plugin_ids: ids = [], sections = {} } = value
    return TEXTS.has(ids) && isObject(sections)
  },
  expected: 'the spec of an agent, with its "id"',
}
const DELEGATE: Kind = {
  has: (value) => isText(membersOf(value)['id']) && FUNCTION.has(membersOf(value)['begin']),
  expected: 'an agent with its "id" and the function "begin"',
}
const CHILD_TOOL: Kind = {
  has: (value) => TOOL.has(membersOf(value)['tool']) && FUNCTION.has(membersOf(value)['run']),
  expected: 'an object with a "tool" and the function "run"',
}
const PARENT: Kind = {
  has: (value) =>
    havingMethods('', 'onSpent', 'spent', 'onProgress').has(value) &&
    isObject(membersOf(value)['place']),
  expected: 'the run that waits for this one, with its "place"',
}
const LATE: Kind = {
  has: (value) => FUNCTION.has(membersOf(value)['record']) && isSignal(membersOf(value)['until']),
  expected: 'a record of late answers, with the function "record" and the signal "until"',
}

/** The clock, timers and ids that a run cannot begin without. */
export const ENVIRONMENT = havingMethods('an environment', 'now', 'elapsed', 'sleep', 'newId')

/** Every option. Errors list them in this order, so those that programs give most come first. */
export const RUN_KINDS = {
  messages: ELSEWHERE,
  config: ELSEWHERE,
  tools: listOf(TOOL, 'a list of tools, each with its "name"'),
  signal: SIGNAL,
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
  late: LATE,
  context: listOf(CONTEXT_ITEM, LIST.expected),
  call: CALL,
  environment: ENVIRONMENT,
  withholds: FUNCTION,
  modelInfo: MODEL_INFO,
  agent: AGENT,
  active: TEXTS,
  identity: ELSEWHERE,
  delegates: listOf(DELEGATE, 'a list of agents'),
  childTools: listOf(CHILD_TOOL, 'a list of tools that ask agents'),
  subagent: DELEGATE,
  childLimits: objectOf({ at_once: COUNT, total: COUNT, seconds: POSITIVE }),
  parent: PARENT,
  routing: ROUTING,
  breakers: havingMethods('circuit breakers', 'admit', 'note', 'isOpen'),
  startWait: POSITIVE,
  onAnswer: FUNCTION,
  onEvent: FUNCTION,
} satisfies Kinds

/** The names of all options of a run. */
export const RUN_OPTIONS: readonly string[] = Object.keys(RUN_KINDS)
