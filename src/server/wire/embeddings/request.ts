import { HostError } from '@braidwork/plugin'
import { type Fields, fieldsOf, requestInvalid } from '../index.ts'

/** A request of OpenAI's Embeddings API. */
export interface EmbeddingsRequest {
  /** The name of a published model. */
  readonly agent: string
  readonly inputs: readonly (string | readonly number[])[]
  readonly dimensions?: number
  readonly isBase64: boolean
  /** The names of fields that the server accepted but ignored. */
  readonly ignored: readonly string[]
}

/** The most inputs of a request, as in OpenAI's API. */
const MOST_INPUTS = 2048
/** The most numbers in all vectors of a request that sets their length. */
const MOST_NUMBERS = 8 << 20

/**
 * Decodes the body of a POST to /v1/embeddings.
 * @throws {HostError} REQUEST_INVALID, REQUEST_TOO_LARGE, with a pointer into the body
 */
export function decodeEmbeddings(body: unknown): EmbeddingsRequest {
  const fields = fieldsOf(body)
  const agent = fields.need('model')
  const inputs = inputsIn(fields)
  const dimensions = fields.integer('dimensions', 1)
  const format = fields.oneOf('encoding_format', ['float', 'base64']) ?? 'float'
  if (inputs.length > MOST_INPUTS) {
    throw tooLarge(
      '/input',
      `"input" has ${inputs.length} items; at most ${MOST_INPUTS} are allowed.`,
    )
  }
  if (dimensions !== undefined && dimensions * inputs.length > MOST_NUMBERS) {
    const most = Math.floor(MOST_NUMBERS / inputs.length)
    throw tooLarge(
      '/dimensions',
      `"dimensions" must be at most ${most} for ${inputs.length} inputs.`,
    )
  }
  return {
    agent,
    inputs,
    ...(dimensions === undefined ? {} : { dimensions }),
    isBase64: format === 'base64',
    ignored: fields.unread(),
  }
}

/** Reads one text or list of token ids, or a list of either. */
function inputsIn(fields: Fields): readonly (string | readonly number[])[] {
  const input = fields.any('input')
  if (input === undefined) throw fields.fault('input', 'is missing; give a text or a list of texts')
  if (typeof input === 'string') return [textIn(input, ['input'])]
  if (!Array.isArray(input) || input.length === 0) {
    throw fields.fault('input', 'must be a text, a list of texts, or lists of token ids')
  }
  if (input.every(isTokenId)) return [input]
  return input.map((item: unknown, index) => {
    if (typeof item === 'string') return textIn(item, ['input', index])
    if (Array.isArray(item) && item.length > 0 && item.every(isTokenId)) return item
    throw requestInvalid(['input', index], 'Each input must be a text or a list of token ids.')
  })
}

function textIn(text: string, path: readonly (string | number)[]): string {
  if (text === '') throw requestInvalid(path, 'An input must not be empty.')
  return text
}

function isTokenId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function tooLarge(pointer: string, message: string): HostError {
  return new HostError('REQUEST_TOO_LARGE', message, { pointer })
}
