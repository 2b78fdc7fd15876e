import type { Host } from '@braidwork/core'
import type { AgentText } from '@braidwork/core/internal'
import { HostError, isObject, pointerOf } from '@braidwork/plugin'
import {
  type AgentSpec,
  agentsIn,
  idOfFile,
  type ModelSpec,
  referringParts,
} from '../specs/index.ts'
import { runtimeBuilder } from './builder.ts'
import type { AgentRuntime } from './runtime.ts'
import type { RuntimeOptions } from './runtime-options.ts'

/** Agents and models as a config and the files beside it declare them. */
export interface Declared {
  /** `agents` of the config: specs by id. */
  readonly agents?: unknown
  /** `models` of the config: specs of models and pools by id; a list is a pool. */
  readonly models?: unknown
  /** The files. Of two for the same agent, the later one counts. */
  readonly texts?: readonly AgentText[]
  /** The place of a pointer in the files of the config, for errors. */
  readonly placeOf?: (pointer: string) => string | undefined
}

/** A runtime of the specs that are valid, and the faults of the others. */
export interface DeclaredRuntime {
  readonly runtime: AgentRuntime
  readonly faults: readonly HostError[]
}

type Around = Pick<RuntimeOptions, 'environment' | 'hooks' | 'backends'>

/** Makes a runtime from what a config and its files declare. References to environment variables are filled in. */
export async function declaredRuntime(
  host: Host,
  { agents, models, texts = [], placeOf }: Declared,
  { environment, hooks = [], backends = [] }: Around = {},
): Promise<DeclaredRuntime> {
  const builder = runtimeBuilder({ host })
  if (environment) builder.withEnvironment(environment)
  for (const hook of hooks) builder.withHook(hook)
  for (const backend of backends) builder.withBackend(backend)
  for (const [id, spec] of entriesOf(models)) {
    const add = (runtime: AgentRuntime) =>
      runtime.addModel(filled(host, named<ModelSpec>(id, asPool(spec)), `The model "${id}"`))
    builder.with(add, ['models', id])
  }
  const lastPaths = new Map(texts.map(({ path }) => [idOfFile(path), path]))
  const inConfig = new Map(entriesOf(agents))
  for (const [id, spec] of inConfig) {
    const path = lastPaths.get(id)
    const add = (runtime: AgentRuntime) => {
      if (path !== undefined) throw doubled(id, path, placeOf?.(pointerOf(['agents', id])))
      return runtime.addAgent(filled(host, named<AgentSpec>(id, spec), `The agent "${id}"`))
    }
    builder.with(add, ['agents', id])
  }
  const files = await agentsIn(texts)
  for (const [id, spec] of new Map(files.agents.map((one) => [one.id, one]))) {
    const path = files.paths.get(spec)
    // Where the file that counts is not valid, no earlier file takes its place.
    if (inConfig.has(id) || path !== lastPaths.get(id)) continue
    const owner = `The agent "${id}" in "${path}"`
    builder.with((runtime) => runtime.addAgent(filled(host, spec, owner)))
  }
  const { runtime, faults } = await builder.assemble()
  return { runtime, faults: [...files.faults, ...faults] }
}

/** The error of an agent that a config and a file declare: either may hold the limits of the other. */
function doubled(id: string, path: string, place: string | undefined): HostError {
  const config = place === undefined ? 'in the config' : `in "${place}"`
  const message = `The agent "${id}" is declared twice: ${config} and in "${path}". Rename or remove one of them.`
  return new HostError('SPEC_INVALID', message)
}

function entriesOf(specs: unknown): readonly (readonly [id: string, spec: unknown])[] {
  return isObject(specs) ? Object.entries(specs) : []
}

/** A list of models is a pool. */
function asPool(spec: unknown): unknown {
  return Array.isArray(spec) ? { candidates: spec } : spec
}

/** A spec with the id under which the config has it. What else is wrong with it, its check says. */
function named<T extends { readonly id: string }>(id: string, spec: unknown): T {
  const { id: own = id } = isObject(spec) ? spec : {}
  if (own === id) return (isObject(spec) ? { ...spec, id } : spec) as T
  const message = `The spec has the id ${JSON.stringify(own)}, but the config has it as "${id}".`
  throw new HostError('SPEC_INVALID', message, { pointer: '/id' })
}

/**
 * Fills in the variables of the environment that a spec refers to.
 * @throws {HostError} ENV_MISSING
 */
function filled<T extends object>(host: Host, spec: T, owner: string): T {
  return { ...spec, ...host.filled(referringParts(Object(spec)), owner) }
}
