import {
  defined,
  objectsIn,
  ownFacts,
  type Profile,
  textIn,
  without,
} from '@braidwork/model-api/exchange'
import { isObject, type JsonObject, type Part } from '@braidwork/plugin'
import { ANTHROPIC } from '../profile.ts'

/** The tool names of a message's calls, by call id. A result block contains only the id. */
export type CallNames = Pick<ReadonlyMap<string, string>, 'get'>

/** The name of a `data` part that contains an unchanged block of the API. */
export const OWN_DATA = 'anthropic-block'

/** Types of blocks that are tool calls. The API executes all of them except `tool_use`. */
const CALLS = new Set<unknown>(['tool_use', 'server_tool_use', 'mcp_tool_use'])

export function isCall(block: JsonObject): boolean {
  return CALLS.has(block['type'])
}

/** Whether the host must execute a call. */
export function isHostRun(block: JsonObject): boolean {
  return block['type'] === 'tool_use'
}

/** Whether a block is thinking, readable or not. */
export function isThinkingBlock({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

export function callNamesOf(blocks: readonly JsonObject[]): CallNames {
  const names = new Map<string, string>()
  for (const block of blocks) noteCall(names, block)
  return names
}

/** Adds the name of a block that is a call. If several calls have one id, the last one counts. */
export function noteCall(names: Map<string, string>, block: JsonObject): void {
  if (isCall(block)) names.set(textIn(block['id']) ?? '', nameOf(block))
}

/** The tool name of a call. */
export function nameOf(call: JsonObject): string {
  return textIn(call['name']) ?? 'unnamed'
}

/** A unique id for a block. The id of a call is kept if no other block has it. */
export function idOf(block: JsonObject, index: number, taken: Set<string>): string {
  const id = textIn(block['id']) ?? `block-${index}`
  const unique = taken.has(id) ? `${id}-${index}` : id
  taken.add(unique)
  return unique
}

/** The field in which a block keeps the text of its part. */
const TEXTS: ReadonlyMap<unknown, 'text' | 'thinking'> = new Map([
  ['text', 'text'],
  ['thinking', 'thinking'],
] as const)

export function textKeyOf(block: JsonObject): 'text' | 'thinking' | undefined {
  return TEXTS.get(block['type'])
}

/**
 * Converts a content block to message parts. Fields that a part cannot express are kept in its
 * `providerMetadata.anthropic.block`; `history.ts` converts the part back to the same block.
 */
export function partsOf(
  block: JsonObject,
  names: CallNames,
  { name, server }: Profile,
): readonly Part[] {
  const parts = bareParts(block, names)
  if (server === undefined) return parts
  return parts.map((part) => {
    const own = part.providerMetadata?.[name]
    return isObject(own) ? { ...part, providerMetadata: ownFacts(own, { name, server }) } : part
  })
}

function bareParts(block: JsonObject, names: CallNames): readonly Part[] {
  const { type } = block
  if (type === 'text') return textParts(block)
  if (isThinkingBlock(block)) return [reasoningPart(block)]
  if (isCall(block)) return [callPart(block)]
  if (textIn(block['tool_use_id']) !== undefined) return resultParts(block, names)
  // Other blocks (compactions, uploads, lists of MCP tools, new kinds) are kept whole, to be sent back unchanged.
  return [{ type: 'data', name: OWN_DATA, data: block, providerMetadata: facts(block) }]
}

function facts(block: JsonObject): NonNullable<Part['providerMetadata']> {
  return ownFacts({ block }, ANTHROPIC)
}

function textParts(block: JsonObject): readonly Part[] {
  const text = textIn(block['text'])
  if (text === undefined) return []
  const rest = without(block, 'text')
  const isPlain = Object.keys(rest).length === 1
  const part: Part = { type: 'text', text, ...(isPlain ? {} : { providerMetadata: facts(rest) }) }
  return [part, ...objectsIn(block['citations']).map(citationPart)]
}

function reasoningPart(block: JsonObject): Part {
  const key = textKeyOf(block)
  if (key === undefined) return { type: 'reasoning', text: '', providerMetadata: facts(block) }
  const text = textIn(block[key]) ?? ''
  return { type: 'reasoning', text, providerMetadata: facts(without(block, key)) }
}

/** Converts a citation of a document, a page or a search result. */
function citationPart(citation: JsonObject): Part {
  const url = textIn(citation['url']) ?? addressIn(citation['source'])
  const title = textIn(citation['title']) ?? textIn(citation['document_title'])
  const citedText = textIn(citation['cited_text'])
  return { type: 'source', ...defined({ url, title, citedText }) }
}

/** The URL in a source, if it is one: the source of a caller's own search result may be any text. */
function addressIn(source: unknown): string | undefined {
  return typeof source === 'string' && URL.canParse(source) ? source : undefined
}

const PLAIN_ID = /^[\w-]{1,64}$/

function callPart(block: JsonObject): Part {
  const own = without(block, 'id', 'name', 'input')
  // Servers with this API may give ids that the API itself refuses. The facts say that they are their own.
  const hasPlainId = PLAIN_ID.test(String(block['id']))
  const isPlain = Object.keys(own).length === 1 && isHostRun(block) && hasPlainId
  return {
    type: 'tool-call',
    callId: textIn(block['id']) ?? '',
    name: textIn(block['name']) ?? 'unnamed',
    input: block['input'] ?? {},
    ...(isHostRun(block) ? {} : { providerExecuted: true }),
    ...(isPlain ? {} : { providerMetadata: facts(own) }),
  }
}

function resultParts(block: JsonObject, names: CallNames): readonly Part[] {
  const callId = textIn(block['tool_use_id']) ?? ''
  const content = block['content'] ?? null
  const output = withoutSeals(content)
  const isSealed = JSON.stringify(output) !== JSON.stringify(content)
  const result: Part = {
    type: 'tool-result',
    callId,
    name: names.get(callId) ?? nameOfResult(block['type']),
    output,
    ...(isFailure(block) ? { isError: true } : {}),
    providerExecuted: true,
    providerMetadata: facts(isSealed ? block : without(block, 'content')),
  }
  return [result, ...objectsIn(content).flatMap(foundPart)]
}

/** The tool name for a result whose call is in an earlier message. */
function nameOfResult(type: unknown): string {
  return String(type).replace(/_tool_result$/, '')
}

function isFailure({ content, is_error }: JsonObject): boolean {
  return is_error === true || (isObject(content) && String(content['type']).endsWith('_error'))
}

/** Converts a page that a web search found. */
function foundPart(found: JsonObject): readonly Part[] {
  const url = found['type'] === 'web_search_result' ? textIn(found['url']) : undefined
  return url === undefined
    ? []
    : [{ type: 'source', url, ...defined({ title: textIn(found['title']) }) }]
}

/** A value without the encrypted fields, which only the API can read. */
function withoutSeals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSeals)
  if (!isObject(value)) return value
  const open = Object.entries(value).filter(([key]) => !key.startsWith('encrypted_'))
  return Object.fromEntries(open.map(([key, inner]) => [key, withoutSeals(inner)]))
}

/**
 * Whether the assistant turn with the most recently answered calls began with thinking. The API requires that
 * when thinking has a budget. True if no calls are being answered.
 */
export function beginsWithThinking(messages: readonly JsonObject[]): boolean {
  const [before, last] = messages.slice(-2)
  const isAnswer = objectsIn(last?.['content']).some(({ type }) => type === 'tool_result')
  if (!isAnswer || before?.['role'] !== 'assistant') return true
  const [first] = objectsIn(before['content'])
  return first !== undefined && isThinkingBlock(first)
}
