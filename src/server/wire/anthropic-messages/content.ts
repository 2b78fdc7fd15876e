import type { FilePart, Part } from '@braidwork/plugin'
import { defined, type Fields, fileAt, fileOf, type GivenFile, quoted } from '../index.ts'

const LIFETIMES = ['5m', '1h'] as const

/** Keeps the mark up to which a client wants the request cached. Only Anthropic's API gets it. */
export function marked(part: Part, block: Fields): Part {
  const mark = block.object('cache_control')
  if (mark === undefined) return part
  const cache_control = defined({
    type: mark.oneOf('type', ['ephemeral']) ?? 'ephemeral',
    ttl: mark.oneOf('ttl', LIFETIMES),
  })
  return { ...part, providerMetadata: { anthropic: { cache_control } } }
}

/** Decodes a text block. */
export function textPart(block: Fields): Part {
  const type = block.any('type')
  if (type === 'text') return { type, text: block.text('text') ?? '' }
  throw block.fault('type', `must be "text" here, not ${quoted(type)}`)
}

/** Decodes a content block of a user message or a tool result. */
export function contentPart(block: Fields): Part {
  switch (block.any('type')) {
    case 'text':
      return textPart(block)
    case 'image':
      return imagePart(block)
    case 'document':
      return documentPart(block)
    case 'search_result':
      return searchResultPart(block)
    default:
      throw block.fault('type', 'must be one of text, image, document, search_result, tool_result')
  }
}

function sourceIn(block: Fields): Fields {
  const source = block.object('source')
  if (source === undefined) throw block.fault('source', 'is missing')
  return source
}

function imagePart(block: Fields): Part {
  const source = sourceIn(block)
  if (source.any('type') === 'url')
    return taken(fileAt(source.need('url'), 'image/'), source, 'url')
  return byValue(source, 'image/')
}

function byValue(source: Fields, kind: string): FilePart {
  if (source.any('type') === 'base64') {
    return taken(fileOf(source.need('media_type'), source.need('data'), kind), source, 'data')
  }
  throw source.fault(
    'type',
    'must be base64 or url, or text for a document; this server stores no files by id',
  )
}

function documentPart(block: Fields): Part {
  const source = sourceIn(block)
  const name = block.text('title')
  const file = documentIn(source)
  return name === undefined || file.type !== 'file' ? file : { ...file, name }
}

function documentIn(source: Fields): Part {
  switch (source.any('type')) {
    case 'text': {
      source.any('media_type')
      const data = Buffer.from(source.need('data')).toString('base64')
      return { type: 'file', mediaType: 'text/plain', data }
    }
    case 'url':
      return taken(fileAt(source.need('url')), source, 'url')
    case 'content':
      return { type: 'text', text: textsIn(source, 'content') }
    default:
      return byValue(source, 'application/pdf')
  }
}

/** Converts a search result that the client supplies to text. */
function searchResultPart(block: Fields): Part {
  const head = [block.text('title'), block.text('source')].filter((line) => line !== undefined)
  return { type: 'text', text: [...head, textsIn(block, 'content')].join('\n') }
}

/** Reads a string, or the joined texts of a list of blocks. */
function textsIn(fields: Fields, name: string): string {
  const value = fields.textOrList(name) ?? []
  if (typeof value === 'string') return value
  const parts = value.map(textPart)
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function taken(given: GivenFile, fields: Fields, name: string): FilePart {
  if ('file' in given) return given.file
  throw fields.fault(name, given.fault)
}
