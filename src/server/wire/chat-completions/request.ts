import { isObject, type JsonObject, type ToolChoice } from '@braidwork/plugin'
import {
  type AllowedTools,
  allowedTools,
  defined,
  effortIn,
  type Fields,
  fieldsOf,
  formatOf,
  hostToolsIn,
  messagesIn,
  quoted,
  type RequestSettings,
  samplingOf,
  schemaPlaceIn,
  type ToolSpelling,
  toolsIn,
  uniqueTools,
  unreadBelow,
  type WireRequest,
} from '../index.ts'
import { messagesOf } from './messages.ts'

/** A request of the Chat Completions API. */
export type ChatCompletionRequest = WireRequest & {
  /** The id of the agent: the name of a published model. */
  readonly agent: string
  /** Whether a stream ends with the usage. */
  readonly includesUsage: boolean
  /** Whether the client wants the completion stored. */
  readonly store: boolean
}

/** Values that request the default behavior. Fields with these values are not reported as ignored. */
const NEUTRAL = {
  logprobs: false,
  service_tier: 'auto',
  top_logprobs: 0,
}
/** The same for fields inside of messages and tools. */
const NEUTRAL_BELOW = { detail: 'auto', strict: false, include_obfuscation: false }

/**
 * Decodes the body of a POST to /v1/chat/completions.
 * @throws {HostError} REQUEST_INVALID, with a pointer into the body
 */
export function decodeChatCompletion(body: unknown): ChatCompletionRequest {
  const fields = fieldsOf(body)
  const agent = fields.need('model')
  const given = messagesIn(fields)
  if ((fields.integer('n', 1) ?? 1) > 1) {
    throw fields.fault('n', 'must be 1: a run has one response')
  }
  assertNoFunctions(fields)
  const tools = toolsIn(fields, toolOf)
  const allowed = allowedTools(uniqueTools(tools.own), allowedIn(fields))
  const request = {
    agent,
    messages: messagesOf(given),
    settings: settingsOf(fields, allowed),
    ...schemaPlaceIn(fields.object('response_format')),
    tools: allowed.tools,
    ...hostToolsIn(fields),
    isStreaming: fields.flag('stream') ?? false,
    approvals: [],
    includesUsage: fields.object('stream_options')?.flag('include_usage') ?? false,
    store: fields.flag('store') ?? false,
  }
  const unused = (['user', 'metadata'] as const).filter(
    (name) => fields.any(name) !== undefined && request.settings[name] === undefined,
  )
  const unread = [...fields.unread(NEUTRAL), ...unreadBelow(fields, NEUTRAL_BELOW)]
  return { ...request, ignored: [...unread, ...unused, ...tools.ignored, ...allowed.ignored] }
}

function settingsOf(fields: Fields, allowed: AllowedTools): RequestSettings {
  const most = fields.integer('max_completion_tokens', 1)
  const formerly = fields.integer('max_tokens', 1)
  return defined({
    ...samplingOf(fields),
    max_output_tokens: most ?? formerly,
    stop: fields.texts('stop'),
    seed: fields.integer('seed', Number.MIN_SAFE_INTEGER),
    tool_choice: toolChoiceOf(fields, allowed),
    parallel_tool_calls: fields.flag('parallel_tool_calls'),
    reasoning_effort: effortIn(fields, 'reasoning_effort'),
    response_format: formatOf(fields.object('response_format')),
    presence_penalty: fields.number('presence_penalty', -2, 2),
    frequency_penalty: fields.number('frequency_penalty', -2, 2),
    logit_bias: biasOf(fields),
    user: userOf(fields),
    metadata: metadataOf(fields),
    store: fields.flag('store') === false ? false : undefined,
    prompt_cache_key: fields.text('prompt_cache_key'),
  })
}

/** Reads the bias of tokens by their ids, each from -100 to 100. */
function biasOf(fields: Fields): JsonObject | undefined {
  const bias = fields.raw('logit_bias')
  const isRight = Object.entries(bias ?? {}).every(
    ([id, value]) => /^\d+$/.test(id) && typeof value === 'number' && Math.abs(value) <= 100,
  )
  if (isRight) return bias
  throw fields.fault('logit_bias', 'must have token ids as keys and numbers from -100 to 100')
}

const MOST_PAIRS = 16
const LONGEST_NAME = 64
const LONGEST_VALUE = 512

/** Reads the end user's id. Open WebUI sends an object, which is ignored. */
function userOf(fields: Fields): string | undefined {
  const user = fields.any('user')
  return typeof user === 'string' ? user : undefined
}

/** Reads metadata of the form that OpenAI's API takes. Clients also send other kinds, which are ignored. */
function metadataOf(fields: Fields): JsonObject | undefined {
  const metadata = fields.any('metadata')
  if (!isObject(metadata)) return undefined
  const pairs = Object.entries(metadata)
  const isRight = pairs.every(
    ([name, value]) =>
      name.length <= LONGEST_NAME && typeof value === 'string' && value.length <= LONGEST_VALUE,
  )
  return isRight && pairs.length <= MOST_PAIRS ? metadata : undefined
}

const CHOICES = ['auto', 'none', 'required'] as const

/** Reads the tool choice. That of a list is ignored with the list, since it is for the tools that are listed. */
function toolChoiceOf(fields: Fields, { hasChoice }: AllowedTools): ToolChoice | undefined {
  if (typeof fields.any('tool_choice') === 'string') return fields.oneOf('tool_choice', CHOICES)
  const choice = fields.object('tool_choice')
  if (choice === undefined) return undefined
  const mode = choice.object('allowed_tools')?.oneOf('mode', CHOICES) ?? 'auto'
  if (choice.any('type') === 'allowed_tools') return hasChoice ? mode : undefined
  const called = choice.object('function')
  if (called === undefined) {
    throw choice.fault(
      'function',
      "is missing; give the tool's name, or choose auto, none or required",
    )
  }
  return { tool: called.need('name') }
}

/** Reads the names of the tools that a tool choice allows. Undefined if it has no list of them. */
function allowedIn(fields: Fields): readonly string[] | undefined {
  const choice = fields.any('tool_choice')
  if (!isObject(choice)) return undefined
  const given = fields.object('tool_choice')
  if (given?.any('type') !== 'allowed_tools') return undefined
  const listed = given.object('allowed_tools')?.list('tools') ?? []
  return listed.map((tool) => {
    tool.leave()
    return tool.object('function')?.need('name') ?? ''
  })
}

function toolOf(tool: Fields): readonly ToolSpelling[] | string {
  const called = tool.object('function')
  if (called) {
    const given = tool.text('type') ?? 'function'
    if (given === 'function') return [{ fields: called, schemaField: 'parameters' }]
    throw tool.fault('type', `must be function beside "function", not ${quoted(given)}`)
  }
  const type = tool.need('type')
  if (type === 'function') throw tool.fault('function', `is missing; ${remedyFor(tool)}`)
  if (type !== 'custom') return type
  throw tool.fault(
    'type',
    'is custom, which this server offers on /v1/responses only; define the tool as a function',
  )
}

/** How to write a function without the object that contains it. The Responses API has its fields on the tool itself. */
function remedyFor(tool: Fields): string {
  return tool.any('name') === undefined
    ? "give an object with the function's name and parameters"
    : 'put "name", "description" and "parameters" into it, since only /v1/responses takes them on the tool itself'
}

/** @throws {HostError} REQUEST_INVALID for functions in the form before `tools`, without which the client would not work */
function assertNoFunctions(fields: Fields): void {
  const given = fields.any('functions')
  if (!Array.isArray(given) || given.length === 0) return
  throw fields.fault(
    'functions',
    'was replaced by "tools"; send each function as {"type": "function", "function": {…}}, and "tool_choice" in place of "function_call"',
  )
}
