import type { FileStorage } from '@braidwork/agent/internal'
import { turnFor } from '@braidwork/core/internal'
import { type FilePart, HostError, type Message, type Part } from '@braidwork/plugin'
import type { Identity } from '../identity.ts'
import { hashOfUpload } from '../wire/index.ts'

/**
 * Replaces the addresses of files uploaded to this server by their bytes.
 * @param most the total size of all files in bytes; a file that occurs several times counts each time
 * @throws {HostError} MESSAGES_INVALID if a file does not exist or belongs to another identity; REQUEST_TOO_LARGE
 */
export async function withUploads(
  messages: readonly Message[],
  identity: Identity,
  { files, most }: { readonly files: FileStorage; readonly most: number },
): Promise<readonly Message[]> {
  const counts = countsOf(messages)
  if (counts.size === 0) return messages
  const loaded = new Map<string, Bytes>()
  let size = 0
  for (const [hash, count] of counts) {
    const file = await load(hash, identity, files)
    size += count * file.size
    if (size > most) throw tooLarge(most)
    loaded.set(hash, file)
    await turnFor(file.data)
  }
  return messages.map((message) =>
    message.parts.some((part) => hashOf(part) !== undefined)
      ? { ...message, parts: message.parts.map((part) => inlined(part, loaded)) }
      : message,
  )
}

/** A file in the form that a message contains. */
type Bytes = Pick<FilePart, 'mediaType' | 'name'> & { readonly data: string; readonly size: number }

/** Returns how often each uploaded file occurs in messages, by its hash. */
function countsOf(messages: readonly Message[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { parts } of messages) {
    for (const part of parts) {
      const hash = hashOf(part)
      if (hash !== undefined) counts.set(hash, (counts.get(hash) ?? 0) + 1)
    }
  }
  return counts
}

async function load(hash: string, { id }: Identity, files: FileStorage): Promise<Bytes> {
  const file = await files.load(id, hash)
  if (!file) {
    throw new HostError('MESSAGES_INVALID', `There is no file "${hash}".`, { pointer: '/messages' })
  }
  const { mediaType, bytes, name } = file
  const data = Buffer.from(bytes).toString('base64')
  return { mediaType, data, size: bytes.length, ...(name === undefined ? {} : { name }) }
}

function inlined(part: Part, loaded: ReadonlyMap<string, Bytes>): Part {
  const file = loaded.get(hashOf(part) ?? '')
  if (!file) return part
  const { url: _, ...rest } = part as FilePart
  const { size: __, ...bytes } = file
  return { ...rest, ...bytes }
}

function tooLarge(most: number): HostError {
  const message = `The files in the messages have more than ${most} bytes together, the limit in the server's "limits.attachments".`
  return new HostError('REQUEST_TOO_LARGE', message, { pointer: '/messages' })
}

function hashOf(part: Part): string | undefined {
  return part.type === 'file' && part.url !== undefined ? hashOfUpload(part.url) : undefined
}
