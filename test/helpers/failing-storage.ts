import { setImmediate } from 'node:timers/promises'
import type { Storage } from '../../src/agent/storage/index.ts'
import { storageError } from '../../src/agent/storage/storage-error.ts'

/** How a write fails: without having written, with an unknown outcome because it was done, late, or as it is called. */
export const FAILURES = ['before', 'after', 'late', 'at once'] as const
export type Failure = (typeof FAILURES)[number]

export interface Fault {
  readonly failure: Failure
  /** The number of the first write that fails, from 0. */
  readonly first: number
  /** How many writes fail from there on. */
  readonly lasts: number
  /** Whether a later try may succeed. */
  readonly isRetryable: boolean
}

/** The methods that write, by their place in a storage. */
const WRITES: { readonly [place in keyof Storage]?: readonly string[] } = {
  runs: ['start', 'resume', 'append', 'end', 'addLate', 'takeOver', 'seize'],
  approvals: ['create', 'answer'],
  conversations: ['create', 'update', 'append'],
  counters: ['take', 'add'],
  shared: ['write'],
  settings: ['save'],
}

/** A storage whose writes fail from the nth on. Its reads and its heartbeat work. */
export class FailingStorage {
  readonly #fault: Fault
  readonly #spared: readonly string[]
  /** The writes that were asked for. */
  readonly writes: string[] = []

  /** @param spared writes that work and are not counted, such as `runs.takeOver` */
  constructor(fault: Fault, spared: readonly string[] = []) {
    this.#fault = fault
    this.#spared = spared
  }

  get hasFailed(): boolean {
    return this.writes.length > this.#fault.first
  }

  over(storage: Storage): Storage {
    const places = Object.entries(WRITES).map(([place, names]) => [
      place,
      this.#failing(storage[place as keyof Storage], place, names),
    ])
    return new Proxy(storage, {
      get: (target, name) => {
        const own = Object.fromEntries(places) as object
        const value = (name in own ? own : target)[name as keyof object] as unknown
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  #failing(part: object, place: string, names: readonly string[]): object {
    return new Proxy(part, {
      get: (target, name) => {
        const method = target[name as keyof object] as (...args: unknown[]) => Promise<unknown>
        if (typeof method !== 'function') return method
        const isWrite =
          names.includes(String(name)) && !this.#spared.includes(`${place}.${String(name)}`)
        return (...args: unknown[]) => {
          const call = () => method.apply(target, args)
          const [, batches] = args
          const of = name === 'append' && Array.isArray(batches) ? ` of ${batches.length}` : ''
          return isWrite ? this.#write(`${place}.${String(name)}${of}`, call) : call()
        }
      },
    })
  }

  #write(name: string, write: () => Promise<unknown>): Promise<unknown> {
    const { first, lasts, failure, isRetryable } = this.#fault
    const number = this.writes.push(name) - 1
    if (number < first || number >= first + lasts) return write()
    const error = storageError(new Error(`write ${number} (${name}) failed`), isRetryable)
    if (failure === 'at once') throw error
    return rejected(error, failure, write)
  }
}

async function rejected(
  error: Error,
  failure: Failure,
  write: () => Promise<unknown>,
): Promise<never> {
  if (failure === 'after') await write()
  if (failure === 'late') for (let turn = 0; turn < 5; turn++) await setImmediate()
  throw error
}
