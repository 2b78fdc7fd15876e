import type { Storage } from '@braidwork/agent'
import type { StorageUsage } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { Identity } from './identity.ts'

/** How much may be stored for one identity. */
export interface StorageLimits {
  /** The total size of everything that is stored, in bytes. */
  readonly storage: number
  readonly conversations: number
  readonly files: number
  /** The size of one conversation's messages on all branches, in bytes. */
  readonly conversation: number
}

const REMEDY = 'Delete conversations that you no longer need.'

/** Enforces storage quotas. The storage keeps the counts, so they survive a restart and apply across processes. */
export class Quotas {
  readonly #storage: Storage
  readonly #limits: StorageLimits
  /** What is being stored, by the identity for whom. */
  readonly #storing = new Map<string, Promise<unknown>>()

  constructor(storage: Storage, limits: StorageLimits) {
    this.#storage = storage
    this.#limits = limits
  }

  /**
   * Checks that there is room for the data of a request. Without an amount, checks that there is room for anything
   * at all.
   * @throws {HostError} STORAGE_QUOTA_EXCEEDED
   */
  async assertRoom({ id }: Identity, need: Partial<StorageUsage> = {}): Promise<void> {
    const { bytes = 1, conversations = 0, files = 0 } = need
    const usage = await this.#storage.usage(id)
    const limits = this.#limits
    if (usage.bytes + bytes > limits.storage) throw exceeded(`${limits.storage} bytes`)
    if (conversations > 0 && usage.conversations + conversations > limits.conversations) {
      throw exceeded(`${limits.conversations} conversations`)
    }
    if (files > 0 && usage.files + files > limits.files) throw exceeded(`${limits.files} files`)
  }

  /**
   * Stores the data of a request, if there is room. This process stores the data of one identity one after another, so
   * that requests at the same time do not all take the last room.
   * @throws {HostError} STORAGE_QUOTA_EXCEEDED, and the errors of `store`
   */
  async keep<T>(
    identity: Identity,
    need: Partial<StorageUsage>,
    store: () => Promise<T>,
  ): Promise<T> {
    const before = this.#storing.get(identity.id)
    const kept = Promise.resolve(before).then(async () => {
      await this.assertRoom(identity, need)
      return store()
    })
    const ended = kept.then(noop, noop)
    this.#storing.set(identity.id, ended)
    try {
      return await kept
    } finally {
      if (this.#storing.get(identity.id) === ended) this.#storing.delete(identity.id)
    }
  }

  /** Whether there is room for the data of a request. */
  async hasRoom(identity: Identity, need: Partial<StorageUsage>): Promise<boolean> {
    try {
      await this.assertRoom(identity, need)
      return true
    } catch (error) {
      if (!HostError.is(error) || error.code !== 'STORAGE_QUOTA_EXCEEDED') throw error
      return false
    }
  }

  /** Checks whether a conversation may have more messages. @throws {HostError} REQUEST_TOO_LARGE */
  async assertGrows({ id: owner }: Identity, conversationId: string): Promise<void> {
    const { conversation: most } = this.#limits
    if ((await this.#storage.conversations.size(owner, conversationId)) < most) return
    throw new HostError(
      'REQUEST_TOO_LARGE',
      `The conversation has reached the limit of ${most} bytes of messages. Continue in another conversation, or branch off from an earlier message.`,
    )
  }

  /**
   * Checks whether further messages may be stored, and in the conversation that they belong to.
   * @throws {HostError} STORAGE_QUOTA_EXCEEDED, REQUEST_TOO_LARGE
   */
  async assertMessagesFit(identity: Identity, conversationId: string | undefined): Promise<void> {
    await this.assertRoom(identity)
    if (conversationId !== undefined) await this.assertGrows(identity, conversationId)
  }
}

const noop = () => undefined

function exceeded(most: string): HostError {
  const message = `This would exceed your storage quota of ${most}. ${REMEDY}`
  return new HostError('STORAGE_QUOTA_EXCEEDED', message)
}
