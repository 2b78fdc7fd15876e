import type { Message, Part, Role } from '@braidwork/plugin'
import {
  argumentsIn,
  CallNames,
  customArguments,
  type Fields,
  fileOf,
  flatName,
  JoinedMessages,
  outputOfParts,
  quoted,
} from '../index.ts'
import { contentOf, taken, textIn } from './content.ts'
import { unsealed } from './items.ts'

const ROLES = ['user', 'assistant', 'system', 'developer'] as const

/** The messages in the input, and the types of ignored items. */
export interface ResponsesInput {
  readonly messages: readonly Message[]
  readonly ignored: readonly string[]
}

/** The stored items that a request refers to. */
export interface KnownItems {
  /** The messages that each item stands for, by its id. */
  readonly messages: ReadonlyMap<string, readonly Message[]>
  /** A sentence that says why an item may be missing, and what to do. */
  readonly advice: string
}

export const NO_ITEMS: KnownItems = { messages: new Map(), advice: 'Send the item itself.' }

interface Reading {
  readonly calls: CallNames
  readonly known: KnownItems
}

/**
 * Decodes input items. Consecutive items of an assistant become one message.
 * @param isContinued whether earlier items are stored on the server
 */
export function inputOf(
  items: readonly Fields[],
  isContinued: boolean,
  known = NO_ITEMS,
): ResponsesInput {
  const calls = new CallNames(isContinued)
  const history = new JoinedMessages(['assistant', 'tool'])
  const ignored = new Set<string>()
  for (const item of items) {
    const read = messagesOf(item, { calls, known })
    if (typeof read === 'string' || (read[0]?.role ?? 'assistant') === 'assistant') item.leave()
    // Clients send items back as they were listed.
    for (const name of ['id', 'status']) item.any(name)
    if (typeof read === 'string') ignored.add(`input.${read}`)
    else for (const message of read) history.add(message)
  }
  return { messages: history.messages, ignored: [...ignored] }
}

/** Decodes an item as messages. Returns the type of an unknown item. */
function messagesOf(item: Fields, { calls, known }: Reading): readonly Message[] | string {
  const type = item.any('type') ?? (isReference(item) ? 'item_reference' : 'message')
  if (typeof type !== 'string') throw item.fault('type', `must be a string, not ${quoted(type)}`)
  switch (type) {
    case 'message':
      return [messageOf(item)]
    case 'function_call':
      return saying(callPart(item, calls, argumentsIn(item.text('arguments') ?? '')))
    case 'custom_tool_call':
      return saying(callPart(item, calls, customArguments(item.text('input') ?? '')))
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'tool', parts: [resultPart(item, calls)] }]
    case 'mcp_call':
      return hostCallIn(item, known)
    case 'reasoning':
      return saying(reasoningPart(item))
    case 'image_generation_call':
      return saying(taken(fileOf('image/png', item.need('result')), item, 'result'))
    case 'item_reference':
      return referenced(item, { calls, known })
    default:
      return /^\w{1,40}$/.test(type) ? type : 'unknown'
  }
}

/** Whether an item without a type consists of an id, as the API also allows. */
function isReference(item: Fields): boolean {
  return item.any('role') === undefined && item.any('id') !== undefined
}

function referenced(item: Fields, { calls, known }: Reading): readonly Message[] {
  const messages = known.messages.get(item.need('id'))
  if (messages === undefined) {
    const fault = `names an item that this server does not have. ${known.advice}`
    throw item.fault('id', fault.replace(/\.$/, ''))
  }
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'tool-call') calls.add(part.callId, part.name)
  }
  return messages
}

/**
 * Decodes a call that the server ran, with its result. Some clients leave the result out: then the stored item counts,
 * and without one the call is dropped.
 */
function hostCallIn(item: Fields, known: KnownItems): readonly Message[] {
  const [callId, name] = [item.need('id'), item.need('name')]
  const input = argumentsIn(item.text('arguments') ?? '')
  const error = item.any('error')
  const output = error ?? item.text('output')
  if (output === undefined) return known.messages.get(callId) ?? []
  const isError = error === undefined ? {} : { isError: true }
  return [
    { role: 'assistant', parts: [{ type: 'tool-call', callId, name, input }] },
    { role: 'tool', parts: [{ type: 'tool-result', callId, name, output, ...isError }] },
  ]
}

/** The texts of the assistant keep their phase, which goes back to OpenAI's models alone. */
function messageOf(item: Fields): Message {
  const role = roleOf(item)
  const parts = contentOf(item, 'content')
  const phase = role === 'assistant' ? item.text('phase') : undefined
  if (phase === undefined) return { role, parts }
  const content = { type: 'output_text' }
  const own = { type: 'message', role, phase }
  const isText = (part: Part) => part.type === 'text'
  const first = parts.findIndex(isText)
  const facts = (at: number) => (at === first ? { content, item: own } : { content })
  return {
    role,
    parts: parts.map((part, at) =>
      isText(part) ? { ...part, providerMetadata: { openai: facts(at) } } : part,
    ),
  }
}

function roleOf(item: Fields): Role {
  const role = item.oneOf('role', ROLES)
  if (role === undefined)
    throw item.fault('role', `is missing; it must be one of ${ROLES.join(', ')}`)
  return role === 'developer' ? 'system' : role
}

function saying(part: Part): readonly Message[] {
  return [{ role: 'assistant', parts: [part] }]
}

function callPart(item: Fields, calls: CallNames, input: unknown): Part {
  const callId = item.need('call_id')
  const name = flatName(item.text('namespace') || undefined, item.need('name'))
  calls.add(callId, name)
  return { type: 'tool-call', callId, name, input }
}

function resultPart(item: Fields, calls: CallNames): Part {
  const called = calls.answer(item, 'call_id')
  return { type: 'tool-result', ...called, output: outputOfParts(contentOf(item, 'output')) }
}

/** Restores sealed reasoning, which goes back to the provider that sealed it. */
function reasoningPart(item: Fields): Part {
  const text = textIn(item, 'summary') || textIn(item, 'content')
  const sealed = item.text('encrypted_content')
  const own = sealed === undefined ? undefined : unsealed(sealed)
  if (own === undefined) return { type: 'reasoning', text }
  const facts = { item: own, ...(text === '' ? {} : SUMMARY) }
  return { type: 'reasoning', text, providerMetadata: { openai: facts } }
}

const SUMMARY = { list: 'summary', content: { type: 'summary_text' } }
