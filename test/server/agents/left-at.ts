import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'

/** A change of a storage. */
interface Change {
  readonly room: string
  readonly method: string
  readonly args: readonly unknown[]
}

/** What a server does to its storage, from which the storage of each moment can be made again. */
export class RecordedStorage {
  readonly storage: Storage
  readonly #changes: Change[] = []
  readonly #onChange: () => void

  /** @param onChange called before each change */
  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange
    this.storage = this.#watched(memoryStorage())
  }

  get length(): number {
    return this.#changes.length
  }

  /** The storage as a process leaves it that is killed after so many changes. Its runs belong to no process. */
  async at(count: number): Promise<Storage> {
    const storage = memoryStorage()
    for (const change of this.#changes.slice(0, count)) {
      const target = storage[change.room as keyof Storage] as object
      await Reflect.apply(Reflect.get(target, change.method) as Method, target, nobodys(change))
    }
    return storage
  }

  #watched(storage: Storage): Storage {
    return new Proxy(storage, {
      get: (target, room) => {
        const value: unknown = Reflect.get(target, room)
        if (typeof room === 'symbol' || !CHANGES.has(room)) return value
        return this.#watchedRoom(value as object, room)
      },
    })
  }

  #watchedRoom(target: object, room: string): object {
    return new Proxy(target, {
      get: (_, method) => {
        const value: unknown = Reflect.get(target, method)
        if (typeof value !== 'function') return value
        if (!CHANGES.get(room)?.includes(String(method))) return value.bind(target) as Method
        return (...args: readonly unknown[]) => {
          this.#onChange()
          this.#changes.push({ room, method: String(method), args: structuredClone(args) })
          return Reflect.apply<object, readonly unknown[], unknown>(value as Method, target, args)
        }
      },
    })
  }
}

type Method = (...args: readonly unknown[]) => unknown

/** The methods that change a storage of runs, by its parts. */
const CHANGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['runs', ['start', 'resume', 'append', 'end', 'seize']],
  ['conversations', ['create', 'append']],
  ['approvals', ['answer']],
])

/** The arguments of a change, with nobody in place of the process that made it. */
function nobodys({ method, args }: Change): readonly unknown[] {
  if (method === 'append' && typeof args[0] === 'string' && Array.isArray(args[1])) {
    return ['', ...args.slice(1)]
  }
  return args.map((arg) =>
    arg !== null && typeof arg === 'object' && 'holder' in arg ? { ...arg, holder: '' } : arg,
  )
}
