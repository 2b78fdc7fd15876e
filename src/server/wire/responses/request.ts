import type { HostError, Message, ToolChoice } from '@braidwork/plugin'
import {
  allowedTools,
  defined,
  effortIn,
  type Fields,
  fieldsOf,
  formatOf,
  hostToolsIn,
  quoted,
  REASONING_SUMMARIES,
  type RequestSettings,
  samplingOf,
  schemaPlaceIn,
  toolsIn,
  uniqueTools,
  unreadBelow,
  type WireRequest,
  wordsOf,
} from '../index.ts'
import { inputOf, type KnownItems, type ResponsesInput } from './input.ts'
import { type RepeatedFields, repeatedIn } from './repeated.ts'
import { toolChoiceOf, toolsOf } from './tools.ts'

/** A request of the Responses API. */
export type ResponsesRequest = WireRequest & {
  /** The id of the agent: the name of a published model. */
  readonly agent: string
  /**
   * The id of the response that this request continues. The results of tool calls from that response, or from its
   * conversation, have an empty tool name here. It is filled in from the stored call.
   */
  readonly previousResponseId?: string
  /** Whether the client wants the response stored. Absent if it does not say. */
  readonly store?: boolean
  /** Whether the response continues in the background, for the client to retrieve later. */
  readonly background: boolean
  /** The fields that the response repeats. */
  readonly repeated: RepeatedFields
  /** Whether the client wants all reasoning with an `encrypted_content`. */
  readonly sealsReasoning: boolean
  /** Properties that the client wants stored with the response. */
  readonly metadata?: { readonly [key: string]: unknown }
}

/** Values that request the default behavior. Fields with these values are not reported as ignored. */
const NEUTRAL = { service_tier: 'auto', top_logprobs: 0, truncation: 'disabled' }
/** The same for fields inside of items and tools. */
const NEUTRAL_BELOW = { detail: 'auto', strict: false, defer_loading: false }

/**
 * Decodes the body of a POST to /v1/responses.
 * @param known the stored items that it may refer to
 * @throws {HostError} REQUEST_INVALID, with a pointer into the body
 */
export function decodeResponses(body: unknown, known?: KnownItems): ResponsesRequest {
  const fields = fieldsOf(body)
  const agent = fields.need('model')
  const previousResponseId = fields.text('previous_response_id')
  const conversationId = conversationIn(fields)
  const isContinued = previousResponseId !== undefined || conversationId !== undefined
  const input = inputIn(fields, isContinued, known)
  const tools = toolsIn(fields, toolsOf)
  const format = fields.object('text')
  const choice = toolChoiceOf(fields)
  const allowed = allowedTools(uniqueTools(tools.own), choice.allowed)
  const include = includedIn(fields)
  const request = defined({
    agent,
    conversationId,
    previousResponseId,
    messages: [...instructionsIn(fields), ...input.messages],
    settings: settingsOf(fields, {
      format,
      choice: allowed.hasChoice ? choice.choice : undefined,
      sealsReasoning: include.sealsReasoning,
    }),
    ...schemaPlaceIn(format?.object('format')),
    tools: allowed.tools,
    ...wordsOf(tools.own),
    ...hostToolsIn(fields),
    isStreaming: fields.flag('stream') ?? false,
    approvals: [],
    store: fields.flag('store'),
    background: fields.flag('background') ?? false,
    sealsReasoning: include.sealsReasoning,
    repeated: repeatedIn(fields, allowed),
    metadata: fields.raw('metadata'),
  })
  const ignored = [
    ...fields.unread(NEUTRAL),
    ...unreadBelow(fields, NEUTRAL_BELOW),
    ...include.ignored,
    ...tools.ignored,
    ...allowed.ignored,
    ...input.ignored,
  ]
  return { ...request, ignored }
}

/** @throws {HostError} REQUEST_INVALID for a prompt that OpenAI stores, without which the answer would be another one */
function assertNoPrompt(fields: Fields): void {
  if (fields.any('prompt') === undefined) return
  throw fields.fault(
    'prompt',
    'names a prompt that this server does not have; send its text as "instructions" and "input"',
  )
}

/** Reads what a response has only on request: of that, there is the encrypted reasoning. */
function includedIn(fields: Fields) {
  const wanted = fields.texts('include') ?? []
  const isOther = wanted.some((name) => name !== SEALED)
  return { sealsReasoning: wanted.includes(SEALED), ignored: isOther ? ['include'] : [] }
}

const SEALED = 'reasoning.encrypted_content'

function instructionsIn(fields: Fields): readonly Message[] {
  const text = fields.text('instructions')
  return text ? [{ role: 'system', parts: [{ type: 'text', text }] }] : []
}

/**
 * Decodes the items that a client adds to a conversation.
 * @throws {HostError} REQUEST_INVALID, with a pointer into the body
 */
export function decodeItems(fields: Fields, known?: KnownItems): ResponsesInput {
  return inputOf(fields.list('items') ?? [], true, known)
}

function inputIn(
  fields: Fields,
  isContinued: boolean,
  known: KnownItems | undefined,
): ResponsesInput {
  assertNoPrompt(fields)
  const items = fields.textOrList('input')
  if (typeof items === 'string') {
    return { messages: [{ role: 'user', parts: [{ type: 'text', text: items }] }], ignored: [] }
  }
  if (items === undefined) throw noInput(fields)
  if (items.length === 0)
    throw fields.fault('input', 'is empty; give a string or at least one item')
  const read = inputOf(items, isContinued, known)
  // A continued response has earlier messages.
  if (read.messages.length === 0 && !isContinued) refuseUnknown(items, read)
  return read
}

function noInput(fields: Fields): HostError {
  const isOther = fields.any('messages') !== undefined
  const remedy = isOther ? ' in place of "messages", the field of /v1/chat/completions' : ''
  return fields.fault('input', `is missing; give a string or at least one item${remedy}`)
}

/** @throws {HostError} REQUEST_INVALID at the first item of an unknown type, if there is one */
function refuseUnknown(items: readonly Fields[], { ignored }: ResponsesInput): void {
  const unknown = items.find((item) => ignored.includes(`input.${String(item.any('type'))}`))
  const type = quoted(unknown?.any('type'))
  if (unknown)
    throw unknown.fault('type', `must be the type of an item, such as message, not ${type}`)
}

/** Reads the conversation's id: a string, or an object with `id`. */
function conversationIn(fields: Fields): string | undefined {
  if (typeof fields.any('conversation') === 'string') return fields.need('conversation')
  return fields.object('conversation')?.need('id')
}

interface Below {
  readonly format: Fields | undefined
  readonly choice: ToolChoice | undefined
  readonly sealsReasoning: boolean
}

function settingsOf(fields: Fields, { format, choice, sealsReasoning }: Below): RequestSettings {
  const reasoning = fields.object('reasoning')
  return defined({
    ...samplingOf(fields),
    max_output_tokens: fields.integer('max_output_tokens', 1),
    tool_choice: choice,
    parallel_tool_calls: fields.flag('parallel_tool_calls'),
    reasoning_effort: reasoning && effortIn(reasoning, 'effort'),
    response_format: formatOf(format?.object('format')),
    store: fields.flag('store') === false ? false : undefined,
    reasoning_summary: reasoning?.oneOf('summary', REASONING_SUMMARIES),
    sealed_reasoning: sealsReasoning ? true : undefined,
    prompt_cache_key: fields.text('prompt_cache_key'),
  })
}
