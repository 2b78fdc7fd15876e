import {
  assertOptionKinds,
  ELSEWHERE,
  FUNCTION,
  INSTANCE,
  type Kind,
  LIST,
} from '@braidwork/core/internal'
import type { AgentEnvironment } from '../environment-hooks/index.ts'
import { runtimeBuilder } from './builder.ts'
import { noHost } from './builder-faults.ts'
import type { AgentRuntime } from './runtime.ts'
import type { RuntimeOptions } from './runtime-options.ts'

const ENVIRONMENT: { readonly [name in keyof AgentEnvironment]-?: Kind } = {
  now: FUNCTION,
  elapsed: FUNCTION,
  sleep: FUNCTION,
  newId: FUNCTION,
  onAgentEvent: FUNCTION,
  effectiveCwd: FUNCTION,
  discoverInstructions: FUNCTION,
}

/** Every option, and the kind of its value. */
const KINDS: { readonly [name in keyof RuntimeOptions]-?: Kind } = {
  host: ELSEWHERE,
  agents: { ...LIST, expected: "a list of specs, such as [{ id: 'helper' }]" },
  models: { ...LIST, expected: 'a list of specs, each with its "id"' },
  hooks: { ...LIST, expected: 'a list of objects, each with its "name"' },
  backends: { ...LIST, expected: 'a list, such as [a2aBackend()]' },
  environment: { ...INSTANCE, members: ENVIRONMENT, isOpen: true },
  reasonAgainst: FUNCTION,
}

/**
 * Makes a runtime for agents that are declared as data.
 * @throws {HostError} SPEC_INVALID, with all faults; OPTION_INVALID for a hook without a name of its own, for a value of
 * another kind, and for an unknown option
 */
export async function createRuntime(given: RuntimeOptions): Promise<AgentRuntime> {
  assertOptions(given)
  const { host, agents, models, environment = {}, hooks, backends, ...options } = given
  const builder = runtimeBuilder({ host, ...options }).withEnvironment(environment)
  for (const hook of hooks ?? []) builder.withHook(hook)
  for (const backend of backends ?? []) builder.withBackend(backend)
  for (const model of models ?? []) builder.withModel(model)
  for (const agent of agents ?? []) builder.withAgent(agent)
  return builder.buildUnchecked()
}

/** Options may come from untyped code. A config has its agents by id, but a runtime has a list. */
function assertOptions(options: RuntimeOptions): void {
  if (Object(options) !== options) throw noHost()
  assertOptionKinds('createRuntime', options, KINDS)
}
