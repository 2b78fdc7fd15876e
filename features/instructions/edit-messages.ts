import type { Message, TextPart } from '@braidwork/plugin'

/** Separates the instructions from the next part: providers join the parts of a message without a separator. */
const GAP = '\n\n'

/** Puts instructions at the start of the first message if it is a system message, otherwise adds one. */
export function withInstructions(messages: readonly Message[], text: string): readonly Message[] {
  const [first, ...rest] = messages
  if (first?.role !== 'system')
    return [{ role: 'system', parts: [{ type: 'text', text }] }, ...messages]
  if (startsWith(first, text)) return messages
  const head: TextPart = { type: 'text', text: `${text}${GAP}` }
  return [{ ...first, parts: [head, ...first.parts] }, ...rest]
}

/** Whether a message already begins with the instructions, as in later steps of a run. */
function startsWith({ parts: [first] }: Message, text: string): boolean {
  return first?.type === 'text' && (first.text === text || first.text.startsWith(`${text}${GAP}`))
}
