import { refuseUnknown } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { runtimeBuilder } from './builder.ts'
import { noHost } from './builder-faults.ts'
import type { AgentRuntime } from './runtime.ts'
import type { RuntimeOptions } from './runtime-options.ts'

/** Every option, with what its value must be if that is a list. */
const OPTIONS: { readonly [name in keyof RuntimeOptions]-?: string } = {
  host: '',
  agents: "a list of specs, such as [{ id: 'helper' }]",
  models: 'a list of specs, each with its "id"',
  hooks: 'a list of objects, each with its "name"',
  backends: 'a list, such as [a2aBackend()]',
  environment: '',
  reasonAgainst: '',
}

/**
 * Makes a runtime for agents that are declared as data.
 * @throws {HostError} SPEC_INVALID, with all faults; OPTION_INVALID for a hook without a name of its own, for a list that
 * is none, and for an unknown option
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
  refuseUnknown('createRuntime', options, Object.keys(OPTIONS))
  for (const name of ['agents', 'models', 'hooks', 'backends'] as const) {
    if (options[name] === undefined || Array.isArray(options[name])) continue
    const message = `"${name}" of createRuntime must be ${OPTIONS[name]}.`
    throw new HostError('OPTION_INVALID', message, { pointer: `/${name}` })
  }
}
