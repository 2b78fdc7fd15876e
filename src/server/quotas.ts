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
}

function exceeded(most: string): HostError {
  const message = `This would exceed your storage quota of ${most}. ${REMEDY}`
  return new HostError('STORAGE_QUOTA_EXCEEDED', message)
}
