import { HostError, isObject } from '@braidwork/plugin'
import { checkRecord } from './check-record.ts'
import { conversationKey } from './conversation-key.ts'
import type { StoredRecord } from './records.ts'

/**
 * Reads the records of one export in order. In format version 1, entries and plugin values name only their
 * conversation, since conversation ids were then unique among all owners. The reader adds the owner.
 */
export class RecordReader {
  readonly #owners = new Map<unknown, string>()
  #isVersion1 = false
  /** The heads whose entries have not been read, by the key of their conversation. */
  readonly #heads = new Map<string, { readonly name: string; readonly head: string }>()

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
    this.#noteHead(record)
    return record
  }

  /** @throws {HostError} REQUEST_INVALID if the head of a conversation is not among its entries */
  assertWhole(): void {
    const [missing] = this.#heads.values()
    if (missing === undefined) return
    const { name, head } = missing
    throw new HostError(
      'REQUEST_INVALID',
      `The conversation "${name.slice(0, 100)}" has the head "${head.slice(0, 100)}", which none of its entries in the export has. Import the export as a whole.`,
    )
  }

  #noteHead(record: StoredRecord): void {
    if (record.type === 'conversation') {
      const { id, owner, head } = record.conversation
      if (head !== undefined) this.#heads.set(conversationKey(owner, id), { name: id, head })
    } else if (record.type === 'entry') {
      const key = conversationKey(record.owner, record.conversationId)
      if (this.#heads.get(key)?.head === record.entry.id) this.#heads.delete(key)
    }
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
