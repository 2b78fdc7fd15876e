import { HostError } from '@braidwork/plugin'
import { bytesOf } from './written-json.ts'

/** A value of the context that the members of a team share. */
export interface SharedValue {
  /** Unique in the context. */
  readonly key: string
  /** Any JSON value. */
  readonly value: unknown
  /** 1 for the first value of the key, and one more with each write. */
  readonly version: number
  /** The id of the agent that wrote it. */
  readonly agent: string
}

/** A value to write. `version` is the one that the writer has read: 0 if the key had no value. */
export type SharedWrite = SharedValue

/** Stores the contexts that teams share. A context belongs to the run of its team and is deleted with it. AL-25 */
export interface SharedStorage {
  /** All values of a run, sorted by key. Empty if the run does not exist. */
  list(owner: string, runId: string): Promise<readonly SharedValue[]>
  load(owner: string, runId: string, key: string): Promise<SharedValue | undefined>
  /**
   * Writes a value, unless another writer has written the key since. Returns the value with its new version.
   * @throws {HostError} RUN_UNKNOWN; SHARED_STALE, with the present `version`; SHARED_TOO_LARGE
   */
  write(owner: string, runId: string, write: SharedWrite): Promise<SharedValue>
}

/** The most bytes of one value as JSON. */
const MOST_VALUE_BYTES = 64 << 10
/** The most bytes of all values of a context as JSON, with their keys. */
const MOST_SHARED_BYTES = 1 << 20
const MOST_KEY_LENGTH = 200

/** What a context has under other keys than the one that is written. */
interface Others {
  readonly bytes: number
}

/** The size of a value with its key. @param json the value as JSON */
export function sharedSize(key: string, json: string): number {
  return bytesOf(key) + bytesOf(json)
}

/** @throws {HostError} SHARED_STALE, with the present version */
export function assertFresh({ key, version: read }: SharedWrite, version: number): void {
  if (read === version) return
  const now = version === 0 ? 'has no value' : `is at version ${version}`
  const message = `The write of "${key}" is for version ${read}, but the key ${now}. Read it again, and write with the version that it has now.`
  throw new HostError('SHARED_STALE', message, { version })
}

/** @param json the value as JSON @throws {HostError} SHARED_TOO_LARGE, REQUEST_INVALID */
export function assertSharable({ key }: SharedWrite, json: string): void {
  if (key.length > MOST_KEY_LENGTH) {
    const message = `A key of a shared context has at most ${MOST_KEY_LENGTH} characters; this one has ${key.length}.`
    throw new HostError('REQUEST_INVALID', message, { pointer: '/key' })
  }
  const bytes = bytesOf(json)
  if (bytes <= MOST_VALUE_BYTES) return
  const message = `The value for "${key}" has ${bytes} bytes; a value of a shared context has at most ${MOST_VALUE_BYTES}. Shorten it, or write it under several keys.`
  throw new HostError('SHARED_TOO_LARGE', message)
}

/** @param json the value as JSON @throws {HostError} SHARED_TOO_LARGE */
export function assertRoom({ key }: SharedWrite, json: string, others: Others): void {
  const bytes = others.bytes + sharedSize(key, json)
  if (bytes <= MOST_SHARED_BYTES) return
  const message = `With the value for "${key}" the shared context would have ${bytes} bytes; it has at most ${MOST_SHARED_BYTES}. Shorten other values first.`
  throw new HostError('SHARED_TOO_LARGE', message)
}

/** Compares keys as all storages sort them: by code unit, whatever the language of a database. */
export function byKey(one: Pick<SharedValue, 'key'>, other: Pick<SharedValue, 'key'>): number {
  if (one.key === other.key) return 0
  return one.key < other.key ? -1 : 1
}
