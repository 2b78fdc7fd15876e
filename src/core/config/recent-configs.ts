import { type Config, isObject } from '@braidwork/plugin'
import { frozenCopy } from '@braidwork/plugin/internal'
import { checkConfig } from './check-config.ts'
import { type ConfigLayer, withLayer } from './layers.ts'

/** How many layers are remembered. A program has few, or one for each user, of which it would remember none. */
const MOST = 4

/** A layer, copied when it was checked, and the config with it. */
interface Recent {
  readonly layer: ConfigLayer
  readonly config: Config
}

/**
 * Lays the layers of requests over a host's config. Most requests of a program have an equal layer, often written anew.
 * Equal layers give configs with the same settings, so that what was made of these, for example their check and their
 * defaults, is found again.
 */
export class RecentConfigs {
  readonly #below: Config
  /** The last one that was used comes first. */
  readonly #recent: Recent[] = []

  constructor(below: Config) {
    this.#below = below
  }

  /** @throws {HostError} CONFIG_INVALID, as {@link checkConfig} */
  over(layer: unknown): Config {
    const at = this.#recent.findIndex((one) => isSame(layer, one.layer))
    const recent = this.#recent[at] ?? this.#make(checkConfig(layer))
    if (at !== 0) this.#putFirst(recent, at)
    // A copy, because its reader may change it; all that is in it is frozen.
    return { ...recent.config }
  }

  /** @param at where it was, or -1 */
  #putFirst(recent: Recent, at: number): void {
    if (at > 0) this.#recent.splice(at, 1)
    this.#recent.unshift(recent)
    if (this.#recent.length > MOST) this.#recent.pop()
  }

  #make(checked: ConfigLayer): Recent {
    const layer = frozenCopy(checked)
    return { layer, config: withLayer(this.#below, layer) }
  }
}

/** Whether a value is equal to plain JSON. A zero with a sign is not equal to one without. */
function isSame(value: unknown, json: unknown): boolean {
  if (Object.is(value, json)) return true
  if (Array.isArray(json)) return Array.isArray(value) && isSameList(value, json)
  return isObject(json) && isObject(value) && isSameObject(value, json)
}

function isSameList(value: readonly unknown[], json: readonly unknown[]): boolean {
  return value.length === json.length && json.every((inner, at) => isSame(value[at], inner))
}

function isSameObject(
  value: { readonly [key: string]: unknown },
  json: { readonly [key: string]: unknown },
): boolean {
  const keys = Object.keys(json)
  return (
    Object.keys(value).length === keys.length &&
    keys.every((key) => Object.hasOwn(value, key) && isSame(value[key], json[key]))
  )
}
