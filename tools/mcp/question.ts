import { isObject, type ToolQuestion } from '@braidwork/plugin'
import type { Elicitation, ElicitationAnswer } from './elicitations.ts'
import { visibleCut } from './visible.ts'

const LONGEST = 2_000

/** A server's question as the person is asked it. Undefined for one that the person cannot be asked here. */
export function questionOf({ message, mode = 'form', requestedSchema }: Elicitation) {
  // Only a form: a page that a server wants the person to visit is not opened for it.
  if (mode !== 'form' || typeof message !== 'string') return undefined
  const schema = isObject(requestedSchema) ? { schema: requestedSchema } : {}
  return { question: visibleCut(message, LONGEST), ...schema } satisfies ToolQuestion
}

/** A person's answer as the server gets it. */
export function elicitationAnswer({ value }: { readonly value?: unknown }): ElicitationAnswer {
  if (value === undefined) return { action: 'decline' }
  const content = isObject(value) ? value : { answer: value }
  return { action: 'accept', content: content as never }
}
