import type { Message, Part } from '@braidwork/plugin'
import { shortened } from './shortened.ts'

/** The longest input or output of a tool in a transcript, in characters. CT-21 */
const LONGEST = 2000

/** Writes messages as lines of text, for the model that summarizes them. What a model thought is left out. */
export function transcriptOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ role, parts }) => parts.flatMap((part) => lineOf(role, part)))
}

function lineOf(role: Message['role'], part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [`[${role}] ${part.text}`]
    case 'tool-call':
      return [`[call] ${part.name}(${written(part.input)})`]
    case 'tool-result':
      return [`[${part.isError ? 'error' : 'result'}] ${part.name}: ${written(part.output)}`]
    case 'file':
      return [`[${role}] file ${part.name ?? part.url ?? ''} (${part.mediaType})`]
    case 'source':
      return part.url === undefined ? [] : [`[source] ${part.url}`]
    default:
      return []
  }
}

function written(value: unknown): string {
  return shortened(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), LONGEST)
}
