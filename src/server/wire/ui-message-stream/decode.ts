import type { ToolSchema } from '@braidwork/plugin'
import {
  agentIn,
  clientTool,
  defined,
  Fields,
  fieldsOf,
  sdkSettings,
  type WireRequest,
} from '../index.ts'
import { readUiMessages, unknownPart } from './ui-messages.ts'

/** A request of a chat UI. */
export interface UiRequest extends WireRequest {
  /**
   * The id of the message that the response continues, if the request brings results or approvals for it. The run
   * must use it as its `messageId`; otherwise the client shows the rest as a separate message.
   */
  readonly continues?: string
}

const TRIGGERS = ['submit-message', 'regenerate-message'] as const

/**
 * Decodes a request of `DefaultChatTransport`. The app can add fields in `body`: `agent`, settings under their AI
 * SDK names, `tools` as JSON Schemas by name, `existing` for a conversation that must exist, and `wholeHistory`. For a
 * transport that sends only the last message, the field is `message`.
 * @throws {HostError} REQUEST_INVALID
 */
export function decodeUiRequest(body: unknown): UiRequest {
  const fields = fieldsOf(body)
  const trigger = fields.oneOf('trigger', TRIGGERS)
  const messageId = fields.text('messageId')
  const { messages, continues, approvals, ignored, unknown } = readUiMessages(messagesIn(fields))
  if (messages.length === 0 && approvals.length === 0) {
    if (unknown) throw unknownPart(unknown)
    throw fields.fault('messages', 'is empty; give at least one message')
  }
  return {
    ...defined({ agent: agentIn(fields), conversationId: fields.conversationId('id') }),
    ...defined({ mustExist: fields.flag('existing'), isWhole: fields.flag('wholeHistory') }),
    ...(trigger === 'regenerate-message' ? {} : defined({ continues })),
    messages,
    settings: sdkSettings(fields),
    tools: toolsOf(fields),
    isStreaming: true,
    ...(trigger === 'regenerate-message' ? { regenerate: defined({ messageId }) } : {}),
    approvals,
    ignored: [...fields.unread(), ...ignored],
  }
}

function messagesIn(fields: Fields): readonly Fields[] {
  const one = fields.object('message')
  const messages = fields.list('messages') ?? (one ? [one] : undefined)
  if (messages === undefined) throw fields.fault('messages', 'is missing; give the messages')
  return messages
}

/** Reads tools by name, each with the schema of its arguments in `parameters`. */
function toolsOf(fields: Fields): readonly ToolSchema[] {
  const tools = fields.object('tools')
  return Object.keys(fields.raw('tools') ?? {}).map((name) => {
    const spelled = { ...tools?.raw(name), name }
    const path = [...fields.path, 'tools', name]
    return clientTool({ fields: new Fields(spelled, path), schemaField: 'parameters' })
  })
}
