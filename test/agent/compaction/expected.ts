import { HostError } from '../../../src/plugin/errors.ts'
import type { Message } from '../../../src/plugin/events/index.ts'

/** The ids of results whose calls are not in front of them. */
export function strayResults(messages: readonly Message[]): readonly string[] {
  const known = new Set<string>()
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type === 'tool-call') known.add(part.callId)
      return part.type === 'tool-result' && !known.has(part.callId) ? [part.callId] : []
    }),
  )
}

/** There is nothing to compact, which is no failure. */
export function ifNeedless(error: unknown): undefined {
  if (HostError.is(error) && error.code === 'COMPACTION_NEEDLESS') return undefined
  throw error
}
