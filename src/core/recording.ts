import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'

/** Keys that the language itself reads, for example when a value is awaited. Reading them is not recorded. */
const UNASKED = new Set(['then', 'toJSON'])

/** Records which parts of a value its readers have read, as JSON pointers. A pointer covers everything below it. */
export class Recording {
  /** Pointers of values that were read. */
  readonly #read = new Set<string>()
  /** Pointers of objects that were reached, and below it those of objects whose members were read as well. */
  readonly #reached = new Set<string>()
  readonly #entered = new Set<string>()

  /** Records that the whole value at a pointer was read. */
  add(pointer: string): void {
    this.#read.add(pointer)
  }

  /** The sorted pointers, without those below another. An object that was reached but not entered counts as read. */
  get pointers(): readonly string[] {
    const only = [...this.#reached].filter((pointer) => !this.#entered.has(pointer))
    const all = new Set([...this.#read, ...only])
    return [...all].filter((pointer) => !isBelowOne(pointer, all)).sort()
  }

  /** A read-only view of a value that records each read. A list counts as read whole. */
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

/** The parts of a view, for readers in another process that record their reads themselves. */
export interface RecordedView {
  readonly recording: Recording
  readonly value: JsonObject
  /** The pointer of the value within the recorded whole. */
  readonly pointer: string
}

const recorded = new WeakMap<object, RecordedView>()

/** The parts of a recording view. Undefined for a plain value. */
export function recordedView(value: object): RecordedView | undefined {
  return recorded.get(value)
}

/**
 * The proxy handler of a view. The proxy's target is an empty object: with a frozen config as the target, ECMAScript's
 * proxy invariants would forbid to return views of its members.
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
