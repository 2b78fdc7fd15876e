import {
  type ConfigLayer,
  createHost,
  type Host,
  mergeLayers,
  type RequestStream,
} from '@braidwork/core'
import type { HostError, Log, MessagesInput } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { ANSWERING, answeringProvider } from './answering-provider.ts'
import { watchedPlugin } from './watched-plugin.ts'

/** What a plugin is tried with. */
export interface TrialOptions {
  /** Its settings and whatever else it needs; it is enabled, and of a provider the config's, without being named. */
  readonly config?: ConfigLayer
  /** What is asked; by default "Hello". */
  readonly messages?: MessagesInput
  /** Plugins beside it: those that provide the tags which it requires, the provider that it is an extension of. */
  readonly beside?: readonly unknown[]
  /** Tags of the provider that is asked where none is beside it. */
  readonly tags?: readonly string[]
  /** Calls of a tool, one after the other. */
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
}

/** What is wrong with a plugin, and what to do. */
export class PluginFault extends Error {
  override readonly name = 'PluginFault'
}

/** A host with the plugin that is tried, for one check. */
export class Trial {
  readonly host: Host
  readonly plugin: AnyPlugin
  readonly config: ConfigLayer
  readonly options: TrialOptions
  /** What streams of the plugin are at work on. */
  readonly pending: ReadonlySet<Promise<unknown>>
  /** What went wrong where nobody was asking, such as in `close`. */
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

  /** @throws {PluginFault} where a host does not take it as it is */
  static async open(given: unknown, options: TrialOptions): Promise<Trial> {
    const { beside = [], tags = [] } = options
    const logged: string[] = []
    const pending = new Set<Promise<unknown>>()
    const log: Log = ({ level, message }) => level === 'error' && logged.push(message)
    // What is given by its path or name is loaded first, so that it can be watched as an object is.
    const owner = isPluginObject(given) ? undefined : await createHost({ plugins: [given], log })
    const found = isPluginObject(given) ? [given] : await loadedBy(owner, given)
    const watched = found.map((one) => {
      const seen = watchedPlugin(one, pending)
      // Whoever loaded it closes it.
      return owner ? Object.create(seen, { close: { value: undefined } }) : seen
    })
    const host = await createHost({
      plugins: [...watched, ...beside, answeringProvider(tags)],
      log,
    })
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

  /** The whole of an answer. */
  async send() {
    return this.host.send(this.config, this.options.messages ?? 'Hello').catch(failed)
  }

  stream(signal?: AbortSignal): RequestStream {
    const { messages = 'Hello' } = this.options
    return this.host.stream(this.config, messages, signal ? { signal } : {})
  }
}

/** The plugins of a host that has no others. @throws {PluginFault} where it does not take one as it is */
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
  throw new PluginFault(complaint?.message ?? `There is no plugin in ${String(given)}.`)
}

function failed({ code, message }: HostError): never {
  throw new PluginFault(`The request failed with ${code}: ${message}`)
}

function isPluginObject(given: unknown): given is AnyPlugin {
  return typeof given === 'object' && given !== null
}

/** The config under which the plugin takes part. */
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
