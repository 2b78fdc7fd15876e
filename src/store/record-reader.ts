import { conversationKey, type StoredRecord } from '@braidwork/agent'
import { HostError, isObject } from '@braidwork/plugin'
import { checkRecord } from './check-record.ts'

/**
 * Reads the records of one export in order. In format version 1, entries and plugin values name only their
 * conversation, since conversation ids were then unique among all owners. The reader adds the owner.
 */
export class RecordReader {
  readonly #owners = new Map<unknown, string>()
  #isVersion1 = false

  /**
   * Checks a value from an untrusted source and returns it as the next record.
   * @throws {HostError} REQUEST_INVALID, with a pointer to the fault
   */
  async read(value: unknown): Promise<StoredRecord> {
    const record = await checkRecord(isObject(value) ? this.#present(value) : value)
    if (record.type === 'conversation') {
      const { id, owner } = record.conversation
      this.#owners.set(id, owner)
    }
    return record
  }

  /** Converts a record to the present format. */
  #present(value: { readonly [key: string]: unknown }): object {
    const { type, conversationId: id, run } = value
    if (type === 'run' && isObject(run)) return { ...value, run: withOrder(run) }
    if (type === 'entry' && !Object.hasOwn(value, 'owner')) {
      this.#isVersion1 = true
      return { ...value, owner: this.#ownerOf(id) }
    }
    if (type === 'value' && this.#isVersion1 && typeof id === 'string') {
      return { ...value, conversationId: conversationKey(this.#ownerOf(id), id) }
    }
    return value
  }

  #ownerOf(id: unknown): string {
    const owner = this.#owners.get(id)
    if (owner !== undefined) return owner
    const name = JSON.stringify(id)?.slice(0, 100)
    throw new HostError(
      'REQUEST_INVALID',
      `the entry has no "owner", and its conversation ${name} is not among the records before it; import the export as a whole`,
      { pointer: '/owner' },
    )
  }
}

/** In format version 1, the order of a run is called `facts`. */
function withOrder(run: { readonly [key: string]: unknown }): object {
  if (Object.hasOwn(run, 'order') || !Object.hasOwn(run, 'facts')) return run
  const { facts: order, ...rest } = run
  return { ...rest, order }
}
