import type { Storage } from '@braidwork/agent'
import type { StorageUsage } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { Identity } from './identity.ts'

/** What may be stored for one identity. */
export interface StorageLimits {
  /** Bytes of all that is stored for it. */
  readonly storage: number
  readonly conversations: number
  readonly files: number
  /** Bytes of one conversation's messages, on all its branches. */
  readonly conversation: number
}

const REMEDY = 'Delete conversations that are not needed any more.'

/** What may still be stored for an identity: counted by the storage, so that no process begins anew. */
export class Quotas {
  readonly #storage: Storage
  readonly #limits: StorageLimits

  constructor(storage: Storage, limits: StorageLimits) {
    this.#storage = storage
    this.#limits = limits
  }

  /**
   * Whether there is room for what a request brings; where it does not say how much that is, for anything.
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

  /** Whether a conversation may have more messages. @throws {HostError} REQUEST_TOO_LARGE */
  async assertGrows({ id: owner }: Identity, conversationId: string): Promise<void> {
    const { conversation: most } = this.#limits
    if ((await this.#storage.conversations.size(owner, conversationId)) < most) return
    throw new HostError(
      'REQUEST_TOO_LARGE',
      `The conversation has ${most} bytes of messages, which is all that one may have. Go on in another; a branch of an earlier message has less.`,
    )
  }
}

function exceeded(most: string): HostError {
  const message = `What may be kept for you, ${most}, is there already, or would be. ${REMEDY}`
  return new HostError('STORAGE_QUOTA_EXCEEDED', message)
}
