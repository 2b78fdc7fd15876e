import type { HostError, Message, Part, ToolResultPart } from '@braidwork/plugin'
import {
  type ApprovalAnswer,
  defined,
  type Fields,
  fileAt,
  quoted,
  requestInvalid,
  UNKNOWN_TYPE,
} from '../index.ts'
import { metadataIn, type ReadCall, readToolPart } from './tool-part.ts'

const ROLES = ['system', 'user', 'assistant'] as const

/** Decoded UI messages. */
export interface ReadMessages {
  readonly messages: readonly Message[]
  /** The id of the last message, if it is an assistant message. */
  readonly continues: string | undefined
  /** The answers to approvals in the last assistant message and after it. */
  readonly approvals: readonly ApprovalAnswer[]
  /** The types of ignored parts. */
  readonly ignored: readonly string[]
  /** The first part of an unknown type, in the last message of which nothing is left. */
  readonly unknown: Fields | undefined
}

/**
 * Decodes UI messages. An assistant message becomes one message per step, each followed by its tool message. The
 * first one keeps the id and the metadata. Parts of unknown types are left out: other versions of the AI SDK may have
 * them. The user's last message is refused if nothing else is in it.
 * @throws {HostError} REQUEST_INVALID
 */
export function readUiMessages(list: readonly Fields[]): ReadMessages {
  const ignored = new Set<string>()
  const read = list.map((fields) => readMessage(fields, ignored))
  // Only the last answer and later messages can contain new approvals. Those in earlier messages were handled before.
  const lastAnswer = read.findLastIndex(({ isAnswer }) => isAnswer)
  const last = read.at(-1)
  if (last?.unknown && !last.isAnswer) throw unknownPart(last.unknown)
  return {
    messages: read.flatMap(({ messages }) => messages),
    continues: lastAnswer === read.length - 1 ? last?.messages[0]?.id : undefined,
    approvals: read.slice(Math.max(lastAnswer, 0)).flatMap(({ approvals }) => approvals),
    ignored: [...ignored],
    unknown: read.findLast(({ unknown }) => unknown)?.unknown,
  }
}

/** The fault of a part whose type is unknown. */
export function unknownPart(part: Fields): HostError {
  const type = quoted(part.need('type'))
  return part.fault('type', `must be the type of a part, such as text or file, not ${type}`)
}

interface ReadMessage {
  readonly messages: readonly Message[]
  readonly approvals: readonly ApprovalAnswer[]
  readonly isAnswer: boolean
  /** Its first part of an unknown type, if nothing else is in it. */
  readonly unknown: Fields | undefined
}

function readMessage(fields: Fields, ignored: Set<string>): ReadMessage {
  const role = fields.oneOf('role', ROLES)
  if (role === undefined)
    throw fields.fault('role', `is missing; it must be one of ${ROLES.join(', ')}`)
  const parts = fields.list('parts')
  if (parts === undefined) throw fields.fault('parts', 'is missing; give the parts of the message')
  const steps = new Steps(role)
  const unknown = parts.filter((part) => !readPart(part, part.need('type'), steps))
  for (const part of unknown) ignored.add(`parts.${part.need('type').slice(0, 80)}`)
  const { retry: _, ...metadata } = fields.raw('metadata') ?? {}
  const told = Object.keys(metadata).length > 0 ? { metadata } : {}
  const [first, ...rest] = steps.messages()
  const id = fields.text('id')
  const named = first && { ...defined({ id: id === '' ? undefined : id }), ...first, ...told }
  const messages = named ? [named, ...rest] : []
  const { approvals } = steps
  const isEmpty = messages.length + approvals.length === 0
  const isAnswer = role === 'assistant'
  return { messages, approvals, isAnswer, unknown: isEmpty ? unknown[0] : undefined }
}

/** Collects the parts of one UI message, step by step. */
class Steps {
  readonly approvals: ApprovalAnswer[] = []
  readonly #role: (typeof ROLES)[number]
  readonly #messages: Message[] = []
  #parts: Part[] = []
  #results: ToolResultPart[] = []

  constructor(role: (typeof ROLES)[number]) {
    this.#role = role
  }

  get isAssistant(): boolean {
    return this.#role === 'assistant'
  }

  add(part: Part): void {
    this.#parts.push(part)
  }

  addCall({ call, result, approval }: ReadCall): void {
    this.#parts.push(call)
    if (result?.providerExecuted) this.#parts.push(result)
    else if (result) this.#results.push(result)
    if (approval) this.approvals.push(approval)
  }

  endStep(): void {
    if (this.#parts.length > 0) this.#messages.push({ role: this.#role, parts: this.#parts })
    if (this.#results.length > 0) this.#messages.push({ role: 'tool', parts: this.#results })
    this.#parts = []
    this.#results = []
  }

  messages(): readonly Message[] {
    this.endStep()
    return this.#messages
  }
}

/** The server's own parts. The answer to a question is the output of its call. */
const OWN_PARTS: ReadonlySet<string> = new Set(['data-question', 'data-steering'])

/** @returns whether the type of the part is known */
function readPart(part: Fields, type: string, steps: Steps): boolean {
  if (type === 'dynamic-tool' || type.startsWith('tool-')) {
    if (!steps.isAssistant) throw part.fault('type', 'is allowed in assistant messages only')
    const call = readToolPart(part, type)
    if (call) steps.addCall(call)
  } else if (type === 'step-start') {
    steps.endStep()
  } else if (type === 'data-approval') {
    readApproval(part, steps)
  } else if (OWN_PARTS.has(type)) {
    return true
  } else if (type.startsWith('data-') && type.length > 5) {
    steps.add({ type: 'data', name: type.slice(5), data: part.any('data') ?? null })
  } else {
    const plain = readPlainPart(part, type)
    if (plain === undefined) return false
    steps.add(plain)
  }
  return true
}

function readPlainPart(part: Fields, type: string): Part | undefined {
  switch (type) {
    case 'text':
    case 'reasoning':
      return { type, text: textIn(part), ...metadataIn(part) }
    case 'file':
    case 'reasoning-file':
      return filePart(part)
    case 'source-url': {
      const facts = { url: part.need('url'), title: part.text('title') }
      return { type: 'source', ...defined(facts), ...metadataIn(part) }
    }
    case 'source-document': {
      const facts = { title: part.text('title'), mediaType: part.text('mediaType') }
      const named = { ...facts, filename: part.text('filename') }
      return { type: 'source', ...defined(named), ...metadataIn(part) }
    }
    default:
      return undefined
  }
}

/** Reads a text, which may be empty. */
function textIn(part: Fields): string {
  const text = part.text('text')
  if (text === undefined) throw part.fault('text', 'is missing')
  return text
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+*-]+$/

function filePart(part: Fields): Part {
  // A browser gives no media type to a file such as a Makefile.
  const isUntyped = part.text('mediaType') === ''
  const mediaType = isUntyped ? UNKNOWN_TYPE : part.need('mediaType')
  if (!MEDIA_TYPE.test(mediaType))
    throw part.fault('mediaType', 'must be a media type such as image/png')
  const given = fileAt(part.need('url'))
  if ('fault' in given) throw requestInvalid([...part.path, 'url'], `"url" ${given.fault}.`)
  const name = part.text('filename')
  const typed =
    isUntyped && given.file.data !== undefined ? given.file : { ...given.file, mediaType }
  return { ...typed, ...defined({ name }), ...metadataIn(part) }
}

/** Reads an answer to an approval from a data part of a user message, for SDK versions without approvals. */
function readApproval(part: Fields, steps: Steps): void {
  if (steps.isAssistant) return
  const data = part.object('data')
  if (data === undefined) throw part.fault('data', 'is missing')
  const approved = data.flag('approved')
  if (approved === undefined) throw data.fault('approved', 'is missing; it must be true or false')
  const answer = { approvalId: data.need('approvalId'), approved }
  steps.approvals.push({ ...answer, ...defined({ reason: data.text('reason') }) })
}
