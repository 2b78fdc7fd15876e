import type { Config, EnablementContext } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { Recording } from '../recording.ts'

/** The config keys that an edit may change. */
const EDITABLE = ['provider', 'model', 'enabled_plugins', 'disabled_plugins'] as const
/** A key of `Reads` that stands for the list of models. */
export const MODELS = 'models of the provider' as const
/** A key of `Reads` that stands for everything that an edit may change. */
export const EVERYTHING = 'everything' as const

/** The keys of the config that list plugins. */
export const LISTS = ['enabled_plugins', 'disabled_plugins'] as const

export type ReadKey = (typeof EDITABLE)[number] | typeof MODELS | typeof EVERYTHING

export type Keys = ReadonlySet<ReadKey>

type HookArguments = [Config, ...unknown[]]

/** What the hooks of one plugin read during a resolution. A hook that reads the same values answers the same. */
export class Reads {
  /** The tags of which it was asked whether they are present. */
  readonly tags = new Set<string>()
  /** The names of plugins of which it was asked whether they are on. */
  readonly plugins = new Set<string>()
  /** Whether it may have asked for any tag and any plugin. */
  isAll = false
  readonly #keys = new Set<ReadKey>()
  readonly #recording = new Recording()

  /** What was read that an edit may change, without single tags and plugins. */
  get keys(): Keys {
    const { pointers } = this
    const read = new Set(pointers.map((pointer) => pointer.split('/')[1]))
    const all = pointers.includes('') ? [EVERYTHING] : []
    return new Set([...this.#keys, ...EDITABLE.filter((key) => read.has(key)), ...all])
  }

  /** The JSON pointers of the config values that were read. */
  get pointers(): readonly string[] {
    return this.#recording.pointers
  }

  /** Adds the tags and plugins that another resolution asked for. */
  add({ tags, plugins, isAll }: Reads): void {
    for (const tag of tags) this.tags.add(tag)
    for (const plugin of plugins) this.plugins.add(plugin)
    this.isAll ||= isAll
  }

  readAll(): void {
    this.isAll = true
    this.#keys.add(EVERYTHING)
  }

  /** The arguments of `getModels`, `getTags` or `isEnabled`, as values that record what the hook reads of them. */
  watch(hook: string, [config, ...others]: HookArguments): HookArguments {
    const view = this.#recording.view(config)
    if (hook !== 'isEnabled') return [view, ...others.map((models) => this.#models(models))]
    const [tags, models, context] = others
    const has = this.#members(tags as ReadonlySet<string>, 'has', this.tags)
    return [view, has, this.#models(models), this.#context(context as EnablementContext)]
  }

  #models(models: unknown): unknown {
    return new Proxy(models as object, {
      get: (target, member) => {
        this.#keys.add(MODELS)
        return Reflect.get(target, member)
      },
    })
  }

  #context({ enabled_plugin_ids: ids, ...lists }: EnablementContext): EnablementContext {
    const note = (list: readonly string[]) => this.#members(list, 'includes', this.plugins)
    const reads = this.#keys
    return {
      ...lists,
      get disabled_plugins() {
        reads.add('disabled_plugins')
        return lists.disabled_plugins
      },
      enabled_plugin_ids: {
        extensions: note(ids.extensions),
        features: note(ids.features),
        tools: note(ids.tools),
      },
    }
  }

  /** Only the question whether a member is there is recorded as such. Any other use reads everything. */
  #members<T extends object>(items: T, question: string, asked: Set<string>): T {
    return new Proxy(items, {
      get: (_, member) => {
        const value: unknown = Reflect.get(items, member, items)
        if (member !== question) this.readAll()
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (member === question) asked.add(String(args[0]))
          return Reflect.apply(value, items, args)
        }
      },
    })
  }
}

/** Whether an answer may depend on the lists of the config. */
export function isListed(keys: Keys): boolean {
  return mayRead(keys, LISTS)
}

/** Whether an answer may depend on some keys. */
export function mayRead(keys: Keys, some: Iterable<ReadKey>): boolean {
  return keys.has(EVERYTHING) || [...some].some((key) => keys.has(key))
}

type Hook = (...args: unknown[]) => unknown

const WATCHED = new Set<unknown>(['getModels', 'getTags', 'isEnabled'])

/** A plugin that behaves as another one, with hooks whose reads are recorded. */
export function watched(plugin: AnyPlugin, reads: Reads): AnyPlugin {
  // The target is an empty object, because a proxy of a frozen plugin could not replace its members.
  return new Proxy({} as AnyPlugin, {
    get: (_, member) => {
      const value: unknown = Reflect.get(plugin, member)
      if (typeof value !== 'function') return value
      const hook: Hook = (...args) => Reflect.apply(value, plugin, args)
      return WATCHED.has(member) ? watchedHook(String(member), hook, reads) : hook
    },
  })
}

/** A hook whose reads are recorded. If it fails because of that, it is called plainly and counts as reading everything. */
function watchedHook(name: string, hook: Hook, reads: Reads): Hook {
  return (...args) => {
    const plainly = () => {
      const answer = hook(...args)
      reads.readAll()
      return answer
    }
    try {
      const answer = hook(...reads.watch(name, args as HookArguments))
      return answer instanceof Promise ? answer.catch(plainly) : answer
    } catch {
      return plainly()
    }
  }
}
