import type { Message } from '@braidwork/plugin'
import type { AskedFormat } from './response-format.ts'

/** Parts of a message are joined as they are; this keeps ours apart from what comes before it. */
const GAP = '\n\n'
const ALONE = 'with nothing before or after it, not even a code fence'

/** What a model is told whom the API does not hold to the format. */
export function instructionFor({ format, schema }: AskedFormat): string {
  if (format.type === 'json') return `A program reads your final answer: one JSON object, ${ALONE}.`
  const { name, description } = format
  const subject = [name, description].filter((text) => text !== undefined).join(': ')
  return [
    `A program reads your final answer: one JSON value that matches this JSON Schema, ${ALONE}.`,
    ...(subject === '' ? [] : [`The value is ${subject}`]),
    JSON.stringify(schema),
  ].join('\n')
}

/** Puts an instruction at the end of the first system message, or before all where the first is none. */
export function withInstruction(messages: readonly Message[], text: string): readonly Message[] {
  const [first, ...rest] = messages
  if (first?.role !== 'system') {
    return [{ role: 'system', parts: [{ type: 'text', text }] }, ...messages]
  }
  // The message passed here before.
  const isThere = first.parts.some((part) => part.type === 'text' && part.text.endsWith(text))
  if (isThere) return messages
  return [{ ...first, parts: [...first.parts, { type: 'text', text: `${GAP}${text}` }] }, ...rest]
}
