import { type Config, isObject, type ResponseFormat, type ToolChoice } from '@braidwork/plugin'
import {
  defined,
  effortIn,
  type Fields,
  fieldsOf,
  hostToolsIn,
  messagesIn,
  NO_MCP_SERVERS,
  quoted,
  type RequestSettings,
  samplingOf,
  schemaPlaceIn,
  toolsIn,
  uniqueTools,
  unreadBelow,
  type WireRequest,
} from '../index.ts'
import type { MessageOptions, ShownThinking } from './blocks.ts'
import { messagesOf, systemOf } from './messages.ts'
import { toolOf } from './tools.ts'

/** A request of the Messages API. */
export type AnthropicMessagesRequest = WireRequest & {
  /** The id of the agent: the name of a published model. */
  readonly agent: string
  /** The names of the tools whose arguments are streamed as the model writes them. */
  readonly eagerTools: readonly string[]
  /** How much of its thinking the answer has. */
  readonly thinking: ShownThinking
}

/**
 * The options of an answer that a request decides.
 * @param betas the header `anthropic-beta`
 */
export function messageOptionsOf(
  { eagerTools, thinking }: Pick<AnthropicMessagesRequest, 'eagerTools' | 'thinking'>,
  betas = '',
): Pick<MessageOptions, 'thinking' | 'streamsInput'> {
  const isEager = betas.includes('fine-grained-tool-streaming')
  return { thinking, streamsInput: (name) => isEager || eagerTools.includes(name) }
}

/** Values that request the default behavior. Fields with these values are not reported as ignored. */
const NEUTRAL = { service_tier: 'auto', speed: 'standard' }
/** The same for fields inside of messages and tools. */
const NEUTRAL_BELOW = { strict: false, defer_loading: false, display: 'summarized' }

/**
 * Decodes the body of a POST to /v1/messages.
 * @throws {HostError} REQUEST_INVALID, with a pointer into the body
 */
export function decodeAnthropicMessages(body: unknown): AnthropicMessagesRequest {
  const fields = fieldsOf(body)
  const agent = fields.need('model')
  if (fields.any('thread') !== undefined) {
    throw fields.fault('thread', 'is not supported by this server; send the whole history')
  }
  assertNoServers(fields)
  const given = messagesIn(fields)
  const tools = toolsIn(fields, toolOf)
  assertHasChosen(fields)
  const eager = tools.own.filter((tool) => tool.fields.flag('eager_input_streaming') ?? false)
  const thought = thinkingOf(fields)
  const request = {
    agent,
    messages: [...systemOf(fields), ...messagesOf(given)],
    settings: settingsOf(fields, thought),
    ...schemaPlaceIn(formatIn(fields)),
    tools: uniqueTools(tools.own),
    ...hostToolsIn(fields),
    isStreaming: fields.flag('stream') ?? false,
    approvals: [],
    eagerTools: eager.map((tool) => tool.fields.need('name')),
    thinking: thought.shown,
  }
  const unread = [...fields.unread(NEUTRAL), ...unreadBelow(fields, NEUTRAL_BELOW)]
  return { ...request, ignored: [...unread, ...tools.ignored] }
}

function settingsOf(fields: Fields, { effort, answer }: Thought): RequestSettings {
  const choice = fields.object('tool_choice')
  const isSingle = choice?.flag('disable_parallel_tool_use')
  return defined({
    ...samplingOf(fields),
    max_output_tokens: fields.integer('max_tokens', 1),
    stop: fields.texts('stop_sequences'),
    tool_choice: toolChoiceOf(choice),
    parallel_tool_calls: isSingle === undefined ? undefined : !isSingle,
    reasoning_effort: effort,
    answer_effort: answer,
    response_format: formatOf(fields),
    user: userOf(fields),
    top_k: topKOf(fields),
  })
}

/** Reads how many tokens the model chooses from. Clients send 0 or -1 for all of them. */
function topKOf(fields: Fields): number | undefined {
  const given = fields.integer('top_k', -1) ?? 0
  return given > 0 ? given : undefined
}

/** Reads the end user's id. */
function userOf(fields: Fields): string | undefined {
  if (!isObject(fields.any('metadata'))) return undefined
  const user = fields.object('metadata')?.any('user_id')
  return typeof user === 'string' ? user : undefined
}

/** @throws {HostError} REQUEST_INVALID if the request names MCP servers */
function assertNoServers(fields: Fields): void {
  const servers = fields.any('mcp_servers') ?? []
  if (Array.isArray(servers) && servers.length === 0) return
  throw fields.fault('mcp_servers', `has a server, and ${NO_MCP_SERVERS}`)
}

/** @throws {HostError} REQUEST_INVALID if the tool that must be called is one that the API itself would run */
function assertHasChosen(fields: Fields): void {
  const choice = fields.object('tool_choice')
  if (choice?.any('type') !== 'tool') return
  const name = choice.need('name')
  const named = (fields.list('tools') ?? []).find((tool) => tool.any('name') === name)
  if (named === undefined || typeof toolOf(named) !== 'string') return
  throw choice.fault('name', `is ${quoted(name)}, a tool that this server does not have`)
}

const CHOICES = { auto: 'auto', any: 'required', none: 'none' } as const

function toolChoiceOf(choice: Fields | undefined): ToolChoice | undefined {
  const type = choice?.oneOf('type', ['auto', 'any', 'tool', 'none'])
  if (choice === undefined) return undefined
  if (type === undefined) throw choice.fault('type', 'is missing')
  return type === 'tool' ? { tool: choice.need('name') } : CHOICES[type]
}

/** The effort to use when thinking is requested without an amount. */
const USUAL_EFFORT = 'high'

interface Thought {
  readonly shown: ShownThinking
  readonly effort: Config['reasoning_effort']
  /** The effort of an answer whose thinking is off, or has a budget. */
  readonly answer?: Config['reasoning_effort']
}

/**
 * Reads the reasoning effort, which is a token budget, a named effort, or none, and how much of the thinking is shown.
 * @throws {HostError} REQUEST_INVALID for thinking that the API does not know
 */
function thinkingOf(fields: Fields): Thought {
  const output = fields.object('output_config')
  const effort = output && effortIn(output, 'effort')
  const thinking = fields.object('thinking')
  if (thinking === undefined) return { effort, shown: 'none' }
  const type = thinking.oneOf('type', ['adaptive', 'enabled', 'disabled'])
  if (type === undefined) {
    throw thinking.fault('type', 'is missing; give adaptive, enabled or disabled')
  }
  const answer = effort === undefined ? {} : { answer: effort }
  if (type === 'disabled') return { effort: 'none', shown: 'none', ...answer }
  const shown = thinking.is('display', 'omitted') ? 'omitted' : 'whole'
  if (type === 'adaptive') return { effort: effort ?? USUAL_EFFORT, shown }
  return { effort: budgetOf(thinking), shown, ...answer }
}

function budgetOf(thinking: Fields): number {
  const budget = thinking.integer('budget_tokens', 1)
  if (budget !== undefined) return budget
  const remedy = 'give a number of tokens, or {"type": "adaptive"} as "thinking"'
  throw thinking.fault('budget_tokens', `is missing; ${remedy}`)
}

/** Finds the response format, which is in `output_config`, or in `output_format` of older clients. */
function formatIn(fields: Fields): Fields | undefined {
  return fields.object('output_config')?.object('format') ?? fields.object('output_format')
}

function formatOf(fields: Fields): ResponseFormat | undefined {
  const format = formatIn(fields)
  if (format?.oneOf('type', ['json_schema']) === undefined) return undefined
  const schema = format.raw('schema')
  if (schema === undefined) throw format.fault('schema', 'is missing; give a JSON Schema')
  return { type: 'json-schema', schema }
}
