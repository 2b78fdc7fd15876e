import { type FilePart, isObject, type TextPart } from '@braidwork/plugin'
import type { StoredResult } from './result-store.ts'

/** The output of a tool that is a list of texts and files. Providers send it to the model as such. CL-46 */
export type OutputParts = readonly (TextPart | FilePart)[]

export function isOutputParts(output: unknown): output is OutputParts {
  return Array.isArray(output) && output.length > 0 && output.every(isOutputPart)
}

function isOutputPart(value: unknown): boolean {
  if (!isObject(value)) return false
  if (value['type'] === 'text') return typeof value['text'] === 'string'
  return value['type'] === 'file' && typeof value['mediaType'] === 'string'
}

/** An output with a form that only one provider can read. CL-46 */
export interface NativeOutput {
  readonly native: { readonly [provider: string]: unknown }
  readonly output?: unknown
}

export function isNativeOutput(output: unknown): output is NativeOutput {
  return isObject(output) && isObject(output['native'])
}

export function textOfParts(parts: OutputParts): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/**
 * The most characters of base64 with which an image is sent to the model. The lowest limit of a model API:
 * https://platform.claude.com/docs/en/build-with-claude/vision
 */
export const MOST_IMAGE = 5_000_000

/** The size of a part beside its data, roughly. */
const FRAME = 100

/** The files of an output: those that stay in it, and those that are too large for the model. */
export interface SplitFiles {
  readonly kept: readonly FilePart[]
  readonly large: readonly FilePart[]
}

/** Splits the files of an output. Images have a limit of their own; all other files share `most` bytes. */
export function splitFiles(parts: OutputParts, most: number): SplitFiles {
  const left = { image: MOST_IMAGE, other: most }
  const kept: FilePart[] = []
  const large: FilePart[] = []
  for (const part of parts) {
    if (part.type !== 'file') continue
    const kind = isImage(part.mediaType) ? 'image' : 'other'
    const size = FRAME + (part.data ?? part.url ?? '').length
    if (size > left[kind]) large.push(part)
    else {
      left[kind] -= size
      kept.push(part)
    }
  }
  return { kept, large }
}

export function isImage(mediaType: string): boolean {
  return mediaType.startsWith('image/')
}

const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/

/** The bytes of a file part: its data, or its address as a text. */
export function bytesOfFile({ data, url = '', mediaType }: FilePart): StoredResult {
  if (data === undefined) return { mediaType: 'text/plain', bytes: Buffer.from(url) }
  const isKnown = MEDIA_TYPE.test(mediaType)
  const own = isKnown ? mediaType.toLowerCase() : 'application/octet-stream'
  return { mediaType: own, bytes: Buffer.from(data, 'base64') }
}
