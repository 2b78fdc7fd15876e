import {
  type Context,
  type FilePart,
  isObject,
  type JsonObject,
  type Message,
  type Part,
  type ToolCallPart,
} from '@braidwork/plugin'
import {
  addressOf,
  factsOf,
  foreignText,
  isPartList,
  joined,
  nativeOf,
  textOfOutput,
} from '../content.ts'
import { argumentsText, objectsIn, objectText, textIn } from '../json.ts'
import type { Profile } from '../profile.ts'
import { bridged, isImage, resultImages, withImagesBehind } from '../result-images.ts'
import { keptAudio, spokenIn } from './audio.ts'
import type { ChatDialect } from './dialect.ts'
import { IN_CONTENT } from './fields.ts'

interface Around {
  readonly profile: Profile
  readonly dialect: ChatDialect
  readonly reasons: boolean
  readonly warn: Context['warn']
}

/**
 * Converts core messages to the API's format. Private data of other providers is left out. A tool message has only text,
 * so the images of tool results follow as a message of the user, behind all results of the step.
 */
export function chatMessages(messages: readonly Message[], around: Around): readonly JsonObject[] {
  const native = withImagesBehind(messages, {
    write: (message) => chatMessage(message, around),
    imagesOf: (part) => resultImages(part, around.profile, (file) => fileContent(file, around)),
  })
  return around.dialect.hasUserAfterTools ? native : bridged(native, (text) => text)
}

function chatMessage({ role, parts }: Message, around: Around): readonly JsonObject[] {
  if (role === 'tool') return parts.flatMap((part) => toolMessage(part, around))
  if (role === 'assistant') return assistantMessage(parts, around)
  if (role === 'system') return systemMessage(parts, around)
  const content = parts.flatMap((part) => userContent(part, around))
  const [only, second] = content
  return [{ role, content: only?.['type'] === 'text' && !second ? only['text'] : content }]
}

function systemMessage(
  parts: readonly Part[],
  { dialect, reasons }: Around,
): readonly JsonObject[] {
  const content = joined(parts.map((part) => (part.type === 'text' ? part.text : undefined)))
  return [{ role: reasons && dialect.hasDeveloper ? 'developer' : 'system', content }]
}

function userContent(part: Part, around: Around): readonly JsonObject[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  return part.type === 'file' ? fileContent(part, around) : []
}

const AUDIO: { readonly [mediaType: string]: string } = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

function fileContent(part: FilePart, { dialect }: Around): readonly JsonObject[] {
  const { mediaType, data, name } = part
  const url = addressOf(part)
  if (isImage(part)) return [{ type: 'image_url', image_url: { url } }]
  const format = Object.hasOwn(AUDIO, mediaType) ? AUDIO[mediaType] : undefined
  if (format) return [{ type: 'input_audio', input_audio: { data, format } }]
  if (dialect.documents === 'document_url') {
    return [{ type: 'document_url', document_url: url, ...(name ? { document_name: name } : {}) }]
  }
  return [{ type: 'file', file: { filename: name ?? 'file', file_data: url } }]
}

const isHostRun = (part: Part): part is ToolCallPart =>
  part.type === 'tool-call' && !part.providerExecuted

function assistantMessage(parts: readonly Part[], around: Around): readonly JsonObject[] {
  const { profile } = around
  const audio = keptAudio(parts, profile)
  const isTold = (part: Part): boolean =>
    factsOf(part, profile)?.['refusal'] === true ||
    (audio !== undefined && spokenIn(part, profile) !== undefined)
  const texts = parts.map((part) => {
    if (part.type === 'text') return isTold(part) ? undefined : part.text
    return isHostRun(part) || spokenIn(part, profile) ? undefined : foreignText(part)
  })
  const refusal = parts.find((part) => part.type === 'text' && factsOf(part, profile)?.['refusal'])
  const calls = parts.filter(isHostRun).map((part) => callOf(part, around))
  const content = texts.some((text) => text !== undefined) ? joined(texts) : null
  if (content === null && calls.length === 0 && !refusal && !audio) return []
  const { [IN_CONTENT]: thinking, ...reasoning } = reasoningFields(parts, around, calls.length > 0)
  return [
    {
      role: 'assistant',
      content: isObject(thinking) ? thoughtful(thinking, content) : content,
      ...reasoning,
      ...(refusal?.type === 'text' ? { refusal: refusal.text } : {}),
      ...(audio ? { audio } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ]
}

/** The content with the reasoning as its first part, for servers that keep it there. */
function thoughtful(thinking: JsonObject, content: string | null): readonly JsonObject[] {
  return [thinking, ...(content === null ? [] : [{ type: 'text', text: content }])]
}

/** The model's own reasoning, in the field in which it came. Reasoning from other servers is left out. */
function reasoningFields(
  parts: readonly Part[],
  { profile, dialect, reasons }: Around,
  hasCalls: boolean,
): JsonObject {
  const { returnsReasoning: when, requiredReasoning: required } = dialect
  const least = required !== undefined && reasons ? { [required]: '' } : {}
  if (when === 'never' || (when === 'with-calls' && !hasCalls)) return least
  const fields: Record<string, unknown> = { ...least }
  for (const part of parts) {
    if (part.type === 'reasoning')
      Object.assign(fields, ownReasoning(part.text, factsOf(part, profile)))
  }
  return fields
}

function ownReasoning(text: string, facts: JsonObject | undefined): JsonObject {
  const field = textIn(facts?.['field'])
  const details = objectsIn(facts?.['details'])
  const thinking = isObject(facts?.['thinking']) ? facts['thinking'] : {}
  const told =
    field === IN_CONTENT
      ? { type: 'thinking', thinking: [{ type: 'text', text }], ...thinking }
      : text
  return {
    ...(field && text !== '' ? { [field]: told } : {}),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
  }
}

function callOf(part: ToolCallPart, { profile, dialect }: Around): JsonObject {
  const facts = factsOf(part, profile)
  const { callId: id, name } = part
  const extra = isObject(facts?.['call']) ? facts['call'] : {}
  if (facts?.['custom']) {
    return { ...extra, id, type: 'custom', custom: { name, input: argumentsText(part.input) } }
  }
  const write = dialect.takesAnyArguments ? argumentsText : objectText
  const text = write(part.input, facts?.['arguments'])
  return { ...extra, id, type: 'function', function: { name, arguments: text } }
}

function toolMessage(part: Part, { profile, warn }: Around): readonly JsonObject[] {
  if (part.type !== 'tool-result') return []
  const { own, output } = nativeOf(part.output, profile)
  if (own === undefined && filesIn(output).some((file) => !isImage(file))) {
    warn(
      `The chat API takes only texts and images of a tool: other files of "${part.name}" are only named.`,
    )
  }
  const content = own === undefined || isObject(own) ? textOfOutput(own ?? output) : own
  return [{ role: 'tool', tool_call_id: part.callId, content }]
}

function filesIn(output: unknown): readonly FilePart[] {
  return isPartList(output) ? output.filter((part) => part.type === 'file') : []
}
