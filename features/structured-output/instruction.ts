import type { Message } from '@braidwork/plugin'
import type { AskedFormat } from './response-format.ts'

/** Separates the instruction from the previous part: providers join the parts of a message without a separator. */
const GAP = '\n\n'
const ALONE = 'with nothing before or after it, not even a code fence'

/** The instruction for a model whose API cannot enforce the format. */
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

/** Appends an instruction to the first message if it is a system message, otherwise adds a system message. */
export function withInstruction(messages: readonly Message[], text: string): readonly Message[] {
  const [first, ...rest] = messages
  if (first?.role !== 'system') {
    return [{ role: 'system', parts: [{ type: 'text', text }] }, ...messages]
  }
  // The instruction is already there in later steps of a run.
  const isThere = first.parts.some((part) => part.type === 'text' && part.text.endsWith(text))
  if (isThere) return messages
  return [{ ...first, parts: [...first.parts, { type: 'text', text: `${GAP}${text}` }] }, ...rest]
}
