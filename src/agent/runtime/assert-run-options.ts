import { assertKinds, ID, INSTANCE, type Kind, refuseUnknown } from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import { assertRunKinds, assertRunOptions } from '../assert-run-options.ts'
import { refusedRun } from '../refused-run.ts'
import { RUN_OPTIONS } from '../run-option-kinds.ts'
import type { RunOptions } from '../run-options.ts'
import type { RunStream } from '../run-result.ts'
import type { AgentPlan, PlanOptions } from './agent-plan.ts'
import type { AgentRunOptions } from './runtime-options.ts'

/** The options of a run that the plan of an agent decides. */
const PLANNED: { readonly [name in Exclude<keyof RunOptions, keyof PlanOptions>]: true } = {
  config: true,
  context: true,
  withholds: true,
  modelInfo: true,
  stopConditions: true,
  agent: true,
  active: true,
  delegates: true,
  routing: true,
  retry: true,
}

type OwnOption = Exclude<keyof AgentRunOptions, keyof RunOptions>
const OWN: { readonly [name in OwnOption]: Kind } = {
  sender: ID,
  childLog: INSTANCE,
  shared: INSTANCE,
}

const NAMES = [...RUN_OPTIONS.filter((name) => !Object.hasOwn(PLANNED, name)), ...Object.keys(OWN)]

/** Code without types may leave the options out. @throws {HostError} OPTION_INVALID */
export function assertGiven(options: unknown): void {
  if (isObject(options)) return
  const message = 'runtime.run takes the id of an agent and options, such as { messages }.'
  throw new HostError('OPTION_INVALID', message)
}

/** The run of an agent with options that are not valid. Undefined if they are valid. */
export function refusedPlan(
  { remote }: Pick<AgentPlan, 'remote'>,
  options: AgentRunOptions,
): RunStream | undefined {
  const { childLog: _to, shared: _with, sender: _by, ...own } = options
  return refusedRun(own, (run) => {
    assertAgentRunOptions(options)
    if (remote) assertRunKinds(run)
    else assertRunOptions(run)
  })
}

/**
 * Checks the names of the options of an agent's run, and the values that are not those of a run, which checks its own.
 * @throws {HostError} OPTION_INVALID, with a pointer
 */
function assertAgentRunOptions(options: AgentRunOptions): void {
  const planned = Object.keys(options).find((name) => Object.hasOwn(PLANNED, name))
  if (planned !== undefined && !('protocol' in options)) {
    const message = `runtime.run takes no "${planned}": the spec of the agent decides it.`
    throw new HostError('OPTION_INVALID', message, { pointer: `/${planned}` })
  }
  refuseUnknown('runtime.run', options, NAMES)
  assertKinds('runtime.run', options, OWN)
}
