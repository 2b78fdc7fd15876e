import type { AnyPlugin } from '@braidwork/plugin/internal'
import { Recording } from '../hooks/index.ts'
import type { HookArguments } from '../resolve/index.ts'

/** A key of `Reads` that stands for everything that an edit may change. */
export const EVERYTHING = ''
/** A key of `Reads` that stands for the list of models. */
export const MODELS = 'models of the provider'

/** What the hooks of one plugin read during a resolution. A hook that reads the same values answers the same. */
export class Reads {
  readonly tags = new Set<string>()
  readonly #keys = new Set<string>()
  readonly #recording = new Recording()

  /** The keys of the config that were read, `MODELS` and `EVERYTHING`. */
  get keys(): ReadonlySet<string> {
    return new Set([...this.#keys, ...this.#recording.pointers.map((at) => at.split('/')[1] ?? '')])
  }

  readAll(): void {
    this.#keys.add(EVERYTHING)
  }

  /** The arguments of a hook, as values that record what the hook reads of them. */
  watch([config, ...others]: HookArguments): HookArguments {
    return [this.#recording.view(config), ...others.map((value) => this.#watched(value))]
  }

  #watched(value: unknown): unknown {
    if (value instanceof Set) return this.#watchedTags(value)
    const key = Array.isArray(value) ? MODELS : EVERYTHING
    const note = <T>(result: T): T => {
      this.#keys.add(key)
      return result
    }
    return new Proxy(value as object, {
      get: (target, member) => note(Reflect.get(target, member)),
      has: (target, member) => note(Reflect.has(target, member)),
      ownKeys: (target) => note(Reflect.ownKeys(target)),
    })
  }

  /** Only the question whether the set has a tag is recorded as such. Any other use reads everything. */
  #watchedTags(tags: ReadonlySet<string>): ReadonlySet<string> {
    const has = (tag: string) => {
      this.tags.add(tag)
      return tags.has(tag)
    }
    const get = (_: unknown, member: string | symbol) => {
      if (member === 'has') return has
      this.readAll()
      const value: unknown = Reflect.get(tags, member, tags)
      return typeof value === 'function' ? value.bind(tags) : value
    }
    return new Proxy<ReadonlySet<string>>(tags, { get })
  }
}

/** Watches the plugins of a resolution. */
export class Watch {
  readonly #reads = new Map<AnyPlugin, Reads>()
  readonly #opaque: ReadonlySet<string>

  /** Plugins that fail with watched arguments get plain ones, and count as reading everything. */
  constructor(opaque: ReadonlySet<string>) {
    this.#opaque = opaque
  }

  of(plugin: AnyPlugin): Reads {
    const reads = this.#reads.get(plugin) ?? new Reads()
    this.#reads.set(plugin, reads)
    return reads
  }

  readonly argsOf = (plugin: AnyPlugin, args: HookArguments): HookArguments => {
    const reads = this.of(plugin)
    if (!this.#opaque.has(plugin.name)) return reads.watch(args)
    reads.readAll()
    return args
  }
}
