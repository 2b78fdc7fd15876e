import { type Chunk, defined, providerMetadataOf, textIn } from './chunk.ts'
import type { DataPart, FilePart, SourcePart } from './types.ts'

/** The part of a chunk that is a whole file or source. Undefined where something is missing. */
export function wholePart(chunk: Chunk): FilePart | SourcePart | undefined {
  return chunk['type'] === 'file' ? filePart(chunk) : sourcePart(chunk)
}

function filePart(chunk: Chunk): FilePart | undefined {
  const mediaType = textIn(chunk, 'mediaType')
  const url = textIn(chunk, 'url')
  if (mediaType === undefined || url === undefined) return undefined
  return { type: 'file', mediaType, url, ...providerMetadataOf(chunk) }
}

function sourcePart(chunk: Chunk): SourcePart | undefined {
  const sourceId = textIn(chunk, 'sourceId')
  const url = textIn(chunk, 'url')
  const title = textIn(chunk, 'title')
  if (sourceId === undefined) return undefined
  const said = { sourceId, ...defined({ title }), ...providerMetadataOf(chunk) }
  if (chunk['type'] === 'source-url') {
    return url === undefined ? undefined : { type: 'source-url', url, ...said }
  }
  const mediaType = textIn(chunk, 'mediaType')
  const filename = textIn(chunk, 'filename')
  return { type: 'source-document', ...said, ...defined({ mediaType, filename }) }
}

/** The part of a chunk `data-…`. Undefined for a chunk that is not kept in the message. */
export function dataPart(type: `data-${string}`, chunk: Chunk): DataPart | undefined {
  if (chunk['transient'] === true || !('data' in chunk)) return undefined
  return { type, ...defined({ id: textIn(chunk, 'id') }), data: chunk['data'] }
}
