import { isObject, type JsonObject } from '@braidwork/plugin'
import { objectsIn, textIn } from '../json.ts'

/** Names that servers give to the field with the reasoning. */
const REASONING = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'] as const

/** Some servers put the reasoning into a list in `content`. */
export const IN_CONTENT = 'content'

/** The reasoning of a message or a delta, and the field that has it. */
export function reasoningIn(message: JsonObject): { field: string; text: string } | undefined {
  for (const field of REASONING) {
    const text = textIn(message[field])
    if (text !== undefined) return { field, text }
  }
  const { content, reasoning_details: details } = message
  const inContent = Array.isArray(content) ? thoughtIn(message) : ''
  if (inContent !== '') return { field: IN_CONTENT, text: inContent }
  const text = Array.isArray(details) ? detailsIn(details) : ''
  return text === '' ? undefined : { field: 'reasoning', text }
}

function thoughtIn(message: JsonObject): string {
  return thinkingIn(message)
    .map((part) => textsOf(part['thinking']))
    .join('')
}

function detailsIn(details: readonly unknown[]): string {
  return objectsIn(details)
    .map((detail) => textIn(detail['text']) ?? textIn(detail['summary']) ?? '')
    .join('')
}

function thinkingIn({ content }: JsonObject): readonly JsonObject[] {
  return Array.isArray(content) ? objectsIn(content).filter(({ type }) => type === 'thinking') : []
}

/** What is said of the reasoning in `content` beside its text: whether it ended, its signature. */
export function thinkingFacts(message: JsonObject): JsonObject {
  const facts = thinkingIn(message).flatMap((part) => Object.entries(part))
  const told = facts.filter(
    ([key, value]) => key !== 'type' && key !== 'thinking' && value !== null,
  )
  return Object.fromEntries(told)
}

/** Text of a message or a delta: a string, or a list of text parts. */
export function contentIn(content: unknown): string | undefined {
  return textIn(textsOf(content))
}

function textsOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  const texts = content.map((part) => (isObject(part) ? part['text'] : part))
  return texts.filter((text) => typeof text === 'string').join('')
}

/** The calls of a message or a delta; an old form has one, under another name. */
export function callsIn(message: JsonObject): readonly JsonObject[] {
  const { tool_calls: calls, function_call: called } = message
  const list = isObject(calls) ? [calls] : objectsIn(calls)
  return list.length === 0 && isObject(called) ? [{ function: called }] : list
}

/** Usage where servers put it. */
export function usageIn({ usage, x_groq: own, choices }: JsonObject): unknown {
  if (isTold(usage)) return usage
  if (isObject(own) && isTold(own['usage'])) return own['usage']
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  return isObject(choice) && isTold(choice['usage']) ? choice['usage'] : undefined
}

/** Some servers send an empty object where they tell nothing. */
function isTold(usage: unknown): boolean {
  return isObject(usage) && Object.keys(usage).length > 0
}

/** The arguments of a call as text; some servers send them parsed. */
export function argumentsIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}

/** A call's name; where none ever came, one that no tool has. */
export function nameOf(call: JsonObject): string {
  return nameIn(call) ?? 'unnamed'
}

export function nameIn(call: JsonObject): string | undefined {
  return isObject(call['function']) ? textIn(call['function']['name']) : undefined
}
