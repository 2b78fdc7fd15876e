import type { FileStorage } from '../agent/storage/index.ts'
import { HostError } from '../errors.ts'
import type { FilePart, Message, Part } from '../events/index.ts'
import { hashOfUpload } from '../wire/file-address.ts'
import type { Identity } from './identity.ts'

/**
 * Messages with the bytes of the files that were uploaded to this server, in place of their addresses.
 * @throws {HostError} MESSAGES_INVALID for one that is not there, or not the caller's
 */
export async function withUploads(
  messages: readonly Message[],
  identity: Identity,
  files: FileStorage,
): Promise<readonly Message[]> {
  const isUpload = (part: Part) => hashOf(part) !== undefined
  return Promise.all(
    messages.map(async (message) =>
      message.parts.some(isUpload)
        ? {
            ...message,
            parts: await Promise.all(message.parts.map((part) => inlined(part, identity, files))),
          }
        : message,
    ),
  )
}

async function inlined(part: Part, { id }: Identity, files: FileStorage): Promise<Part> {
  const hash = hashOf(part)
  if (hash === undefined) return part
  const file = await files.load(id, hash)
  if (!file) {
    throw new HostError('MESSAGES_INVALID', `There is no file "${hash}".`, { pointer: '/messages' })
  }
  const { url: _, ...rest } = part as FilePart
  return {
    ...rest,
    mediaType: file.mediaType,
    data: Buffer.from(file.bytes).toString('base64'),
    ...(file.name === undefined ? {} : { name: file.name }),
  }
}

function hashOf(part: Part): string | undefined {
  return part.type === 'file' && part.url !== undefined ? hashOfUpload(part.url) : undefined
}
