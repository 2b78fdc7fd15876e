import { createHost, type HostOptions } from '@braidwork/core'
import { HostError, isObject } from '@braidwork/plugin'
import type { BackendFactory } from '../backends/index.ts'
import type { AgentEnvironment, EnvironmentHook } from '../environment-hooks/index.ts'
import type { AgentSpec, ModelPool, ModelSpec } from '../specs/index.ts'
import { at, hookFault, named, noHost, settled, taken, together } from './builder-faults.ts'
import type { RemoteSource } from './remote-agents.ts'
import { AgentRuntime } from './runtime.ts'
import type { RuntimeOptions } from './runtime-options.ts'
import type { RuntimeTool } from './runtime-tools.ts'
import type { Surroundings } from './surroundings.ts'

/** A host that exists, or the options of the one that the builder makes. Its plugins are given to the builder. */
export type BuilderOptions =
  | (Pick<RuntimeOptions, 'host' | 'reasonAgainst'> & {
      /** Those of another runtime, in place of hooks, backends and an environment. @internal */
      readonly surroundings?: Surroundings
    })
  | Omit<HostOptions, 'plugins'>

type GivenPlugin = NonNullable<HostOptions['plugins']>[number]

/** Adds one thing to a runtime. @throws {HostError} if it cannot be added */
type Addition = (runtime: AgentRuntime) => Promise<void> | void

/** A runtime, and what could not be added to it. */
export interface Assembled {
  readonly runtime: AgentRuntime
  readonly faults: readonly HostError[]
}

/**
 * Collects the agents, tools, models, providers and plugins of a runtime. Nothing is checked before it is built, and
 * then all faults are told together. AW-50
 */
export class RuntimeBuilder {
  readonly #options: BuilderOptions
  readonly #plugins: unknown[] = []
  readonly #names = new Set<unknown>()
  readonly #hooks: EnvironmentHook[] = []
  readonly #backends: BackendFactory[] = []
  readonly #sources = new Map<string, RemoteSource>()
  readonly #additions: Addition[] = []
  readonly #faults: HostError[] = []
  #environment: AgentEnvironment | undefined

  /** Use {@link runtimeBuilder}. */
  constructor(options: BuilderOptions) {
    this.#options = options
  }

  withAgent(spec: AgentSpec): this {
    return this.with((runtime) => runtime.addAgent(spec))
  }

  withModel(spec: ModelSpec | ModelPool): this {
    return this.with((runtime) => runtime.addModel(spec))
  }

  /** Offers a tool to all agents, as far as their catalogs allow. */
  withTool(tool: RuntimeTool): this {
    return this.with((runtime) => runtime.addTool(tool))
  }

  /** Registers a provider: a plugin object, or the name or path of one. */
  withProvider(provider: GivenPlugin): this {
    if (isObject(provider) && provider['kind'] !== 'provider') {
      const message = `The plugin "${String(provider['name'])}" is no provider. Add it by "withPlugin".`
      this.#faults.push(new HostError('OPTION_INVALID', message))
      return this
    }
    return this.withPlugin(provider)
  }

  /** Registers a plugin of any kind: an object, or the name or path of one. Their order is the registration order. */
  withPlugin(plugin: GivenPlugin): this {
    const name = isObject(plugin) ? plugin['name'] : plugin
    const fault = this.#pluginFault(name)
    if (fault) this.#faults.push(fault)
    else this.#plugins.push(plugin)
    this.#names.add(name)
    return this
  }

  withHook(hook: EnvironmentHook): this {
    const { name } = Object(hook) as Partial<EnvironmentHook>
    const isTaken = this.#hooks.some((one) => one.name === name)
    const fault = isTaken ? taken('environment hooks', name) : hookFault(hook)
    if (fault) this.#faults.push(fault)
    else this.#hooks.push(hook)
    return this
  }

  /** Lets agents with an `endpoint` run by this protocol. */
  withBackend(backend: BackendFactory): this {
    const { name } = backend
    if (!this.#backends.some((one) => one.name === name)) this.#backends.push(backend)
    else this.#faults.push(taken('backends', name))
    return this
  }

  /**
   * Adds the agent at an address as `source/name`, where `buildAndDiscover` finds it. AW-54
   * @param source a name for the address, by which its agent is told from others of its name
   */
  withRemoteAgents(source: string, remote: RemoteSource): this {
    if (this.#sources.has(source)) this.#faults.push(taken('sources', source))
    else this.#sources.set(source, remote)
    return this
  }

  withEnvironment(environment: AgentEnvironment): this {
    this.#environment = environment
    return this
  }

  /** @param path the place of what is added in a config, for the pointers of errors @internal */
  with(add: Addition, path?: readonly string[]): this {
    this.#additions.push(path ? (runtime) => at(path, () => add(runtime)) : add)
    return this
  }

  /**
   * Builds the runtime, and resolves every agent on trial. AW-52
   * @throws {HostError} as `buildUnchecked`; the error of the first agent that cannot run, with those of the others,
   * sorted by id
   */
  async build(): Promise<AgentRuntime> {
    return this.#tried(await this.buildUnchecked())
  }

  /**
   * Builds the runtime, asks the sources of remote agents for theirs, and resolves every agent on trial. AW-53
   * @throws {HostError} as `build`; the error of the first source that does not answer, with those of the others
   */
  async buildAndDiscover({
    signal,
  }: {
    readonly signal?: AbortSignal
  } = {}): Promise<AgentRuntime> {
    const runtime = await this.buildUnchecked()
    const faults: HostError[] = []
    // One after another, so that the agents are in the order of their sources.
    for (const [source, remote] of this.#sources) {
      const { error } = await settled(runtime.discover(source, remote, signal))
      if (error) faults.push(named(`The source "${source}"`, error))
    }
    if (faults.length === 0) return this.#tried(runtime)
    await runtime.close()
    throw together(faults)
  }

  /** Closes a runtime whose agents cannot all run. */
  async #tried(runtime: AgentRuntime): Promise<AgentRuntime> {
    const faults = await runtime.check().catch(async (error: unknown) => {
      await runtime.close()
      throw error
    })
    if (faults.length === 0) return runtime
    await runtime.close()
    throw together(faults.map(({ agent, error }) => named(`The agent "${agent}"`, error)))
  }

  /**
   * Builds the runtime without a trial of its agents. AW-53
   * @throws {HostError} the first fault, such as a duplicate id, with all others in its message and its cause. AW-51
   */
  async buildUnchecked(): Promise<AgentRuntime> {
    const { runtime, faults } = await this.assemble()
    if (faults.length === 0) return runtime
    await runtime.close()
    throw together(faults)
  }

  /** Builds a runtime of what is valid. @internal */
  async assemble(): Promise<Assembled> {
    const faults = [...this.#faults]
    const runtime = await this.#open(faults)
    for (const add of this.#additions) {
      try {
        await add(runtime)
      } catch (error) {
        if (HostError.is(error)) faults.push(error)
        else {
          await runtime.close()
          throw error
        }
      }
    }
    return { runtime, faults }
  }

  /** A runtime with its host, which ends with the runtime if it was made for it. */
  async #open(faults: readonly HostError[]): Promise<AgentRuntime> {
    const own = {
      ...(this.#environment ? { environment: this.#environment } : {}),
      hooks: this.#hooks,
      backends: this.#backends,
    }
    if ('host' in this.#options) {
      const { host, ...options } = this.#options
      if (Object(host) !== host) throw noHost()
      return new AgentRuntime(host, { ...options, ...own })
    }
    const host = await createHost({ ...this.#options, plugins: this.#plugins }).catch(
      (error: unknown) => {
        throw HostError.is(error) ? together([...faults, error]) : error
      },
    )
    try {
      return new AgentRuntime(host, { ...own, onClose: () => host.close() })
    } catch (error) {
      await host.close()
      throw error
    }
  }

  #pluginFault(name: unknown): HostError | undefined {
    if ('host' in this.#options) {
      const message = `The plugin "${String(name)}" cannot be added to a host that exists. Give it to "createHost".`
      return new HostError('OPTION_INVALID', message)
    }
    return this.#names.has(name) ? taken('plugins', name) : undefined
  }
}

/** Begins a runtime from code: `runtimeBuilder().withProvider('scripted').withAgent({ id: 'helper' }).build()`. */
export function runtimeBuilder(options: BuilderOptions = {}): RuntimeBuilder {
  return new RuntimeBuilder(options)
}
