import type { ToolSchema } from '@braidwork/plugin'
import type { FetchState } from './settings.ts'

const READING = new Set(['GET', 'HEAD'])

/** The tool's schema for these settings. */
export function schemaOf({ methods }: FetchState): ToolSchema {
  const isReading = methods.every((method) => READING.has(method))
  const sending = isReading
    ? {}
    : {
        body: { type: 'string', description: 'Request body' },
        content_type: {
          type: 'string',
          pattern: '^[\\x20-\\x7e]{1,100}$',
          description: 'Content type of the body',
        },
      }
  const isPlain = methods.length === 1 && methods[0] === 'GET'
  return {
    name: 'fetch_page',
    description: 'Fetches a web page and shows its text.',
    input_schema: {
      type: 'object',
      properties: {
        url: {
          type: 'string',
          minLength: 1,
          maxLength: 4_000,
          description: 'URL, with https:// or http://',
        },
        ...(isPlain ? {} : { method: { type: 'string', enum: methods } }),
        ...sending,
      },
      required: ['url'],
      additionalProperties: false,
    },
    safety: {
      capabilities: ['network'],
      is_read_only: isReading,
      is_concurrency_safe: isReading,
      is_destructive: !isReading,
    },
  }
}
