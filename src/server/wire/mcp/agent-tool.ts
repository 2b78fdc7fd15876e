import type { JsonObject } from '@braidwork/plugin'
import { defined, Fields, type ListedModel, requestInvalid, type WireRequest } from '../index.ts'

/** A tool as MCP lists it. */
export interface McpTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly outputSchema?: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly annotations?: JsonObject
}

const INPUT = {
  type: 'object',
  properties: {
    message: { type: 'string', minLength: 1, description: 'What the agent is told or asked.' },
    conversation: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description:
        'The id of a conversation to go on with, or a new one of your choice, such as a UUID. Without it, the agent knows nothing of earlier calls.',
    },
  },
  required: ['message'],
  additionalProperties: false,
} as const

/** A published agent as a tool. */
export function agentTool({ name: id, title, description }: ListedModel, name: string): McpTool {
  return {
    name,
    ...defined({ title }),
    description: description ?? `Asks the agent "${title ?? id}", which answers with a text.`,
    inputSchema: INPUT,
  }
}

/**
 * Decodes the arguments of a call of an agent.
 * @throws {HostError} REQUEST_INVALID
 */
export function decodeMcpArguments(given: unknown): WireRequest {
  const fields = new Fields(given ?? {}, [])
  const text = fields.need('message')
  const conversationId = fields.conversationId('conversation')
  const [unknown] = fields.unread()
  if (unknown !== undefined) {
    const message = `The tool has no argument "${unknown}". Give "message" and, to go on with a conversation, "conversation".`
    throw requestInvalid([unknown], message)
  }
  return {
    ...defined({ conversationId }),
    messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    settings: {},
    tools: [],
    approvals: [],
    isStreaming: false,
    ignored: [],
  }
}
