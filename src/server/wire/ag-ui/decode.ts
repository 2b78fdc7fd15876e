import { isObject, type Message, type Part, pointerOf } from '@braidwork/plugin'
import {
  type ApprovalAnswer,
  agentIn,
  defined,
  type Fields,
  fieldsOf,
  sdkSettings,
  settingsIn,
  uniqueTools,
  type WireRequest,
} from '../index.ts'
import type { KeptMessages } from './kept-messages.ts'
import { readMessages } from './messages.ts'

/** Marks a part that comes from the application and not from the user. */
const BY_APP = { 'ag-ui': { context: true } } as const

/** Whether a part comes from the application: each request brings its own. */
export function isByApp({ providerMetadata }: Part): boolean {
  return isObject(providerMetadata?.['ag-ui']) && providerMetadata['ag-ui']['context'] === true
}

/** A request of an AG-UI client. */
export interface AgUiRequest extends WireRequest {
  /** The id that the client chose for the new run. */
  readonly clientRunId: string
  /** Whether the client speaks a version of the protocol before 1.0. */
  readonly isBefore1: boolean
  /** Whether the new messages are for the run that is active in the conversation. */
  readonly steers?: boolean
  /** What the client has of the thread. */
  readonly kept: KeptMessages
}

/**
 * Decodes a `RunAgentInput`. `threadId` is the conversation. `forwardedProps` may contain `agent`, `steer`, `wholeHistory`, and
 * settings under their AI SDK names. `context` is inserted into the last user message. `resume` answers approvals.
 * @throws {HostError} REQUEST_INVALID
 */
export function decodeAgUiRequest(body: unknown): AgUiRequest {
  const fields = fieldsOf(body)
  const forwarded = settingsIn(fields.raw('forwardedProps') ?? {}, ['forwardedProps'])
  const approvals = (fields.list('resume') ?? []).map(approvalIn)
  const { messages, kept } = readMessages(fields.list('messages') ?? [])
  if (messages.length === 0 && approvals.length === 0) {
    throw fields.fault('messages', 'is empty; give at least one message')
  }
  const tools = fields.list('tools') ?? []
  // Clients say it from version 1.0 on.
  const isBefore1 = fields.any('protocolVersion') === undefined
  return {
    ...defined({ agent: agentIn(forwarded), steers: forwarded.flag('steer') }),
    ...defined({ isWhole: forwarded.flag('wholeHistory') }),
    conversationId: fields.conversationId('threadId') ?? fields.need('threadId'),
    clientRunId: fields.need('runId'),
    isBefore1,
    kept,
    messages: withContext(messages, fields.list('context') ?? []),
    settings: sdkSettings(forwarded),
    tools: uniqueTools(tools.map((tool) => ({ fields: tool, schemaField: 'parameters' }))),
    isStreaming: true,
    approvals,
    ignored: [
      ...stateIn(fields),
      ...fields.unread(),
      ...forwarded.unread().map((name) => `forwardedProps.${name}`),
    ],
  }
}

/**
 * Inserts the application's context as the first part of the last user message. It does not become a system
 * message, because the server does not let clients write those. In the user message it is stored once.
 */
function withContext(messages: readonly Message[], entries: readonly Fields[]): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[at]
  if (entries.length === 0 || asked === undefined) return messages
  const texts = entries.map(
    (entry) => `${entry.need('description')}:\n${entry.text('value') ?? ''}`,
  )
  const text = `Context from the application:\n\n${texts.join('\n\n')}`
  const part: Part = { type: 'text', text, providerMetadata: BY_APP }
  return messages.with(at, { ...asked, parts: [part, ...asked.parts] })
}

/** Clients always send a state, which is usually empty. Only other states are reported as ignored. */
function stateIn(fields: Fields): readonly string[] {
  const state = fields.any('state')
  const isEmpty = state === undefined || (isObject(state) && Object.keys(state).length === 0)
  return isEmpty ? [] : ['state']
}

/** An interrupt with the status `resolved` is not necessarily approved: the payload must say so, or have an answer. */
function approvalIn(entry: Fields): ApprovalAnswer {
  const approvalId = entry.need('interruptId')
  const pointer = pointerOf(entry.path)
  const status = entry.oneOf('status', ['resolved', 'cancelled'])
  if (status === undefined) throw entry.fault('status', 'is missing')
  if (status === 'cancelled') return { approvalId, approved: false, pointer }
  const payload = entry.object('payload')
  const value = payload?.any('answer')
  const reason = payload?.text('reason')
  if (value !== undefined)
    return { approvalId, approved: true, value, pointer: `${pointer}/payload/answer` }
  const approved = payload?.flag('approved')
  if (approved === undefined)
    throw entry.fault('payload', 'must be {"approved": true}, {"approved": false} or {"answer": …}')
  // Edited arguments, as some agents take them here, would not be those that run.
  payload?.assertRead()
  return { approvalId, approved, ...defined({ reason }), pointer }
}
