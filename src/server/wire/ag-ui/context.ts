import type { Message, Part } from '@braidwork/plugin'
import type { Fields } from '../index.ts'

/** Marks a part that comes from the application and not from the user. */
const BY_APP = { 'ag-ui': { context: true } } as const

/**
 * Inserts the application's context as the first part of the last user message. It does not become a system
 * message, because the server does not let clients write those. In the user message it is stored once.
 */
export function withContext(
  messages: readonly Message[],
  entries: readonly Fields[],
): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[at]
  if (entries.length === 0 || asked === undefined) return messages
  const texts = entries.map(
    (entry) => `${entry.need('description')}:\n${entry.text('value') ?? ''}`,
  )
  const text = `Context from the application:\n\n${texts.join('\n\n')}`
  const part: Part = { type: 'text', text, providerMetadata: BY_APP }
  return messages.with(at, { ...asked, parts: [part, ...asked.parts] })
}
