import { type FilePart, isObject, type JsonObject } from '@braidwork/plugin'
import {
  customInput,
  type HostCall,
  outputTextOf,
  resultFacts,
  SERVER_LABEL,
  type ToolWord,
} from '../index.ts'

/** The position of an item: the id of the run or of the message that it is a part of, and its number there. */
export interface ItemPlace {
  readonly of: string
  readonly index: number
}

/** An item as the API spells it. */
export type Item = JsonObject & { readonly id: string; readonly type: string }

/** The items with which an answer ends: a text, or a call that the client answers. */
const ENDS: ReadonlySet<string> = new Set(['message', 'function_call', 'custom_tool_call'])

/** Whether an answer may end with an item. Clients that find no such item ask again. */
export function endsAnswer({ type }: Item): boolean {
  return ENDS.has(type)
}

/** An event about an item, without the fields that locate the item. */
export type ItemEvent = readonly [type: string, fields: object]

/** Returns the id of an item, which is the same whenever the run is encoded. */
export function itemId(prefix: string, { of, index }: ItemPlace): string {
  return `${prefix}_${of}_${index}`
}

/** Returns the id of the run or message that an item is a part of, or undefined if the id is none of an item. */
export function placeIn(id: string): string | undefined {
  return /^[a-z]{2,8}_([\w.-]{1,200})_\d{1,6}$/.exec(id)?.[1]
}

/** A text of the model, as the API spells it. */
export interface TextContent {
  readonly text: string
  /** Whether the text is the model's refusal to answer. The API knows no annotations of it. */
  readonly isRefusal: boolean
  readonly annotations?: readonly object[]
}

/** Creates the single content part of a message item. */
export function textPart({ text, isRefusal, annotations = [] }: TextContent) {
  return isRefusal
    ? ({ type: 'refusal', refusal: text } as const)
    : ({ type: 'output_text', text, annotations, logprobs: [] } as const)
}

/** Returns the events at the end of a text, but for that of its item. */
export function textEndEvents(part: ReturnType<typeof textPart>): readonly ItemEvent[] {
  const said: ItemEvent =
    part.type === 'refusal'
      ? ['response.refusal.done', { refusal: part.refusal }]
      : ['response.output_text.done', { text: part.text, logprobs: [] }]
  return [said, ['response.content_part.done', { part }]]
}

/** @param phase whether the text is a comment or the answer, where the model of OpenAI said it */
export function messageItem(place: ItemPlace, content?: object, phase?: string) {
  return {
    id: itemId('msg', place),
    type: 'message',
    status: content ? 'completed' : 'in_progress',
    role: 'assistant',
    ...(phase === undefined ? {} : { phase }),
    content: content ? [content] : [],
  }
}

export function summaryText(text: string) {
  return { type: 'summary_text', text }
}

/** Returns the events at the end of reasoning, but for that of its item. */
export function reasoningEndEvents(text: string): readonly ItemEvent[] {
  return [
    ['response.reasoning_summary_text.done', { text }],
    ['response.reasoning_summary_part.done', { part: summaryText(text) }],
  ]
}

/**
 * The `encrypted_content` of reasoning that has none of OpenAI's, for clients that send back no other. No model API gets
 * it.
 */
export const UNSEALED = 'braidwork'

/** @param sealed encrypted reasoning that the provider needs back */
export function reasoningItem(place: ItemPlace, text: string, sealed?: string) {
  return {
    id: itemId('rs', place),
    type: 'reasoning',
    summary: text === '' ? [] : [summaryText(text)],
    ...(sealed === undefined ? {} : { encrypted_content: sealed }),
  }
}

export interface CallOf {
  readonly callId: string
  readonly name: string
  /** Undefined while the arguments are still arriving. */
  readonly text?: string
  /** How the client names the tool. */
  readonly word?: ToolWord | undefined
}

export function callItem(place: ItemPlace, { callId, name, text, word }: CallOf): Item {
  const named = {
    call_id: callId,
    name: word?.name ?? name,
    ...(word?.namespace === undefined ? {} : { namespace: word.namespace }),
  }
  if (word?.isCustom) {
    const input = text === undefined ? '' : customInput(text)
    return {
      id: itemId('ctc', place),
      type: 'custom_tool_call',
      ...statusOf(text),
      ...named,
      input,
    }
  }
  return {
    id: itemId('fc', place),
    type: 'function_call',
    ...statusOf(text),
    ...named,
    arguments: text ?? '',
  }
}

/** Returns the events of the input of a custom call, which is told as a whole. */
export function customInputEvents({ input }: Item): readonly ItemEvent[] {
  return [
    ['response.custom_tool_call_input.delta', { delta: input }],
    ['response.custom_tool_call_input.done', { input }],
  ]
}

function statusOf(text: string | undefined) {
  return { status: text === undefined ? 'in_progress' : 'completed' }
}

/**
 * Creates the item of a call that the server ran itself. Of the API's items, that of a call to an MCP server is the one
 * that clients show, and never run.
 */
export function hostCallItem(place: ItemPlace, { call, result }: HostCall) {
  const output = outputTextOf(result)
  const isError = result.isError === true
  const facts = resultFacts(result)
  return {
    id: itemId('mcp', place),
    type: 'mcp_call',
    status: isError ? 'failed' : 'completed',
    server_label: SERVER_LABEL,
    name: call.name,
    arguments: argumentsText(call.input),
    // Absent and not null: clients for xAI's form of this API accept no null here.
    ...(isError ? { error: output } : { output }),
    approval_request_id: null,
    ...(facts ? { braidwork: facts } : {}),
  }
}

/** Returns the events of the item of a call that the server ran, but for the last one, which has the whole item. */
export function hostCallEvents(item: ReturnType<typeof hostCallItem>): readonly ItemEvent[] {
  const { id, type, server_label, name, arguments: text, status, approval_request_id } = item
  const shown = { id, type, server_label, name, approval_request_id }
  const begun = { ...shown, status: 'in_progress', arguments: '' }
  return [
    ['response.output_item.added', { item: begun }],
    ['response.mcp_call.in_progress', {}],
    ['response.mcp_call_arguments.delta', { delta: text }],
    ['response.mcp_call_arguments.done', { arguments: text }],
    [`response.mcp_call.${status}`, {}],
  ]
}

/** Returns arguments as the text that a model writes. */
export function argumentsText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '')
}

/** Creates the item of an image that the model generated. */
export function imageItem(place: ItemPlace, data: string | null) {
  return {
    id: itemId('ig', place),
    type: 'image_generation_call',
    status: data === null ? 'in_progress' : 'completed',
    result: data,
  }
}

/** Returns the base64 data of an image. Other files have no item. */
export function imageIn({ mediaType, data }: FilePart): string | undefined {
  return mediaType.startsWith('image/') ? data : undefined
}

/** Returns reasoning that OpenAI encrypted, prefixed with its item id. */
export function sealedIn(
  metadata: { readonly [provider: string]: unknown } | undefined,
): string | undefined {
  const { id, encrypted_content: content } = ownItem(metadata)
  return typeof id === 'string' && typeof content === 'string' ? `${id}:${content}` : undefined
}

/** Returns the phase of a text of OpenAI's models, which they need back. */
export function phaseIn(
  metadata: { readonly [provider: string]: unknown } | undefined,
): string | undefined {
  const { phase } = ownItem(metadata)
  return typeof phase === 'string' ? phase : undefined
}

/** Returns the item of OpenAI's API that a part was made of. */
function ownItem(metadata: { readonly [provider: string]: unknown } | undefined): JsonObject {
  const own = metadata?.['openai']
  return isObject(own) && isObject(own['item']) ? own['item'] : {}
}

/** Restores the item from a value of {@link sealedIn}. Returns undefined for any other value. */
export function unsealed(sealed: string): JsonObject | undefined {
  const at = sealed.indexOf(':')
  if (at < 1) return undefined
  const encrypted_content = sealed.slice(at + 1)
  return { type: 'reasoning', id: sealed.slice(0, at), encrypted_content }
}
