import { conversationKey, type StoredRecord } from '@braidwork/agent'
import { HostError, isObject } from '@braidwork/plugin'
import { checkRecord } from './check-record.ts'

/**
 * Reads the records of one export, one after the other. Those of version 1 say of entries and of what plugins
 * keep only in which conversation they stand, whose id was nobody else's then.
 */
export class RecordReader {
  readonly #owners = new Map<unknown, string>()
  #isVersion1 = false

  /**
   * The next record, out of a value that came from somewhere.
   * @throws {HostError} REQUEST_INVALID, with a pointer
   */
  async read(value: unknown): Promise<StoredRecord> {
    const record = await checkRecord(isObject(value) ? this.#present(value) : value)
    if (record.type === 'conversation') {
      const { id, owner } = record.conversation
      this.#owners.set(id, owner)
    }
    return record
  }

  /** As this version writes it. */
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
      `"owner" is missing, and the conversation ${name}, whose owner it would be, stands nowhere above; import the export as a whole`,
      { pointer: '/owner' },
    )
  }
}

/** A run of version 1 has its order under the name `facts`. */
function withOrder(run: { readonly [key: string]: unknown }): object {
  if (Object.hasOwn(run, 'order') || !Object.hasOwn(run, 'facts')) return run
  const { facts: order, ...rest } = run
  return { ...rest, order }
}
