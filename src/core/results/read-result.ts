import { isUtf8 } from 'node:buffer'
import { HostError } from '@braidwork/plugin'
import { settle } from '../hooks/index.ts'
import type { HostTool, ToolReason } from '../tool-schemas/index.ts'
import type { LargeResults } from './large-results.ts'
import { isImage, MOST_IMAGE } from './output-parts.ts'
import { boundaryAfter, boundaryBefore, textIn } from './preview.ts'
import type { StoredResult } from './result-store.ts'
import { searchText } from './search-text.ts'

/** The own name of the tool. */
export const READ_RESULT = 'read_result'

/** The bytes of an answer that its first line may take. */
const FIRST_LINE = 256
const BASE64 = 3 / 4

const SCHEMA = {
  name: READ_RESULT,
  description:
    'Reads a large result of a tool, or a large file in it, of which only a preview was shown. Without "search", it returns the part from "offset" on, and says where to read on. With "search", it returns the places at which a text occurs from "offset" on.',
  input_schema: {
    type: 'object',
    properties: {
      reference: {
        type: 'string',
        pattern: '^[0-9a-f]{64}$',
        description: 'The name under which the result is stored, 64 hexadecimal digits',
      },
      offset: { type: 'integer', minimum: 0, description: 'Where to begin, in bytes. Default: 0' },
      length: {
        type: 'integer',
        minimum: 1,
        description: 'How many bytes to read. Default: as many as an answer may have',
      },
      search: {
        type: 'string',
        minLength: 1,
        maxLength: 100,
        description: 'A text to look for, in upper or lower case. It is no pattern',
      },
    },
    required: ['reference'],
    additionalProperties: false,
  },
  safety: {
    is_read_only: true,
    is_concurrency_safe: true,
    is_idempotent: true,
    capabilities: ['read'],
  },
} as const

interface Asked {
  readonly reference: string
  readonly offset?: number
  readonly length?: number
  readonly search?: string
}

const NOTHING_TO_READ: ToolReason = {
  text: 'There is no large result to read.',
  why: { code: 'RESULTS_MISSING' },
}

/**
 * The tool with which a model reads on from large results. Its answers stay below the limit for results, so they are
 * never stored themselves. It is offered only while there is a result to read. LT-09
 */
export function readResultTool(results: LargeResults): HostTool {
  return {
    ...SCHEMA,
    unavailable: () => (results.hasSome ? undefined : NOTHING_TO_READ),
    execute: async (input, { signal }) => {
      const asked = input as Asked
      const found = await settle(results.load(asked.reference), { signal })
      if (!found) throw unknownReference(asked.reference)
      const { size, offset } = placeIn(found, asked)
      const most = results.limit - FIRST_LINE
      if (asked.search !== undefined) {
        if (!isText(found)) throw invalid('The result is no text, so it cannot be searched.')
        const { search } = asked
        return searchText(found.bytes, { search, offset, most, signal })
      }
      if (asked.offset === undefined && isShownWhole(found)) return imageOf(found)
      return partOf(found, { offset, length: asked.length ?? size, most })
    },
  }
}

function placeIn({ bytes: { byteLength: size } }: StoredResult, { offset = 0 }: Asked) {
  if (offset < size || offset === 0) return { size, offset }
  throw invalid(`The result has ${size} bytes, so "offset" must be less than ${size}.`)
}

interface Part {
  readonly offset: number
  readonly length: number
  readonly most: number
}

function partOf(result: StoredResult, { offset, length, most }: Part): string {
  const { bytes } = result
  if (!isText(result)) {
    const to = Math.min(bytes.byteLength, offset + Math.min(length, Math.floor(most * BASE64)))
    const encoded = Buffer.from(bytes.subarray(offset, to)).toString('base64')
    return `${firstLine(bytes, offset, to)} As base64:\n${encoded}`
  }
  const from = boundaryBefore(bytes, offset)
  const end = boundaryBefore(bytes, from + Math.min(length, most))
  // A character is never cut, even if it has more bytes than were asked for.
  const to = end > from ? end : boundaryAfter(bytes, from + 1)
  return `${firstLine(bytes, from, to)}\n${textIn(bytes, from, to)}`
}

function firstLine({ byteLength: size }: Uint8Array, from: number, to: number): string {
  const next = to < size ? ` Read on at offset ${to}.` : ' This is the end.'
  return `[Bytes ${from} to ${to} of ${size}.${next}]`
}

const PLAYED = /^(image|audio|video)\//

/** Whether a result is text. Bytes that are not valid UTF-8 are none, whatever they are called. */
function isText({ mediaType, bytes }: StoredResult): boolean {
  return !PLAYED.test(mediaType) && isUtf8(bytes)
}

function isShownWhole({ mediaType, bytes }: StoredResult): boolean {
  return isImage(mediaType) && bytes.byteLength <= MOST_IMAGE * BASE64
}

function imageOf({ mediaType, bytes }: StoredResult) {
  const data = Buffer.from(bytes).toString('base64')
  return [
    { type: 'text', text: `[${bytes.byteLength} bytes, ${mediaType}]` },
    { type: 'file', mediaType, data },
  ]
}

function unknownReference(reference: string): HostError {
  return invalid(
    `No result is stored as "${reference}" in this conversation. Use a reference that a result of this conversation shows, or call its tool again.`,
  )
}

/** An argument that its schema cannot rule out. */
function invalid(message: string): HostError {
  return new HostError('OPTION_INVALID', message)
}
