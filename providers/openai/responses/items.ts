import type { Profile } from '@braidwork/model-api'
import {
  argumentsText,
  defined,
  objectsIn,
  ownFacts,
  parseArguments,
  textIn,
  without,
} from '@braidwork/model-api/exchange'
import { isObject, type JsonObject, type Part } from '@braidwork/plugin'
import { callKindOf, resultOf } from './calls.ts'

/** Data shared by the items of one response. */
export interface Around {
  readonly profile: Profile
  /** The offered tools, as the response reports them. */
  readonly tools: unknown
  /** The call ids used so far. Each must be unique. */
  readonly taken: Set<string>
}

/** The fields of an item that contain lists of texts. */
export type TextList = 'summary' | 'content'

/** A text of an item, and the list that contains it. */
export interface ItemText {
  readonly list: TextList
  readonly entry: JsonObject
}

/**
 * Converts an output item to parts. The first part stores the item, without the texts in the parts, in
 * `providerMetadata.<provider>.item`; the others refer to it by `itemId`. `input.ts` restores the item.
 */
export function partsOf(item: JsonObject, around: Around): readonly Part[] {
  const { type } = item
  if (type === 'message') return messageParts(item, around)
  if (type === 'reasoning') return reasoningParts(item, around)
  const kind = callKindOf(item, around.tools)
  if (kind) return callParts(item, around)
  const result = resultOf(item)
  if (result) return [{ ...result, providerMetadata: facts(around, { item }) }]
  // Items without a part type (lists of MCP tools, compactions, new kinds) are kept whole, to be sent back unchanged.
  return [
    {
      type: 'data',
      name: `${around.profile.name}-item`,
      data: item,
      providerMetadata: facts(around, { itemId: item['id'] ?? null }),
    },
  ]
}

/** The texts of an item, in the order of its parts. */
export function textsOf(item: JsonObject): readonly ItemText[] {
  const isList = (key: string): key is TextList =>
    key === 'content' || (key === 'summary' && item['type'] === 'reasoning')
  const lists = Object.keys(item).filter(isList)
  return lists.flatMap((list) =>
    objectsIn(item[list])
      .filter((entry) => textKeyOf(entry) !== undefined)
      .map((entry) => ({ list, entry })),
  )
}

/** The field of an entry that contains its text. */
export function textKeyOf(entry: JsonObject): 'text' | 'refusal' | undefined {
  if (typeof entry['text'] === 'string') return 'text'
  return typeof entry['refusal'] === 'string' ? 'refusal' : undefined
}

/** A unique id for a call. */
export function callIdOf(item: JsonObject, { taken, tools }: Around): string {
  const key = callKindOf(item, tools)?.idKey ?? 'id'
  const id = textIn(item[key]) ?? textIn(item['id']) ?? `call-${taken.size}`
  const unique = taken.has(id) ? `${id}-${taken.size}` : id
  taken.add(unique)
  return unique
}

/** A call's arguments as text, as they appear in a stream. */
export function callText(item: JsonObject, tools: unknown): string {
  const kind = callKindOf(item, tools)
  if (kind?.argumentsKey) {
    const given = item[kind.argumentsKey]
    return typeof given === 'string' ? given : argumentsText(given ?? '')
  }
  return argumentsText(kind?.input(item))
}

/** The metadata at the start of a text, which tells a refusal from an answer. */
export function startFacts(entry: JsonObject, around: Around) {
  return textKeyOf(entry) === 'refusal'
    ? { providerMetadata: facts(around, { refusal: true }) }
    : {}
}

function facts({ profile }: Around, own: JsonObject): { readonly [provider: string]: unknown } {
  return ownFacts(own, profile)
}

function messageParts(item: JsonObject, around: Around): readonly Part[] {
  const texts = textsOf(item).map(({ entry }, index): Part => {
    const key = textKeyOf(entry) ?? 'text'
    const mark = key === 'refusal' ? { refusal: true } : {}
    const own = { ...origin(item, index, 'content'), content: without(entry, key), ...mark }
    return { type: 'text', text: String(entry[key]), providerMetadata: facts(around, own) }
  })
  const sources = textsOf(item).flatMap(({ entry }) =>
    objectsIn(entry['annotations']).map((annotation) => sourcePart(annotation, item, around)),
  )
  return [...texts, ...sources]
}

function reasoningParts(item: JsonObject, around: Around): readonly Part[] {
  const texts = textsOf(item)
  if (texts.length === 0)
    return [{ type: 'reasoning', text: '', providerMetadata: facts(around, { item }) }]
  return texts.map(({ list, entry }, index): Part => {
    const key = textKeyOf(entry) ?? 'text'
    const rest = { list, content: without(entry, key) }
    const own = { ...origin(item, index, 'summary', 'content'), ...rest }
    return {
      type: 'reasoning',
      text: String(entry[key]),
      providerMetadata: facts(around, own),
    }
  })
}

/** Metadata of a part: the first part stores the item, without the lists whose texts are in the parts. */
function origin(item: JsonObject, index: number, ...lists: readonly string[]): JsonObject {
  return index === 0 ? { item: without(item, ...lists) } : { itemId: item['id'] ?? null }
}

function callParts(item: JsonObject, around: Around): readonly Part[] {
  const kind = callKindOf(item, around.tools)
  if (!kind) return []
  const callId = callIdOf(item, around)
  const own = { ...without(item, 'result'), [kind.idKey]: callId }
  const { name, argumentsKey, isProviderRun } = kind
  const text = callText(item, around.tools)
  const call: Part = {
    type: 'tool-call',
    callId,
    name,
    input:
      argumentsKey === undefined
        ? kind.input(item)
        : argumentsKey === 'input'
          ? text
          : parseArguments(text),
    ...(isProviderRun ? { providerExecuted: true } : {}),
    providerMetadata: facts(around, { item: own }),
  }
  const output = kind.output?.(item)
  if (output === undefined) return [call]
  const result: Part = {
    type: 'tool-result',
    callId,
    name,
    output,
    ...(item['status'] === 'failed' || item['error'] ? { isError: true } : {}),
    providerExecuted: true,
    providerMetadata: facts(around, { itemId: item['id'] ?? null }),
  }
  return [call, result, ...imageParts(item, around), ...searchedParts(item, around)]
}

/** The image from an image generation call. */
function imageParts(item: JsonObject, around: Around): readonly Part[] {
  const data = item['type'] === 'image_generation_call' ? textIn(item['result']) : undefined
  if (data === undefined) return []
  const mediaType = `image/${textIn(item['output_format']) ?? 'png'}`
  return [
    {
      type: 'file',
      mediaType,
      data,
      providerMetadata: facts(around, { itemId: item['id'] ?? null }),
    },
  ]
}

/** The pages that a web search found. */
function searchedParts(item: JsonObject, around: Around): readonly Part[] {
  if (item['type'] !== 'web_search_call' || !isObject(item['action'])) return []
  return objectsIn(item['action']['sources'])
    .filter((source) => textIn(source['url']) !== undefined)
    .map((source) => sourcePart(source, item, around))
}

/** Converts a page or file that the text cites or a search found. */
function sourcePart(cited: JsonObject, item: JsonObject, around: Around): Part {
  const url = textIn(cited['url'])
  const title = textIn(cited['title']) ?? textIn(cited['filename'])
  const own = { itemId: item['id'] ?? null, ...without(cited, 'url', 'title') }
  return { type: 'source', ...defined({ url, title }), providerMetadata: facts(around, own) }
}
