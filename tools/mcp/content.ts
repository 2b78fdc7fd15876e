import { type Artifact, isObject, type Part } from '@braidwork/plugin'
import { oneLine, visible } from './visible.ts'

/** The most artifacts of a result, and the longest address, that the host takes. */
const MOST_ARTIFACTS = 100
const LONGEST_ADDRESS = 4_096
/** Schemes whose addresses run as programs or carry them where they are opened. */
const UNSAFE_SCHEME = /^\s*(?:javascript|vbscript|data|blob|about|view-source):/i

/** The content of a result or of a prompt, as parts for the model and as artifacts for people. */
export interface Content {
  readonly parts: readonly Part[]
  readonly artifacts: readonly Artifact[]
}

/** Reads content blocks. What is no known block becomes a text that says so. */
export function contentOf(blocks: unknown): Content {
  const list = Array.isArray(blocks) ? blocks : []
  const artifacts = list.flatMap(artifactOf).slice(0, MOST_ARTIFACTS)
  return { parts: list.map(partOf), artifacts }
}

function partOf(block: unknown): Part {
  if (!isObject(block)) return textPart('(content that cannot be shown)')
  const { type, text, data, mimeType } = block
  if (type === 'text' && typeof text === 'string') return textPart(text)
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return filePart(data, mimeType)
  if (type === 'resource_link') return textPart(linkText(block))
  if (type === 'resource' && isObject(block['resource'])) return resourcePart(block['resource'])
  return textPart(`(content of the unknown type ${JSON.stringify(type)?.slice(0, 100)})`)
}

/** The contents of a resource, as a part. */
export function resourcePart(resource: { readonly [key: string]: unknown }): Part {
  const { uri, text, blob, mimeType } = resource
  const name = addressText(uri)
  if (typeof blob === 'string') return { ...filePart(blob, mimeType), name }
  return textPart(`Resource ${name}:\n${typeof text === 'string' ? text : '(nothing)'}`)
}

/** The text of a resource, if it is one. */
export function resourceText({ text }: { readonly [key: string]: unknown }): string | undefined {
  return typeof text === 'string' ? visible(text) : undefined
}

function textPart(text: string): Part {
  return { type: 'text', text: visible(text) }
}

function filePart(data: string, mediaType: unknown): Extract<Part, { readonly type: 'file' }> {
  const isType = typeof mediaType === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(mediaType)
  return { type: 'file', mediaType: isType ? mediaType : 'application/octet-stream', data }
}

function linkText({ uri, name, description }: { readonly [key: string]: unknown }): string {
  const title = typeof name === 'string' ? ` "${oneLine(name)}"` : ''
  const more = typeof description === 'string' ? `: ${oneLine(description)}` : ''
  return `Link to the resource${title} ${addressText(uri)}${more}`
}

/** An address to be shown. One that would run a program is named, but not shown as an address. */
function addressText(uri: unknown): string {
  if (typeof uri !== 'string') return '(without an address)'
  const unsafe = UNSAFE_SCHEME.exec(uri)
  return unsafe ? `(an address that starts with "${oneLine(unsafe[0])}")` : oneLine(uri, 2_000)
}

function artifactOf(block: unknown): readonly Artifact[] {
  if (!isObject(block) || block['type'] !== 'resource_link') return []
  const { uri, title, name, mimeType, size } = block
  if (typeof uri !== 'string' || uri.length > LONGEST_ADDRESS || uri === '') return []
  if (UNSAFE_SCHEME.test(uri) || visible(uri) !== uri) return []
  const shown = [title, name].find((text) => typeof text === 'string' && text !== '')
  return [
    {
      uri,
      ...(typeof shown === 'string' ? { title: oneLine(shown) } : {}),
      ...(typeof mimeType === 'string' && mimeType !== '' ? { mediaType: oneLine(mimeType) } : {}),
      ...(typeof size === 'number' && size >= 0 ? { size } : {}),
    },
  ]
}
