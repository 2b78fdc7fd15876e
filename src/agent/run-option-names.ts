import type { RunOptions } from './run-options.ts'

/** Every option. Errors list them in this order, so those that programs give most come first. */
const OPTIONS: { readonly [name in keyof RunOptions]-?: true } = {
  messages: true,
  config: true,
  tools: true,
  signal: true,
  maxSteps: true,
  conversationId: true,
  runId: true,
  resume: true,
  results: true,
  retry: true,
  stopConditions: true,
  steering: true,
  rules: true,
  canAsk: true,
  canReset: true,
  committed: true,
  takenCallIds: true,
  late: true,
  context: true,
  call: true,
  environment: true,
  withholds: true,
  modelInfo: true,
  agent: true,
  active: true,
  identity: true,
  delegates: true,
  childTools: true,
  subagent: true,
  childLimits: true,
  parent: true,
  routing: true,
  breakers: true,
  onAnswer: true,
  onEvent: true,
}

/** The names of all options of a run. */
export const RUN_OPTIONS: readonly string[] = Object.keys(OPTIONS)
