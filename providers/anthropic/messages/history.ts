import { isOwnServer } from '@braidwork/model-api'
import {
  argumentsObject,
  defined,
  factsOf,
  foreignText,
  isPartList,
  nativeOf,
  type Profile,
  textIn,
  textOfOutput,
  withoutLastReasoning,
} from '@braidwork/model-api/exchange'
import {
  type FilePart,
  isObject,
  type JsonObject,
  type Message,
  type Part,
  type ToolResultPart,
} from '@braidwork/plugin'
import { ANTHROPIC } from '../profile.ts'
import type { AnthropicSettings } from '../settings.ts'
import { isThinkingBlock, OWN_DATA, textKeyOf } from './blocks.ts'
import { paired, type Turn } from './pairing.ts'
import { withoutEarlierThinking } from './refused-thinking.ts'

interface Around {
  readonly settings: AnthropicSettings
  readonly profile: Profile
  /** The tools offered in the request. */
  readonly offered: readonly JsonObject[]
}

interface History {
  readonly system: readonly JsonObject[]
  readonly messages: readonly JsonObject[]
}

/**
 * Converts core messages to the API's format: the system instructions before the conversation are separate, and
 * consecutive turns of one side are merged. Blocks of this provider come back unchanged; another provider's parts become text or are dropped.
 */
export function historyOf(messages: readonly Message[], around: Around): History {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const begin = first < 0 ? messages.length : first
  const system = messages.slice(0, begin).flatMap(({ parts }) => parts.flatMap(textBlock))
  const sent = withoutEarlierThinking(messages.slice(begin), around.profile)
  const turns = behindResults(sent).map((one) => turnOf(one, around))
  // Turns of one side follow each other again where a turn of thinking alone is left out.
  const whole = merged(merged(turns).map(withoutLastThinking))
  return { system, messages: ending(paired(whole, around.offered)) }
}

/** Puts instructions between calls and their results behind the results, which the API wants directly behind the calls. */
function behindResults(messages: readonly Message[]): readonly Message[] {
  const ordered: Message[] = []
  let waiting: Message[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      ordered.push(message)
      continue
    }
    if (message.role === 'system') {
      waiting.push(message)
      continue
    }
    ordered.push(...waiting, message)
    waiting = []
  }
  return [...ordered, ...waiting]
}

/**
 * Instructions in the middle of a conversation, which keep their place as a text of the user. Ahead of the conversation,
 * they would change the beginning of the request, which the API caches.
 */
function reminder(part: Part): readonly JsonObject[] {
  return textBlock(part).map((block) => ({
    ...block,
    text: `<system-reminder>\n${String(block['text'])}\n</system-reminder>`,
  }))
}

function turnOf({ role, parts }: Message, around: Around): Turn {
  if (role === 'system') return { role: 'user', content: parts.flatMap(reminder) }
  if (role === 'assistant')
    return { role, content: parts.flatMap((part) => assistantBlocks(part, around)) }
  // The API requires tool results before other content.
  const results = parts.flatMap((part) => resultBlock(part, around))
  return {
    role: 'user',
    content: [...results, ...parts.flatMap((part) => userBlock(part, around))],
  }
}

function merged(turns: readonly Turn[]): readonly Turn[] {
  const all: { readonly role: Turn['role']; readonly content: JsonObject[] }[] = []
  for (const { role, content } of turns) {
    const last = all.at(-1)
    if (content.length === 0) continue
    if (last?.role !== role) all.push({ role, content: [...content] })
    else for (const block of content) last.content.push(block)
  }
  return all
}

function withoutLastThinking(turn: Turn): Turn {
  return { ...turn, content: withoutLastReasoning(turn.content, isThinkingBlock) }
}

/** Trims the last assistant turn: the API refuses trailing white space in a text that the model is to continue. */
function ending(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== 'assistant' || block?.['type'] !== 'text') return turns
  const content = last.content.with(-1, { ...block, text: String(block['text']).trimEnd() })
  return turns.with(-1, { ...last, content })
}

/** The fields that a caller set on a part. They are of no server. */
function givenOn(part: Part): JsonObject {
  const given = part.providerMetadata?.[ANTHROPIC.name]
  return isObject(given) ? given : {}
}

/** The cache breakpoint that a caller set on a part. */
function cacheField(part: Part): JsonObject {
  return defined({ cache_control: givenOn(part)['cache_control'] })
}

/** Further fields that a caller may set on a document. */
const OF_DOCUMENTS = ['citations', 'title', 'context'] as const

function documentFields(part: Part): JsonObject {
  const given = givenOn(part)
  return defined(Object.fromEntries(OF_DOCUMENTS.map((key) => [key, given[key]])))
}

/** Converts a text. Empty texts are left out, since the API refuses them. */
function textBlock(part: Part): readonly JsonObject[] {
  if (part.type !== 'text' || part.text.trim() === '') return []
  return [{ type: 'text', text: part.text, ...cacheField(part) }]
}

function userBlock(part: Part, around: Around): readonly JsonObject[] {
  if (part.type === 'file') return [fileBlock(part, around.settings)]
  // Blocks without a part type of their own, such as search results and uploads for code that the API runs.
  if (part.type === 'data' && part.name === OWN_DATA && isObject(part.data)) return [part.data]
  return textBlock(part)
}

/** Whether a file has only an address, from which the API does not fetch it. */
export function isOutOfReach(part: FilePart): boolean {
  const isUploaded = textIn(givenOn(part)['file_id']) !== undefined
  return part.url !== undefined && !isUploaded && part.mediaType.startsWith('text/')
}

function fileBlock(part: FilePart, { citations }: AnthropicSettings): JsonObject {
  const uploaded = textIn(givenOn(part)['file_id'])
  const source = uploaded === undefined ? sourceOf(part) : { type: 'file', file_id: uploaded }
  if (part.mediaType.startsWith('image/')) return { type: 'image', source, ...cacheField(part) }
  return {
    type: 'document',
    source,
    ...defined({ title: part.name, citations: citations ? { enabled: true } : undefined }),
    ...documentFields(part),
    ...cacheField(part),
  }
}

function sourceOf({ mediaType, data = '', url }: FilePart): JsonObject {
  if (url !== undefined) return { type: 'url', url }
  if (!mediaType.startsWith('text/')) return { type: 'base64', media_type: mediaType, data }
  // The only text type that the API accepts is text/plain, not encoded in base64.
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(data, 'base64').toString() }
}

/** Converts the result of a call that the host executed. */
function resultBlock(part: Part, around: Around): readonly JsonObject[] {
  if (part.type !== 'tool-result' || part.providerExecuted) return []
  const { own, output } = nativeOf(part.output, ANTHROPIC)
  const block = {
    type: 'tool_result',
    tool_use_id: part.callId,
    content: own ?? contentOf(output, around),
    ...(part.isError ? { is_error: true } : {}),
  }
  return [{ ...block, ...cacheField(part) }]
}

function contentOf(output: ToolResultPart['output'], around: Around): unknown {
  return isPartList(output)
    ? output.flatMap((part) => userBlock(part, around))
    : textOfOutput(output)
}

/** Restores the block that an answer's part came from, or converts another provider's part. */
function assistantBlocks(part: Part, { profile }: Around): readonly JsonObject[] {
  const facts = factsOf(part, profile)
  const own = isObject(facts?.['block']) ? facts['block'] : undefined
  if (own) return ownBlock(part, own, profile).map((block) => ({ ...block, ...cacheField(part) }))
  if (part.type === 'text') return textBlock(part)
  if (part.type === 'tool-call' && !part.providerExecuted) {
    return [{ ...callBlock(part), ...cacheField(part) }]
  }
  const text = foreignText(part)
  return text ? [{ type: 'text', text }] : []
}

function ownBlock(part: Part, block: JsonObject, profile: Profile): readonly JsonObject[] {
  if (part.type === 'text' || part.type === 'reasoning') {
    const key = textKeyOf(block)
    const whole = key === undefined ? block : { ...block, [key]: part.text }
    const isUnsigned = block['type'] === 'thinking' && textIn(block['signature']) === undefined
    if (!isUnsigned) return [whole]
    // Anthropic signs thinking that was not cut off, and refuses other thinking. Other servers sign none, and want the
    // field of the signature nevertheless.
    return isOwnServer(profile) ? [] : [{ signature: '', ...whole }]
  }
  if (part.type === 'tool-call') return [{ ...block, ...callBlock(part, block['type']) }]
  if (part.type === 'tool-result') {
    return [{ ...block, content: Object.hasOwn(block, 'content') ? block['content'] : part.output }]
  }
  return part.type === 'data' ? [block] : []
}

function callBlock(
  part: Extract<Part, { type: 'tool-call' }>,
  type: unknown = 'tool_use',
): JsonObject {
  const { callId: id, name, input } = part
  return { type, id, name, input: argumentsObject(input) }
}
