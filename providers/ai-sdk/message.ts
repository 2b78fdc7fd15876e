import {
  defined,
  objectsIn,
  ownFacts,
  type Profile,
  parseArguments,
  textIn,
} from '@braidwork/model-api/exchange'
import {
  FINISH_REASONS,
  type FinishReason,
  isObject,
  type JsonObject,
  type Message,
  type MessageMetadata,
  type Part,
  type SourcePart,
  toUsage,
} from '@braidwork/plugin'

/** What the parts of an answer need to know. */
export interface Around {
  readonly profile: Profile
}

type Facts = Pick<Part, 'providerMetadata'>

/** The message of a whole answer. */
export function messageOf(answer: JsonObject, around: Around): Message {
  const parts = objectsIn(answer['content']).flatMap((content) => partOf(content, around) ?? [])
  return { role: 'assistant', parts, metadata: metadataOf(answer) }
}

/** The metadata of a message: how the answer ended, what it took, and the names that the model API gave it. */
export function metadataOf({ finishReason, usage, response }: JsonObject): MessageMetadata {
  const { id, modelId } = isObject(response) ? response : {}
  return defined({
    finishReason: finishReason === undefined ? undefined : reasonOf(finishReason),
    usage: usage === undefined ? undefined : toUsage(usage),
    responseId: textIn(id),
    model: textIn(modelId),
  })
}

function reasonOf(reason: unknown): FinishReason {
  return FINISH_REASONS.find((known) => known === reason) ?? 'other'
}

/** The part for a content. Undefined for one that has no counterpart. */
export function partOf(content: JsonObject, around: Around): Part | undefined {
  const { type, text } = content
  switch (type) {
    case 'text':
    case 'reasoning':
      return { type, text: textIn(text) ?? '', ...toFacts(content, around) }
    case 'tool-call':
      return callOf(content, around)
    case 'tool-result':
      return resultOf(content, around)
    case 'file':
    case 'reasoning-file':
      return fileOf(content, around)
    case 'source':
      return sourceOf(content, around)
    case 'custom':
      return { type: 'data', name: String(content['kind']), data: {}, ...toFacts(content, around) }
    default:
      return undefined
  }
}

function callOf(content: JsonObject, around: Around): Part {
  const { toolCallId, toolName, input, providerExecuted } = content
  return {
    type: 'tool-call',
    callId: String(toolCallId),
    name: String(toolName),
    input: parseArguments(textIn(input) ?? ''),
    ...(providerExecuted ? { providerExecuted: true } : {}),
    ...toFacts(content, around),
  }
}

/** A result in an answer is that of a call that the model API ran. */
function resultOf(content: JsonObject, around: Around): Part {
  const { toolCallId, toolName, result, isError } = content
  return {
    type: 'tool-result',
    callId: String(toolCallId),
    name: String(toolName),
    output: result ?? null,
    ...(isError ? { isError: true } : {}),
    providerExecuted: true,
    ...toFacts(content, around),
  }
}

function fileOf(content: JsonObject, around: Around): Part {
  const { mediaType, data, url } = content
  const found = data === undefined ? { url: String(url) } : { data: String(data) }
  return { type: 'file', mediaType: String(mediaType), ...found, ...toFacts(content, around) }
}

function sourceOf(content: JsonObject, around: Around): SourcePart {
  const { type: _, sourceType, id, url, title, mediaType, filename } = content
  return {
    type: 'source',
    ...defined({
      url: textIn(url),
      title: textIn(title),
      sourceType,
      mediaType,
      filename,
      sourceId: id,
    }),
    ...toFacts(content, around),
  }
}

/** The ids of calls that all providers of the AI SDK take. */
export const PLAIN_ID = /^[\w-]{1,64}$/
const OWN_TYPES = ['reasoning', 'tool-result', 'file']
const OWN_KINDS = ['reasoning-file', 'custom']

/**
 * The facts with which a content comes back to the model API that gave it. What only that model API understands has
 * facts in any case, so that it is told from what others made.
 */
export function toFacts(content: JsonObject, { profile }: Around): Facts {
  const { type, providerMetadata: metadata, providerExecuted } = content
  const hasOddId = type === 'tool-call' && !PLAIN_ID.test(String(content['toolCallId']))
  const isOwn = OWN_TYPES.includes(String(type)) || providerExecuted === true || hasOddId
  const kind = OWN_KINDS.find((one) => one === type)
  if (metadata === undefined && kind === undefined && !isOwn) return {}
  return { providerMetadata: ownFacts(defined({ kind, metadata }), profile) }
}
