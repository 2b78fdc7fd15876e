import { HostError } from '../errors.ts'
import { findJsonFault, frozenCopy, isObject, type JsonObject, pointerOf } from './json.ts'
import { type Message, type Part, ROLES, type Role } from './messages.ts'

/**
 * Checks the messages of a request and returns them.
 * @throws {HostError} MESSAGES_INVALID with a pointer to the fault: an unknown role or part type, a missing field,
 * or an empty list
 */
export function toMessages(input: unknown): readonly Message[] {
  if (typeof input === 'string') return fromText(input)
  if (!Array.isArray(input)) throw invalid([], 'messages must be a string or an array of messages')
  if (input.length === 0) throw invalid([], 'there is no message; give at least one')
  return sealed.has(input) ? (input as readonly Message[]) : checkAll(input)
}

/** The checked, frozen lists of each {@link SealedMessages}, and whether their calls and results are known as pairs. */
const sealed = new WeakMap<object, boolean>()

/**
 * Messages for requests that repeat them. Each message is checked and copied once. The copies are frozen with
 * everything in them, so that no plugin can change them, and `toMessages` does not check the list again.
 */
export class SealedMessages {
  #all: readonly Message[] = Object.freeze([])
  /** The calls that have no result yet. Absent once a result has no call. */
  #open: OpenCalls | undefined = new Map()

  get length(): number {
    return this.#all.length
  }

  /** Returns the list with more messages. @throws {HostError} MESSAGES_INVALID */
  with(more: readonly unknown[]): readonly Message[] {
    const copies = more.map((message, index) => checkedCopy(message, this.length + index))
    this.#all = Object.freeze([...this.#all, ...copies])
    this.#checkPairs(copies)
    sealed.set(this.#all, this.#open?.size === 0)
    return this.#all
  }

  /** Goes on with the check of {@link checkPairs}, which gives the reason if it fails. */
  #checkPairs(more: readonly Message[]): void {
    const open = this.#open
    try {
      if (open) addPairs(more, open)
    } catch {
      this.#open = undefined
    }
  }
}

function checkAll(messages: readonly unknown[], from = 0): readonly Message[] {
  for (const [index, message] of messages.entries()) checkMessage(message, from + index)
  return messages as readonly Message[]
}

function fromText(text: string): readonly Message[] {
  if (text.trim() === '') throw invalid([], 'the message is empty')
  return [{ role: 'user', parts: [{ type: 'text', text }] }]
}

/** Only the copy counts: a getter may answer otherwise each time that it is read. */
function checkedCopy(message: unknown, index: number): Message {
  try {
    return checkMessage(frozenCopy(message), index, true)
  } catch (error) {
    checkMessage(message, index)
    throw error
  }
}

function checkMessage(message: unknown, index: number, isJson = false): Message {
  const fault = isJson ? undefined : findJsonFault(message)
  if (fault) throw invalid([index], fault.reason, fault.pointer)
  if (!isObject(message)) throw invalid([index], 'a message must be an object {role, parts}')
  const { role, parts } = message
  if (!ROLES.includes(role as Role)) {
    throw invalid([index, 'role'], `unknown role ${show(role)}; roles are ${ROLES.join(', ')}`)
  }
  if (!Array.isArray(parts)) throw invalid([index, 'parts'], NO_PARTS)
  for (const [at, part] of parts.entries()) checkPart(part, [index, 'parts', at])
  return message as unknown as Message
}

const NO_PARTS =
  '"parts" must be an array of parts, such as [{ type: "text", text: "Hello" }]; a message has no "content"'

type Fields = readonly (readonly [field: string, type: 'string' | 'any'])[]

const CALL: Fields = [
  ['callId', 'string'],
  ['name', 'string'],
]

const PART_FIELDS: { readonly [T in Part['type']]: Fields } = {
  text: [['text', 'string']],
  reasoning: [['text', 'string']],
  file: [['mediaType', 'string']],
  'tool-call': [...CALL, ['input', 'any']],
  'tool-result': [...CALL, ['output', 'any']],
  source: [],
  data: [
    ['name', 'string'],
    ['data', 'any'],
  ],
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

function checkFields(part: JsonObject, fields: Fields, path: Path): void {
  for (const [field, type] of fields) {
    const value = part[field]
    const right = type === 'any' ? value !== undefined : typeof value === 'string'
    const fault = `part is missing${type === 'any' ? '' : ' or is no string'}`
    if (!right) throw invalid([...path, field], `"${field}" of a ${show(part['type'])} ${fault}`)
  }
}

/**
 * Checks that each tool result answers an earlier call, and that each call that the host ran has a result.
 * @throws {HostError} MESSAGES_INVALID, with a pointer to the call or to the result
 */
export function checkPairs(messages: readonly Message[]): void {
  if (sealed.get(messages)) return
  const open: OpenCalls = new Map()
  addPairs(messages, open)
  for (const [callId, path] of open) {
    throw unpaired(
      path,
      `call ${show(callId)} has no result; add a tool message with its tool-result`,
    )
  }
}

/** The paths of the calls that have no result yet, by their id. */
type OpenCalls = Map<string, Path>

function addPairs(messages: readonly Message[], open: OpenCalls): void {
  for (const [index, { parts }] of messages.entries()) {
    for (const [at, part] of parts.entries()) checkPair(part, [index, 'parts', at], open)
  }
}

/** Opens or closes the call of a part. */
function checkPair(part: Part, path: Path, open: OpenCalls): void {
  if ((part.type !== 'tool-call' && part.type !== 'tool-result') || part.providerExecuted) return
  const { type, callId } = part
  if (type === 'tool-result') {
    if (open.delete(callId)) return
    throw unpaired(path, `the result of call ${show(callId)} has no open call before it`)
  }
  if (open.has(callId)) {
    throw unpaired(path, `call ${show(callId)} was made before and has no result yet`)
  }
  open.set(callId, path)
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

/** Calls are named by their ids, which a client of a server knows, unlike places in the messages that it makes. */
function unpaired(path: Path, message: string): HostError {
  return new HostError('MESSAGES_INVALID', message, { pointer: pointerOf(path) })
}

function invalid(path: Path, reason: string, below = ''): HostError {
  const pointer = `${pointerOf(path)}${below}`
  const message = pointer === '' ? reason : `The messages are not valid at ${pointer}: ${reason}`
  return new HostError('MESSAGES_INVALID', message, { pointer })
}
