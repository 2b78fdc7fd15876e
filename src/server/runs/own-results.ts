import type { Environment, Storage } from '@braidwork/agent'
import { hashOf, withRetries } from '@braidwork/agent/internal'
import type { ResultStore } from '@braidwork/core'
import { HostError } from '@braidwork/plugin'
import type { Identity } from '../identity.ts'
import type { Quotas } from '../quotas.ts'

interface ResultParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly quotas: Quotas
}

/**
 * The store for the large results of an identity's runs: the files of the conversation. They are deleted with it, and
 * count towards the identity's quota. Undefined for a run without a conversation, whose results stay in memory. LT-09
 */
export function ownResults(
  { storage: { files }, quotas, environment }: ResultParts,
  identity: Identity,
  conversationId: string | undefined,
): ResultStore | undefined {
  if (conversationId === undefined) return undefined
  const { id: owner } = identity
  return {
    put: async (result) => {
      const need = { bytes: result.bytes.byteLength, files: 1 }
      return quotas.keep(identity, need, () =>
        withRetries(environment, () => files.put(owner, result, conversationId)),
      )
    },
    load: async (hash) => {
      const file = await files.load(owner, hash, conversationId)
      if (file && hashOf(file.bytes) !== hash) throw damaged(hash)
      return file
    },
  }
}

function damaged(hash: string): HostError {
  const message = `The stored file "${hash}" is damaged: its content is not what was stored. Restore it from a backup.`
  return new HostError('STORAGE_FAILED', message)
}
