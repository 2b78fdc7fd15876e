import type { Message, Part } from '@braidwork/plugin'
import type { Fields } from '../index.ts'

/** Marks a part that the app said, and not the person. */
const BY_APP = { 'ag-ui': { context: true } } as const

/**
 * What an app says of the moment, as the first part of the last message of the user. No server lets its
 * clients speak as the system, and what stands in the user's own message is stored once, with it.
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
