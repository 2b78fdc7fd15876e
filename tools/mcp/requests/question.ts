import { isObject, type ToolQuestion } from '@braidwork/plugin'
import { visibleCut } from '../visible.ts'
import type { Elicitation, ElicitationAnswer } from './server-questions.ts'

const LONGEST = 2_000

/** A server's question as the person is asked it. Undefined for one that the person cannot be asked here. */
export function questionOf({ message, mode = 'form', requestedSchema }: Elicitation) {
  // Only a form: a page that a server wants the person to visit is not opened for it.
  if (mode !== 'form' || typeof message !== 'string') return undefined
  const schema = isObject(requestedSchema) ? { schema: requestedSchema } : {}
  return { question: visibleCut(message, LONGEST), ...schema } satisfies ToolQuestion
}

/** A person's answer as the server gets it: with the defaults of the form where the person left a field out. */
export function elicitationAnswer(
  { value }: { readonly value?: unknown },
  { schema }: ToolQuestion,
): ElicitationAnswer {
  if (value === undefined) return { action: 'decline' }
  const given = isObject(value) ? value : { answer: value }
  return { action: 'accept', content: { ...defaultsOf(schema), ...given } as never }
}

function defaultsOf(schema: ToolQuestion['schema']): object {
  const { properties } = schema ?? {}
  if (!isObject(properties)) return {}
  const set = Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && 'default' in property ? [[name, property['default']] as const] : [],
  )
  return Object.fromEntries(set)
}
