import { HostError } from '../errors.ts'
import { findJsonFault, isObject, type JsonObject, pointerOf } from './json.ts'
import type { Usage } from './usage.ts'

export const ROLES = ['system', 'user', 'assistant', 'tool'] as const
export type Role = (typeof ROLES)[number]

/** Metadata of a part, keyed by provider. A provider reads only its own and gets it back unchanged. */
interface WithProviderMetadata {
  readonly providerMetadata?: { readonly [provider: string]: unknown }
}

export interface TextPart extends WithProviderMetadata {
  readonly type: 'text'
  readonly text: string
}

export interface ReasoningPart extends WithProviderMetadata {
  readonly type: 'reasoning'
  readonly text: string
}

/** A file. It has its content as base64 in `data`, or its address in `url`. */
export interface FilePart extends WithProviderMetadata {
  readonly type: 'file'
  readonly mediaType: string
  readonly data?: string
  readonly url?: string
  readonly name?: string
}

/** A tool call. `input` is a string if the model's arguments are not valid JSON. */
export interface ToolCallPart extends WithProviderMetadata {
  readonly type: 'tool-call'
  readonly callId: string
  readonly name: string
  readonly input: unknown
  /** The provider ran the call itself, and the message holds the result too. */
  readonly providerExecuted?: boolean
}

export interface ToolResultPart extends WithProviderMetadata {
  readonly type: 'tool-result'
  readonly callId: string
  readonly name: string
  readonly output: unknown
  readonly isError?: boolean
  readonly providerExecuted?: boolean
}

export interface SourcePart extends WithProviderMetadata {
  readonly type: 'source'
  readonly url?: string
  readonly title?: string
  readonly [key: string]: unknown
}

export interface DataPart extends WithProviderMetadata {
  readonly type: 'data'
  readonly name: string
  readonly data: unknown
}

export type Part =
  | TextPart
  | ReasoningPart
  | FilePart
  | ToolCallPart
  | ToolResultPart
  | SourcePart
  | DataPart

/** Why an answer ended. */
export const FINISH_REASONS = [
  'stop',
  'length',
  'tool-calls',
  'content-filter',
  'error',
  'other',
] as const
export type FinishReason = (typeof FINISH_REASONS)[number]

/** The metadata of a message that the host reads. Plugins may add other keys. */
export interface MessageMetadata {
  readonly finishReason?: FinishReason
  readonly usage?: Usage
  /** Asks `run` for one more step, with `message` as an additional user message. */
  readonly retry?: { readonly message: string; readonly code: string }
  readonly [key: string]: unknown
}

/** A core message: the host's message format, which is the same for all providers. */
export interface Message {
  readonly id?: string
  readonly role: Role
  readonly parts: readonly Part[]
  readonly metadata?: MessageMetadata
}

/** The messages of a request. A string stands for one user message with one text part. */
export type MessagesInput = string | readonly Message[]

/** Whether a value has the outer shape of a message: a known role, and parts that are objects. */
export function isMessage(value: unknown): value is Message {
  if (!isObject(value) || !Array.isArray(value['parts'])) return false
  return ROLES.some((role) => role === value['role']) && value['parts'].every(isObject)
}

/** The text of a message: its text parts, joined. */
export function textOf(message: Message): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/**
 * Checks the messages of a request and returns them.
 * @throws {HostError} MESSAGES_INVALID with a pointer to the fault: an unknown role or part type, a missing field,
 * or an empty list
 */
export function toMessages(input: unknown): readonly Message[] {
  if (typeof input === 'string') return fromText(input)
  if (!Array.isArray(input)) throw invalid([], 'messages must be a string or an array of messages')
  if (input.length === 0) throw invalid([], 'there is no message; give at least one')
  const fault = findJsonFault(input)
  if (fault) throw invalid([], fault.reason, fault.pointer)
  input.forEach(checkMessage)
  return input
}

function fromText(text: string): readonly Message[] {
  if (text.trim() === '') throw invalid([], 'the message is empty')
  return [{ role: 'user', parts: [{ type: 'text', text }] }]
}

function checkMessage(message: unknown, index: number): void {
  if (!isObject(message)) throw invalid([index], 'a message must be an object {role, parts}')
  if (!ROLES.includes(message['role'] as Role)) {
    throw invalid(
      [index, 'role'],
      `unknown role ${show(message['role'])}; roles are ${ROLES.join(', ')}`,
    )
  }
  if (!Array.isArray(message['parts']))
    throw invalid([index, 'parts'], '"parts" must be an array of parts')
  for (const [at, part] of message['parts'].entries()) checkPart(part, [index, 'parts', at])
}

type FieldTypes = { readonly [field: string]: 'string' | 'any' }

const PART_FIELDS: { readonly [T in Part['type']]: FieldTypes } = {
  text: { text: 'string' },
  reasoning: { text: 'string' },
  file: { mediaType: 'string' },
  'tool-call': { callId: 'string', name: 'string', input: 'any' },
  'tool-result': { callId: 'string', name: 'string', output: 'any' },
  source: {},
  data: { name: 'string', data: 'any' },
}

type Path = readonly (string | number)[]

function checkPart(part: unknown, path: Path): void {
  if (!isObject(part)) throw invalid(path, 'a part must be an object with a "type"')
  const type = String(part['type'])
  if (!Object.hasOwn(PART_FIELDS, type)) {
    const known = Object.keys(PART_FIELDS).join(', ')
    throw invalid([...path, 'type'], `unknown part ${show(part['type'])}; parts are ${known}`)
  }
  checkFields(part, PART_FIELDS[type as Part['type']], path)
  if (type === 'file' && typeof part['data'] !== 'string' && typeof part['url'] !== 'string') {
    throw invalid(path, 'a file part needs "data" (base64) or "url"')
  }
}

function checkFields(part: JsonObject, fields: FieldTypes, path: Path): void {
  for (const [field, type] of Object.entries(fields)) {
    const value = part[field]
    const right = type === 'any' ? value !== undefined : typeof value === 'string'
    if (!right)
      throw invalid(
        [...path, field],
        `"${field}" of a ${show(part['type'])} part is missing or is not a ${type}`,
      )
  }
}

/**
 * Checks that each tool result answers an earlier call, and that each call that the host ran has a result.
 * @throws {HostError} MESSAGES_INVALID, with a pointer to the call or to the result
 */
export function checkPairs(messages: readonly Message[]): void {
  const open = new Map<string, Path>()
  const parts = messages.flatMap((message, index) =>
    message.parts.map((part, at) => ({ part, path: [index, 'parts', at] })),
  )
  for (const { part, path } of parts) {
    if (part.type === 'tool-call' && !part.providerExecuted) {
      if (open.has(part.callId)) {
        throw invalid(path, `call ${show(part.callId)} was made before and has no result yet`)
      }
      open.set(part.callId, path)
    }
    if (part.type !== 'tool-result' || part.providerExecuted) continue
    if (!open.delete(part.callId)) {
      throw invalid(path, `the result of call ${show(part.callId)} has no open call before it`)
    }
  }
  for (const [callId, path] of open) {
    throw invalid(
      path,
      `call ${show(callId)} has no result; add a tool message with its tool-result`,
    )
  }
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

function invalid(path: Path, message: string, below = ''): HostError {
  return new HostError('MESSAGES_INVALID', message, { pointer: `${pointerOf(path)}${below}` })
}
