import {
  type ConfigLayer,
  createHost,
  type Host,
  mergeLayers,
  type RequestStream,
} from '@braidwork/core'
import type { HostError, Log, MessagesInput, Provider } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { ANSWERING, answeringProvider } from './answering-provider.ts'
import { type HookCall, watchedPlugin } from './watched-plugin.ts'

/** The surroundings in which a plugin is tested. */
export interface TrialOptions {
  /** Its settings and other config. The plugin is enabled without being named; a provider is also selected. */
  readonly config?: ConfigLayer
  /** The request's messages; by default "Hello". */
  readonly messages?: MessagesInput
  /** Other plugins that it needs: those with tags that it requires, or the provider that it extends. */
  readonly beside?: readonly unknown[]
  /** Tags of the test provider, which answers if no provider is in `beside`. */
  readonly tags?: readonly string[]
  /** Tool calls to execute, one after the other. */
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
}

export const TRIAL_OPTIONS = [
  'config',
  'messages',
  'beside',
  'tags',
  'calls',
] satisfies (keyof TrialOptions)[]

/** A fault of the tested plugin. The message says what is wrong and what to do. */
export class PluginFault extends Error {
  override readonly name = 'PluginFault'
}

/** What a trial uses beside the plugin. */
interface Surroundings {
  /** The provider that answers if the plugin is none and none is beside it. */
  readonly provider: Provider
  /** Where the calls of all hooks are noted. */
  readonly calls?: HookCall[]
}

/** A host with the tested plugin. */
export class Trial {
  readonly host: Host
  readonly plugin: AnyPlugin
  readonly config: ConfigLayer
  readonly options: TrialOptions
  /** Unfinished operations of the plugin's streams. */
  readonly pending: ReadonlySet<Promise<unknown>>
  /** Faults that were only logged, such as errors in `close`. */
  readonly logged: readonly string[]

  readonly #owner: Host | undefined

  private constructor(parts: Omit<Trial, 'send' | 'stream' | 'close'>, owner: Host | undefined) {
    this.#owner = owner
    this.host = parts.host
    this.plugin = parts.plugin
    this.config = parts.config
    this.options = parts.options
    this.pending = parts.pending
    this.logged = parts.logged
  }

  /** @throws {PluginFault} if a host refuses the plugin or reports faults in it */
  static async open(
    given: unknown,
    options: TrialOptions,
    { provider, ...watch }: Surroundings = { provider: answeringProvider(options.tags ?? []) },
  ): Promise<Trial> {
    const { beside = [] } = options
    const logged: string[] = []
    const pending = new Set<Promise<unknown>>()
    const log: Log = ({ level, message }) => level === 'error' && logged.push(message)
    // A plugin given by path or name is loaded first, so that its hooks can be wrapped like those of an object.
    const owner = isPluginObject(given) ? undefined : await createHost({ plugins: [given], log })
    const found = isPluginObject(given) ? [given] : await loadedBy(owner, given)
    const watched = found.map((one) => {
      const seen = watchedPlugin(one, { pending, ...watch })
      // The host that loaded the plugin closes it.
      return owner ? Object.create(seen, { close: { value: undefined } }) : seen
    })
    const host = await createHost({ plugins: [...watched, ...beside, provider], log })
    const plugin = await firstOf(host, given).catch(async (error: unknown) => {
      await owner?.close()
      throw error
    })
    const config = configOf(plugin, host.plugins, options.config)
    return new Trial({ host, plugin, config, options, pending, logged }, owner)
  }

  async close(): Promise<void> {
    await this.host.close()
    await this.#owner?.close()
  }

  /** Requests the whole answer. */
  async send() {
    return this.host.send(this.config, this.options.messages ?? 'Hello').catch(failed)
  }

  stream(signal?: AbortSignal): RequestStream {
    const { messages = 'Hello' } = this.options
    return this.host.stream(this.config, messages, signal ? { signal } : {})
  }
}

/** The plugins of a host that loads only the given one. @throws {PluginFault} if a host refuses it or reports faults */
async function loadedBy(host: Host | undefined, given: unknown): Promise<readonly AnyPlugin[]> {
  if (!host) return []
  await firstOf(host, given)
  return host.plugins
}

async function firstOf(host: Host, given: unknown): Promise<AnyPlugin> {
  await host.load()
  const [plugin] = host.plugins
  const [complaint] = host.diagnostics
  if (!complaint && plugin && plugin.name !== ANSWERING) return plugin
  await host.close()
  throw new PluginFault(complaint?.message ?? `No plugin was found in ${String(given)}.`)
}

function failed({ code, message }: HostError): never {
  throw new PluginFault(`The request failed with ${code}: ${message}`)
}

function isPluginObject(given: unknown): given is AnyPlugin {
  return typeof given === 'object' && given !== null
}

/** The config with which the plugin is on. */
function configOf(
  { kind, name }: AnyPlugin,
  plugins: readonly AnyPlugin[],
  given: ConfigLayer = {},
): ConfigLayer {
  if (kind === 'provider') return mergeLayers({ provider: name }, given)
  const provider = plugins.find((plugin) => plugin.kind === 'provider')?.name ?? ANSWERING
  const enabled: ConfigLayer = { provider, enabled_plugins: { add: [name] } }
  return mergeLayers({ enabled_plugins: [name] }, { ...enabled, ...given })
}
