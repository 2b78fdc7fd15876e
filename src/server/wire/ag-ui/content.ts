import type { Part } from '@braidwork/plugin'
import { defined, type Fields, fileAt, fileOf, requestInvalid, UNKNOWN_TYPE } from '../index.ts'

/**
 * Reads the content of a message: a string or a list of parts.
 * @throws {HostError} REQUEST_INVALID
 */
export function contentOf(fields: Fields): Part[] {
  const content = fields.textOrList('content')
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (content === undefined)
    throw fields.fault('content', 'is missing; give a string or a list of parts')
  return content.map(partOf)
}

const MEDIA = ['image', 'audio', 'video', 'document'] as const

function partOf(part: Fields): Part {
  const type = part.oneOf('type', ['text', ...MEDIA, 'binary'])
  if (type === undefined) throw part.fault('type', 'is missing')
  if (type === 'text') return { type, text: part.text('text') ?? '' }
  // The form used by clients before version 1.0.
  if (type === 'binary') return binaryOf(part)
  const source = part.object('source')
  if (source === undefined) throw part.fault('source', 'is missing')
  const kind = source.oneOf('type', ['data', 'url', 'file'])
  if (kind === undefined) throw source.fault('type', 'is missing')
  if (kind === 'file')
    throw source.fault('type', 'names a file stored by a provider, which this server cannot read')
  const prefix = type === 'document' ? '' : `${type}/`
  if (kind === 'data') {
    return given(source, 'value', fileOf(typeOf(source), source.need('value'), prefix))
  }
  return addressed(source, 'value', prefix)
}

function addressed(source: Fields, field: string, prefix = ''): Part {
  const file = given(source, field, fileAt(source.need(field), prefix))
  const mimeType = source.text('mimeType')
  return file.type === 'file' && mimeType ? { ...file, mediaType: mimeType } : file
}

/** The media type of a file by value. A browser gives none to a file such as a Makefile. */
function typeOf(source: Fields): string {
  return source.text('mimeType') === '' ? UNKNOWN_TYPE : source.need('mimeType')
}

function binaryOf(part: Fields): Part {
  const data = part.text('data')
  const name = defined({ name: part.text('filename') })
  if (data === undefined) return { ...addressed(part, 'url'), ...name }
  return { ...given(part, 'data', fileOf(typeOf(part), data)), ...name }
}

function given(fields: Fields, field: string, file: ReturnType<typeof fileAt>): Part {
  if ('file' in file) return file.file
  throw requestInvalid([...fields.path, field], `"${field}" ${file.fault}.`)
}
