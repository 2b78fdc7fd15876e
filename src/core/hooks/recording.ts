import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'

/** Keys that the language asks for by itself, and that say nothing of what is read. */
const UNASKED = new Set(['then', 'toJSON'])

/** What the readers of a value looked at, as JSON pointers; each counts for all that stands below it. */
export class Recording {
  /** Pointers of what was read as it is. */
  readonly #read = new Set<string>()
  /** Pointers of objects that were reached, and of those by whose keys something further was read. */
  readonly #reached = new Set<string>()
  readonly #entered = new Set<string>()

  /** Notes a read of the value at a pointer, whole. */
  add(pointer: string): void {
    this.#read.add(pointer)
  }

  /** Sorted, and without those that stand below another. An object that was only reached counts whole. */
  get pointers(): readonly string[] {
    const only = [...this.#reached].filter((pointer) => !this.#entered.has(pointer))
    const all = new Set([...this.#read, ...only])
    return [...all].filter((pointer) => !isBelowOne(pointer, all)).sort()
  }

  /** A value whose reads are noted; lists are read whole. */
  view<T extends JsonObject>(value: T, path: readonly string[] = []): T {
    const views = new Map<string, object>()
    const pointer = pointerOf(path)
    const read = (key: string): unknown => {
      if (UNASKED.has(key) && !Object.hasOwn(value, key)) return undefined
      this.#entered.add(pointer)
      const at = [...path, key]
      const inner = Object.hasOwn(value, key) ? value[key] : Reflect.get(Object.prototype, key)
      if (!isObject(inner)) {
        this.#read.add(pointerOf(at))
        return inner
      }
      this.#reached.add(pointerOf(at))
      const known = views.get(key) ?? this.view(inner, at)
      views.set(key, known)
      return known
    }
    const shown: object = new Proxy(
      {},
      handlerOf(value, read, () => this.#read.add(pointer)),
    )
    recorded.set(shown, { recording: this, value, pointer })
    return shown as T
  }
}

/** What a view shows, for those that read it elsewhere and note their reads themselves. */
export interface RecordedView {
  readonly recording: Recording
  readonly value: JsonObject
  /** Where the value stands in what is recorded. */
  readonly pointer: string
}

const recorded = new WeakMap<object, RecordedView>()

/** What stands behind a recording view; nothing for a plain value. */
export function recordedView(value: object): RecordedView | undefined {
  return recorded.get(value)
}

/**
 * The traps of a view. Its target is an empty object: a frozen config as the target would forbid views of
 * what is in it (the invariants of ECMAScript's Proxy).
 */
function handlerOf(
  value: JsonObject,
  read: (key: string) => unknown,
  readAll: () => void,
): ProxyHandler<JsonObject> {
  const refuse = () => false
  return {
    get: (_, key) => (typeof key === 'string' ? read(key) : Reflect.get(value, key)),
    has: (_, key) => {
      if (typeof key === 'string') read(key)
      return Reflect.has(value, key)
    },
    ownKeys: () => {
      readAll()
      return Reflect.ownKeys(value)
    },
    getOwnPropertyDescriptor: (_, key) => {
      if (!Object.hasOwn(value, key)) {
        if (typeof key === 'string') read(key)
        return undefined
      }
      const inner = typeof key === 'string' ? read(key) : Reflect.get(value, key)
      return { value: inner, enumerable: true, configurable: true, writable: false }
    },
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
  }
}

function isBelowOne(pointer: string, pointers: ReadonlySet<string>): boolean {
  for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
    if (pointers.has(pointer.slice(0, end))) return true
    if (end === 0) return false
  }
  return false
}
