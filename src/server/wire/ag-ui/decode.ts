import { isObject } from '@braidwork/plugin'
import {
  type ApprovalAnswer,
  defined,
  type Fields,
  fieldsOf,
  sdkSettings,
  settingsIn,
  uniqueTools,
  type WireRequest,
} from '../index.ts'
import { withContext } from './context.ts'
import { readMessages } from './messages.ts'

/** A request of an AG-UI client. */
export interface AgUiRequest extends WireRequest {
  /** The id that the client gave the run that is to come. */
  readonly clientRunId: string
}

/**
 * A `RunAgentInput`. `threadId` is the conversation; of `forwardedProps`, `model` and settings by the names of
 * the AI SDK are read; `context` stands before the last message of the user; `resume` answers approvals.
 * @throws {HostError} REQUEST_INVALID
 */
export function decodeAgUiRequest(body: unknown): AgUiRequest {
  const fields = fieldsOf(body)
  const forwarded = settingsIn(fields.raw('forwardedProps') ?? {}, ['forwardedProps'])
  const approvals = (fields.list('resume') ?? []).map(approvalIn)
  const messages = readMessages(fields.list('messages') ?? [])
  if (messages.length === 0 && approvals.length === 0) {
    throw fields.fault('messages', 'has nothing to answer; give at least one message')
  }
  const tools = fields.list('tools') ?? []
  // It asks for nothing that is not done anyway.
  fields.any('protocolVersion')
  return {
    ...defined({ model: forwarded.text('model') }),
    conversationId: fields.conversationId('threadId') ?? fields.need('threadId'),
    clientRunId: fields.need('runId'),
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

/** Clients send a state always, and mostly an empty one. */
function stateIn(fields: Fields): readonly string[] {
  const state = fields.any('state')
  const isEmpty = state === undefined || (isObject(state) && Object.keys(state).length === 0)
  return isEmpty ? [] : ['state']
}

/** Resolved is not approved: the payload says so, or nobody did. */
function approvalIn(entry: Fields): ApprovalAnswer {
  const approvalId = entry.need('interruptId')
  const status = entry.oneOf('status', ['resolved', 'cancelled'])
  if (status === undefined) throw entry.fault('status', 'is missing')
  if (status === 'cancelled') return { approvalId, approved: false }
  const payload = entry.object('payload')
  const approved = payload?.flag('approved')
  if (approved === undefined) throw entry.fault('payload', 'is {"approved": true or false}')
  return { approvalId, approved, ...defined({ reason: payload?.text('reason') }) }
}
