import { isObject, type JsonObject } from '@braidwork/plugin'
import { objectsIn, textIn } from '../json.ts'

/** The names that servers give to the reasoning field. */
const REASONING = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'] as const

/** Some servers put the reasoning into `content`, as an item of a list. */
export const IN_CONTENT = 'content'

/** The reasoning text of a message or a delta, and the field that contains it. */
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

/** The fields beside the text of reasoning in `content`: whether it has ended, and its signature. */
export function thinkingFacts(message: JsonObject): JsonObject {
  const facts = thinkingIn(message).flatMap((part) => Object.entries(part))
  const told = facts.filter(
    ([key, value]) => key !== 'type' && key !== 'thinking' && value !== null,
  )
  return Object.fromEntries(told)
}

/** The text of a message or a delta: a string, or a list of text parts. */
export function contentIn(content: unknown): string | undefined {
  return textIn(textsOf(content))
}

function textsOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  const texts = content.map((part) => (isObject(part) ? part['text'] : part))
  return texts.filter((text) => typeof text === 'string').join('')
}

/** The tool calls of a message or a delta. The deprecated form has a single call in another field. */
export function callsIn(message: JsonObject): readonly JsonObject[] {
  const { tool_calls: calls, function_call: called } = message
  const list = isObject(calls) ? [calls] : objectsIn(calls)
  return list.length === 0 && isObject(called) ? [{ function: called }] : list
}

/** The usage, from any of the fields in which servers put it. */
export function usageIn({ usage, x_groq: own, choices }: JsonObject): unknown {
  if (isTold(usage)) return usage
  if (isObject(own) && isTold(own['usage'])) return own['usage']
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  return isObject(choice) && isTold(choice['usage']) ? choice['usage'] : undefined
}

/** Whether usage contains anything: some servers send an empty object. */
function isTold(usage: unknown): boolean {
  return isObject(usage) && Object.keys(usage).length > 0
}

/** The first choice of a list. Others are ignored. */
export function firstChoice(choices: unknown): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined
  const [only] = choices
  if (choices.length === 1) return isFirst(only) ? only : undefined
  return choices.find(isFirst)
}

function isFirst(choice: unknown): choice is JsonObject {
  return isObject(choice) && Number(choice['index'] ?? 0) === 0
}

/** Whether a call is that of a custom tool, whose input is a text and no JSON. */
export function isCustom(call: JsonObject): boolean {
  return isObject(call['custom'])
}

/** What the model wrote for a call: the arguments of a function as text, or the input of a custom tool. */
export function writtenIn({ function: called, custom }: JsonObject): string {
  if (isObject(custom)) return textIn(custom['input']) ?? ''
  return isObject(called) ? argumentsIn(called['arguments']) : ''
}

/** The arguments of a call as text. Some servers send them as parsed JSON. */
function argumentsIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}

/** Returns the name of the called tool. If the server sent none, returns a placeholder that is the name of no tool. */
export function nameOf(call: JsonObject): string {
  return nameIn(call) ?? 'unnamed'
}

export function nameIn(call: JsonObject): string | undefined {
  const called = isCustom(call) ? call['custom'] : call['function']
  return isObject(called) ? textIn(called['name']) : undefined
}
