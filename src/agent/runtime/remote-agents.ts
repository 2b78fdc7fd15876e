import { HostError, pointerOf } from '@braidwork/plugin'
import {
  type AgentBackend,
  type BackendFactory,
  maskedBackend,
  maskedDiscovery,
  type RemoteAgent,
} from '../backends/index.ts'
import { type AgentEndpoint, type AgentSpec, checkAgentSpec } from '../specs/index.ts'

/** The spec of an agent that runs elsewhere. */
export type RemoteSpec = AgentSpec & { readonly endpoint: AgentEndpoint }

/** A source of remote agents, whose cards `buildAndDiscover` reads. AW-54 */
export type RemoteSource = Omit<AgentEndpoint, 'backend'> & {
  /** The default is `a2a`. */
  readonly backend?: string
}

export function isRemote(spec: AgentSpec): spec is RemoteSpec {
  return spec.endpoint !== undefined
}

/** The backends of a runtime, by the names of their factories. */
export class Backends {
  readonly #factories: ReadonlyMap<string, BackendFactory>

  constructor(factories: readonly BackendFactory[] = []) {
    this.#factories = new Map(factories.map((factory) => [factory.name, factory]))
  }

  /**
   * Plans the runs of a remote agent. AW-03
   * @throws {HostError} UNSUPPORTED_REMOTE_BACKEND, INVALID_REMOTE_ENDPOINT_CONFIG
   */
  remote({ id, endpoint }: RemoteSpec, warnings: readonly string[]): RemoteAgent {
    const factory = this.factoryFor(`The agent "${id}"`, endpoint.backend)
    return { id, backend: created(factory, id, endpoint), warnings }
  }

  /** @throws {HostError} UNSUPPORTED_REMOTE_BACKEND */
  factoryFor(owner: string, name: string): BackendFactory {
    const factory = this.#factories.get(name)
    if (factory) return factory
    const known = [...this.#factories.keys()].map((one) => `"${one}"`).join(', ') || 'none'
    const message = `${owner} needs the backend "${name}", but the runtime has ${known}. Give it to the runtime, as in "backends: [a2aBackend()]".`
    throw new HostError('UNSUPPORTED_REMOTE_BACKEND', message, { pointer: '/endpoint/backend' })
  }
}

function created(factory: BackendFactory, id: string, endpoint: AgentEndpoint): AgentBackend {
  try {
    return maskedBackend(factory.create(endpoint), endpoint)
  } catch (error) {
    if (!HostError.is(error)) throw error
    const pointer = `${pointerOf(['endpoint'])}${error.pointer ?? ''}`
    const message = `The endpoint of the agent "${id}" cannot be used: ${error.message}`
    throw new HostError(error.code, message, { pointer, cause: error })
  }
}

/** The error of a local resolution of an agent that runs elsewhere. AW-03 */
export function notRunnableHere(id: string): HostError {
  const message = `The agent "${id}" has an endpoint, so nothing of it is resolved here. Run it, or use it as a delegate.`
  return new HostError('REMOTE_AGENT_NOT_DIRECTLY_RUNNABLE', message, { pointer: '/endpoint' })
}

/** A source that is asked for its agent. */
interface Asked {
  readonly source: string
  readonly remote: RemoteSource
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks a source which agent it has. Returns the agent with the id `source/name`. AW-54
 * @throws {HostError} UNSUPPORTED_REMOTE_BACKEND, SPEC_INVALID, and the errors of `BackendFactory.discover`
 */
export async function discovered(
  backends: Backends,
  { source, remote: { backend = 'a2a', ...rest }, signal }: Asked,
): Promise<AgentSpec> {
  const owner = `The source "${source}"`
  const endpoint: AgentEndpoint = { backend, ...rest }
  await checkAgentSpec({ id: 'remote', endpoint }, owner)
  const factory = backends.factoryFor(owner, backend)
  const found = await maskedDiscovery(factory.discover(endpoint, signal), endpoint)
  const { description } = found
  // A name may have any characters, but an id is part of addresses.
  const id = found.name
    .split(/[^\w.-]+/)
    .filter(Boolean)
    .join('-')
  const own = { id, endpoint, ...(description === undefined ? {} : { description }) }
  const spec = await checkAgentSpec(own, `${owner} has an agent that`)
  return { ...spec, id: `${source}/${id}` }
}
