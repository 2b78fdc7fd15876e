import { checkConfig, faultFinderOf, faultIn, jsonReason } from '@braidwork/core/internal'
import { findJsonFault, HostError, isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import { registerBuiltValidators } from '../built-validators.ts'
import { catalogFaults } from '../catalog/index.ts'
import { type SpecFault, withFaults } from '../spec-faults.ts'
import { patternFaults } from '../stop/index.ts'
import { AGENT_SPEC_SCHEMA, type AgentSpec, OWNED_KEYS, REMOTE_FIELDS } from './agent-spec.ts'
import { endpointFaults } from './endpoint.ts'
import { MODEL_POOL_SCHEMA, type ModelPool, pooledModels } from './model-pool.ts'
import { MODEL_SPEC_SCHEMA, type ModelSpec } from './model-spec.ts'
import { teamFaults } from './team-spec.ts'

registerBuiltValidators()

/** All faults of a value that is to be an agent's spec, the first ones of many. Empty if it is one. */
export async function agentFaults(value: unknown): Promise<readonly SpecFault[]> {
  const faults = await shapeFaults(value, AGENT_SPEC_SCHEMA)
  if (faults.length > 0) return faults
  const spec = value as AgentSpec
  if (spec.endpoint) return remoteFaults(spec)
  const ofPatterns = at('/stop_conditions', await patternFaults(spec.stop_conditions ?? []))
  return [...ofPatterns, ...catalogFaults(spec), ...configFaults(spec), ...faultsOfTeam(spec)]
}

/** Faults of a part of a spec, with pointers into the whole. */
function at(part: string, faults: readonly SpecFault[]): readonly SpecFault[] {
  return faults.map((fault) => ({ ...fault, pointer: `${part}${fault.pointer}` }))
}

function faultsOfTeam({ id, team }: AgentSpec): readonly SpecFault[] {
  return at('/team', team ? teamFaults(id, team) : [])
}

/** The faults of an agent that runs elsewhere. */
function remoteFaults({ endpoint, ...spec }: AgentSpec): readonly SpecFault[] {
  const others = Object.keys(spec).filter((field) => !REMOTE_FIELDS.has(field))
  const message = 'an agent with an endpoint runs elsewhere, so this has no effect; leave it out'
  return [
    ...others.map((field) => ({ pointer: pointerOf([field]), message })),
    ...at('/endpoint', endpoint ? endpointFaults(endpoint) : []),
  ]
}

/** All faults of a value that is to be a model's spec, the first ones of many. Empty if it is one. */
export async function modelFaults(value: unknown): Promise<readonly SpecFault[]> {
  const faults = await shapeFaults(value, MODEL_SPEC_SCHEMA)
  if (faults.length > 0) return faults
  const { context_window: most = Infinity, max_output_tokens: output = 0 } = value as ModelSpec
  if (output <= most) return []
  const message = `the output (${output} tokens) must fit into the context window (${most})`
  return [{ pointer: '/max_output_tokens', message }]
}

/**
 * Checks a value that is to be an agent's spec. @param from its origin, for the message
 * @throws {HostError} SPEC_INVALID, with all faults and a pointer to the first
 */
export async function checkAgentSpec(value: unknown, from = 'the agent'): Promise<AgentSpec> {
  throwFaults(await agentFaults(value), from)
  return value as AgentSpec
}

/**
 * Checks a value that is to be a model's spec. @param from its origin, for the message
 * @throws {HostError} SPEC_INVALID, with all faults and a pointer to the first
 */
export async function checkModelSpec(value: unknown, from = 'the model'): Promise<ModelSpec> {
  throwFaults(await modelFaults(value), from)
  return value as ModelSpec
}

/** All faults of a value that is to be the spec of a pool, the first ones of many. Empty if it is one. */
async function poolFaults(value: unknown): Promise<readonly SpecFault[]> {
  const faults = await shapeFaults(value, MODEL_POOL_SCHEMA)
  if (faults.length > 0) return faults
  const found = await Promise.all(
    pooledModels(value as ModelPool).map(async ([place, model]) =>
      at(`/candidates/${place}`, await modelFaults(model)),
    ),
  )
  return found.flat()
}

/**
 * Checks a value that is to be the spec of a pool. @param from its origin, for the message
 * @throws {HostError} SPEC_INVALID, with all faults and a pointer to the first
 */
export async function checkModelPool(value: unknown, from = 'the pool'): Promise<ModelPool> {
  throwFaults(await poolFaults(value), from)
  return value as ModelPool
}

async function shapeFaults(value: unknown, schema: JsonObject): Promise<readonly SpecFault[]> {
  const fault = findJsonFault(value)
  if (fault) return [{ pointer: fault.pointer, message: jsonReason(value, fault) }]
  if (!isObject(value)) return [{ pointer: '', message: 'a spec must be an object' }]
  if (!(await faultIn(schema, value))) return []
  return (await faultFinderOf(schema))(value)
}

/** The faults of an agent's layer of config. */
function configFaults({ config }: AgentSpec): readonly SpecFault[] {
  if (config === undefined) return []
  const owned = Object.entries(OWNED_KEYS)
    .filter(([key]) => Object.hasOwn(config, key))
    .map(([key, owner]) => ({
      pointer: pointerOf(['config', key]),
      message: `"${key}" does not belong here; ${owner} decides it`,
    }))
  try {
    checkConfig(config)
    return owned
  } catch (error) {
    if (!HostError.is(error)) throw error
    return [...owned, { pointer: `/config${error.pointer ?? ''}`, message: error.message }]
  }
}

/** Throws the faults of a spec, if there are any. @param from the spec @throws {HostError} SPEC_INVALID */
export function throwFaults(faults: readonly SpecFault[], from: string): void {
  const [first, ...others] = faults
  if (!first) return
  const texts = faults.map(({ pointer, message }) => `${pointer || '/'}: ${asSentence(message)}`)
  const message =
    others.length === 0
      ? `${from} is not valid at ${texts[0]}`
      : [`${from} is not valid:`, ...texts].join('\n- ')
  throw withFaults(new HostError('SPEC_INVALID', message, { pointer: first.pointer }), faults)
}
