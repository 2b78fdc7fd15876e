import { createHash, randomUUID } from 'node:crypto'
import type { Message as A2aMessage, Part as A2aPart } from '@a2a-js/sdk'
import type { RemoteOrder } from '@braidwork/agent'
import { isObject, type Message, type Part } from '@braidwork/plugin'

/** The member of a text's provider metadata that says where the remote agent has the conversation. */
export const MARK = 'a2a'

/** Where the remote agent has a conversation. */
export interface Mark {
  readonly contextId: string
  /** The task that waits for the next message. */
  readonly taskId?: string
  /** The message of its status, with which it asks. */
  readonly asked?: string
  /** What of its artifacts was shown, by their ids. */
  readonly shown?: { readonly [artifactId: string]: unknown }
}

/** `ROLE_USER` of the protocol. */
const USER = 1

/**
 * The context of a conversation at a remote agent. It comes from the conversation's key alone, which has the owner in it,
 * so nobody reaches the context of another, and it survives restarts.
 */
export function contextIdFor(conversationKey: string, base: string, target = ''): string {
  const hash = createHash('sha256').update(JSON.stringify([conversationKey, base, target]))
  return hash.digest('hex').slice(0, 32)
}

/**
 * Makes the message for a remote agent. What it has of the conversation is not sent again; what it does not have comes
 * before the user's message, as a text.
 * @param contextId the context of the conversation, if there is one
 */
export function messageFor(
  { messages, isAnswer }: Pick<RemoteOrder, 'messages' | 'isAnswer'>,
  contextId: string | undefined,
): A2aMessage {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const asked = messages.slice(last + 1).filter(({ role }) => role === 'user')
  const mark = markFor({ messages, isAnswer }, contextId)
  const before = mark ? '' : transcriptOf(messages.filter((one) => !asked.includes(one)))
  return {
    messageId: randomUUID(),
    contextId: mark?.contextId ?? contextId ?? '',
    taskId: mark?.taskId ?? '',
    role: USER,
    parts: [...(before === '' ? [] : [textPart(before)]), ...asked.flatMap(partsOf)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
}

/**
 * Where the remote agent has what was said before the user's message. Undefined if it does not have it.
 * @param contextId the context of the conversation, if there is one
 */
export function markFor(
  { messages, isAnswer = false }: Pick<RemoteOrder, 'messages' | 'isAnswer'>,
  contextId: string | undefined,
): Mark | undefined {
  const mark = markIn(messages.findLast(({ role }) => role === 'assistant'))
  return isAnswer || (contextId !== undefined && mark?.contextId === contextId) ? mark : undefined
}

/** The mark of an answer, in whatever text it is. */
function markIn(message: Message | undefined): Mark | undefined {
  const marks = (message?.parts ?? []).flatMap((part): Mark[] => {
    const mark = part.type === 'text' ? part.providerMetadata?.[MARK] : undefined
    return isObject(mark) && typeof mark['contextId'] === 'string' ? [mark as unknown as Mark] : []
  })
  return marks.at(-1)
}

const NAMES = { system: 'Instructions', user: 'User', assistant: 'Assistant' } as const

function transcriptOf(messages: readonly Message[]): string {
  const turns = messages.flatMap(({ role, parts }) => {
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    return role === 'tool' || text === '' ? [] : [`${NAMES[role]}: ${text}`]
  })
  if (turns.length === 0) return ''
  return `Earlier in this conversation:\n\n${turns.join('\n\n')}\n\nThe message to answer:\n\n`
}

function partsOf({ parts }: Message): readonly A2aPart[] {
  return parts.flatMap((part: Part): readonly A2aPart[] => {
    if (part.type === 'text') return [textPart(part.text)]
    if (part.type !== 'file') return []
    const { mediaType, data, url, name: filename = '' } = part
    const about = { mediaType, filename, metadata: undefined }
    if (data !== undefined) {
      return [{ content: { $case: 'raw', value: Buffer.from(data, 'base64') }, ...about }]
    }
    return url === undefined ? [] : [{ content: { $case: 'url', value: url }, ...about }]
  })
}

function textPart(value: string): A2aPart {
  return { content: { $case: 'text', value }, mediaType: '', filename: '', metadata: undefined }
}
