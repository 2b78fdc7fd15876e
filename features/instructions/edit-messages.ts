import type { Message, TextPart } from '@braidwork/plugin'

/** Parts of a message are joined as they are; this keeps ours apart from what follows. */
const GAP = '\n\n'

/** Puts instructions at the head of the first system message, or before all where there is none. */
export function withInstructions(messages: readonly Message[], text: string): readonly Message[] {
  const [first, ...rest] = messages
  if (first?.role !== 'system')
    return [{ role: 'system', parts: [{ type: 'text', text }] }, ...messages]
  if (startsWith(first, text)) return messages
  const head: TextPart = { type: 'text', text: `${text}${GAP}` }
  return [{ ...first, parts: [head, ...first.parts] }, ...rest]
}

/** Whether the message passed here before, as in the later steps of a run. */
function startsWith({ parts: [first] }: Message, text: string): boolean {
  return first?.type === 'text' && (first.text === text || first.text.startsWith(`${text}${GAP}`))
}
