import { findJsonFault, isObject, type Message, type Part } from '@braidwork/plugin'
import { CallNames, defined, type Fields } from '../index.ts'
import { contentOf } from './content.ts'
import { KeptMessages } from './kept-messages.ts'

const ROLES = ['user', 'assistant', 'tool', 'system', 'developer', 'reasoning', 'activity'] as const

/**
 * Decodes AG-UI messages. Consecutive texts, reasoning and calls of an assistant become one message, and so do
 * consecutive results. Activities are only for display and are left out. A second result of a call is left out too.
 * @throws {HostError} REQUEST_INVALID
 */
export function readMessages(list: readonly Fields[]): ReadMessages {
  const history = new History()
  for (const fields of list) history.add(fields)
  return history
}

interface ReadMessages {
  readonly messages: readonly Message[]
  /** What the client has, to be told no more than the rest of an answer. */
  readonly kept: KeptMessages
}

interface OpenMessage {
  id?: string
  readonly role: Message['role']
  readonly parts: Part[]
}

class History {
  readonly messages: OpenMessage[] = []
  readonly kept = new KeptMessages()
  readonly #calls = new CallNames()
  /** The calls whose last result is read. */
  readonly #answered = new Set<string>()
  /** The calls that a provider executed itself, with the message that contains each. */
  readonly #ranByProvider = new Map<string, OpenMessage>()

  add(fields: Fields): void {
    const role = fields.oneOf('role', ROLES)
    switch (role) {
      case undefined:
        throw fields.fault('role', `is missing; it must be one of ${ROLES.join(', ')}`)
      case 'activity':
        return
      case 'tool':
        this.#addResult(fields)
        return
      case 'assistant':
      case 'reasoning':
        this.#addAnswer(fields, role)
        return
      case 'user':
        this.messages.push(this.#open(fields, 'user', contentOf(fields)))
        return
      default:
        this.messages.push(this.#open(fields, 'system', [textOf(fields, fields.need('content'))]))
    }
  }

  #open(fields: Fields, role: Message['role'], parts: Part[]): OpenMessage {
    const id = fields.text('id')
    if (id !== undefined && role === 'user') this.kept.addText(id, '')
    return { ...defined({ id }), role, parts }
  }

  #addAnswer(fields: Fields, role: 'assistant' | 'reasoning'): void {
    const last = this.messages.at(-1)
    const open: OpenMessage = last?.role === 'assistant' ? last : { role: 'assistant', parts: [] }
    const id = fields.text('id')
    // Reasoning has its own id, so the message takes the id of the first assistant item.
    if (role === 'assistant' && id !== undefined) open.id ??= id
    const content = fields.text('content') ?? ''
    if (id !== undefined) this.kept.addText(id, content)
    if (role === 'reasoning') {
      open.parts.push({ type: 'reasoning', text: content, ...metadataIn(fields) })
    } else if (content !== '' || fields.text('encryptedValue') !== undefined) {
      open.parts.push(textOf(fields, content))
    }
    for (const call of fields.list('toolCalls') ?? []) this.#addCall(open, call)
    if (open !== last && open.parts.length > 0) this.messages.push(open)
  }

  #addCall(message: OpenMessage, call: Fields): void {
    const callId = call.need('id')
    const called = call.object('function')
    if (called === undefined) throw call.fault('function', 'is missing')
    const name = called.need('name')
    const isProviders = call.raw('metadata')?.['providerExecuted'] === true
    if (isProviders) this.#ranByProvider.set(callId, message)
    this.#calls.add(callId, name)
    this.#answered.delete(callId)
    const text = called.text('arguments') ?? ''
    const input = inputIn(text)
    this.kept.addCall(callId, text, text !== '' && input !== text)
    message.parts.push({
      type: 'tool-call',
      callId,
      name,
      input,
      ...(isProviders ? { providerExecuted: true } : {}),
      ...metadataIn(call),
    })
  }

  #addResult(fields: Fields): void {
    // Clients that were sent a result twice have kept both.
    if (this.#answered.has(fields.text('toolCallId') ?? '')) return
    const { callId, name } = this.#calls.answer(fields, 'toolCallId')
    this.#answered.add(callId)
    this.kept.addResult(callId)
    const error = fields.text('error')
    const isError = error !== undefined || fields.raw('metadata')?.['isError'] === true
    const result = {
      type: 'tool-result',
      callId,
      name,
      output: outputOf(fields) || (error ?? ''),
      ...(isError ? { isError } : {}),
      ...metadataIn(fields),
    } as const
    const caller = this.#ranByProvider.get(callId)
    if (caller) {
      caller.parts.push({ ...result, providerExecuted: true })
      return
    }
    const last = this.messages.at(-1)
    const open = last?.role === 'tool' ? last : this.#open(fields, 'tool', [])
    open.parts.push(result)
    if (open !== last) this.messages.push(open)
  }
}

function textOf(fields: Fields, text: string): Part {
  return { type: 'text', text, ...metadataIn(fields) }
}

/** Parses arguments. Invalid JSON stays the text that the model wrote. */
function inputIn(text: string): unknown {
  if (text === '') return {}
  try {
    const input: unknown = JSON.parse(text)
    return findJsonFault(input) ? text : input
  } catch {
    return text
  }
}

/**
 * Restores provider metadata that the client sends back. Values in another form come from other servers and are
 * ignored.
 */
function metadataIn(fields: Fields): Pick<Part, 'providerMetadata'> {
  const providerMetadata = inputIn(fields.text('encryptedValue') ?? '')
  const isOurs = isObject(providerMetadata) && Object.keys(providerMetadata).length > 0
  return isOurs ? { providerMetadata } : {}
}

/** Reads a result: a string, or a list of text and file parts. */
function outputOf(fields: Fields): unknown {
  const content = fields.any('content')
  return typeof content === 'string' ? content : contentOf(fields)
}
