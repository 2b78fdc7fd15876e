import type { Part } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { asJson } from './as-json.ts'
import type { FileData, OutputItem, ToolOutputInput } from './call-types.ts'
import { UnsupportedContentError } from './errors.ts'
import { fileOf } from './files.ts'

/** What a tool of the AI SDK gave, as output of a tool result. */
export interface ToolOutputValue {
  readonly output: unknown
  readonly isError?: true
}

/**
 * Converts the output of a tool. One that is no JSON becomes an error, for the tool has run and its run goes on.
 * @throws {UnsupportedContentError} for a file that is uploaded to another provider
 */
export function outputOf(given: ToolOutputInput): ToolOutputValue {
  switch (given.type) {
    case 'text':
    case 'json':
      return resultOf(given.value)
    case 'error-text':
    case 'error-json':
      return { ...resultOf(given.value), isError: true }
    case 'execution-denied':
      return { output: given.reason ?? 'The call was refused.', isError: true }
    case 'content':
      return { output: given.value.map(itemOf) }
  }
}

function resultOf(value: unknown): ToolOutputValue {
  try {
    return { output: asJson(value) }
  } catch (error) {
    const output = `The tool has run, but its output is not JSON: ${messageOf(error)}`
    return { output, isError: true }
  }
}

function itemOf(item: OutputItem): Part {
  const { type, text, filename, providerOptions } = item
  if (type === 'text') return { type: 'text', text: text ?? '' }
  const data = dataOf(item)
  if (data === undefined) {
    throw new UnsupportedContentError(`an item of the type "${type}" in the output of a tool`)
  }
  const isImage = type.startsWith('image-')
  const mediaType = item.mediaType ?? (isImage ? 'image/*' : 'application/octet-stream')
  return fileOf({ type: 'file', data, mediaType, filename, providerOptions })
}

/** The versions before 7 call a file by where it is: `media`, `file-data`, `file-url`, `image-data`, `image-url`. */
function dataOf({ data, url }: OutputItem): FileData | undefined {
  return data ?? (url === undefined ? undefined : new URL(url))
}
