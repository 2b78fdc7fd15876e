import type {
  Config,
  Context,
  FilePart,
  Message,
  Part,
  ToolCallPart,
  ToolSchema,
} from 'braidwork/plugin'
import {
  addressOf,
  factsOf,
  foreignText,
  functionOf,
  isStrict,
  joined,
  nativeOf,
  textOfOutput,
} from '../content.ts'
import { argumentsText, defined, isObject, type JsonObject } from '../json.ts'
import { reasons } from '../models.ts'
import type { Profile } from '../profile.ts'
import { type OpenAISettings, type Sampling, samplingOf, settingsOf } from '../settings.ts'

export interface RequestInput {
  readonly profile: Profile
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  readonly config: Config
  readonly warn: Context['warn']
}

/** The body of a request to the chat completions API. */
export function chatRequest(input: RequestInput): JsonObject {
  const { profile, model, config, tools, messages } = input
  const settings = settingsOf(config, profile)
  const sampling = samplingOf(config, settings)
  if ((settings.hosted_tools ?? []).length > 0) {
    input.warn('The chat API runs no tools of its own: settings.openai.hosted_tools is left out.')
  }
  return {
    model,
    messages: messages.flatMap((message) => chatMessages(message, input)),
    ...(tools.length > 0 ? toolFields(tools, sampling, settings) : {}),
    ...samplingFields(input, sampling),
    ...defined({
      verbosity: settings.verbosity,
      store: settings.store,
      service_tier: settings.service_tier,
    }),
    ...settings.body,
  }
}

function toolFields(
  tools: readonly ToolSchema[],
  { tool_choice: choice, parallel_tool_calls }: Sampling,
  { strict_tools }: OpenAISettings,
): JsonObject {
  const tool_choice = isObject(choice)
    ? { type: 'function', function: { name: choice['tool'] } }
    : choice
  return {
    tools: tools.map((tool) => ({ type: 'function', function: functionOf(tool, strict_tools) })),
    ...defined({ tool_choice, parallel_tool_calls }),
  }
}

function samplingFields({ profile, model, warn }: RequestInput, sampling: Sampling): JsonObject {
  const { reasoning_effort: effort, response_format, max_output_tokens, stop, seed } = sampling
  if (typeof effort === 'number') warn('reasoning_effort as a number is not known to the chat API.')
  return defined({
    ...temperatureFields(sampling, model, warn),
    [profile.maxTokens]: max_output_tokens,
    stop,
    seed,
    reasoning_effort: typeof effort === 'number' ? undefined : effort,
    response_format: formatOf(response_format),
  })
}

/** Models that reason refuse a temperature, unless they are told not to reason. */
export function temperatureFields(
  { temperature, top_p, reasoning_effort }: Sampling,
  model: string,
  warn: Context['warn'],
): JsonObject {
  const isGiven = temperature !== undefined || top_p !== undefined
  if (!isGiven || !reasons(model) || reasoning_effort === 'none')
    return defined({ temperature, top_p })
  warn(`"${model}" reasons and takes no temperature and no top_p: they are left out.`)
  return {}
}

function formatOf(format: Sampling['response_format']): JsonObject | undefined {
  if (format?.type === 'json') return { type: 'json_object' }
  if (format?.type !== 'json-schema') return undefined
  const { schema, name = 'answer', description } = format
  const json_schema = { name, schema, strict: isStrict(schema), ...defined({ description }) }
  return { type: 'json_schema', json_schema }
}

function chatMessages(message: Message, input: RequestInput): readonly JsonObject[] {
  const { role, parts } = message
  if (role === 'tool') return parts.flatMap((part) => toolMessage(part, input))
  if (role === 'assistant') return assistantMessage(parts, input.profile)
  if (role === 'system') {
    const content = joined(parts.map((part) => (part.type === 'text' ? part.text : undefined)))
    return [{ role: reasons(input.model) ? 'developer' : 'system', content }]
  }
  const content = parts.flatMap((part) => userContent(part, input.warn))
  const [only, second] = content
  return [{ role, content: only?.['type'] === 'text' && !second ? only['text'] : content }]
}

function userContent(part: Part, warn: Context['warn']): readonly JsonObject[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  return part.type === 'file' ? fileContent(part, warn) : []
}

const AUDIO: { readonly [mediaType: string]: string } = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

function fileContent(part: FilePart, warn: Context['warn']): readonly JsonObject[] {
  const { mediaType, data, name } = part
  if (mediaType.startsWith('image/')) {
    return [{ type: 'image_url', image_url: { url: addressOf(part) } }]
  }
  if (data === undefined) {
    warn(`The chat API takes files other than images by value: ${part.url} is left out.`)
    return []
  }
  const format = Object.hasOwn(AUDIO, mediaType) ? AUDIO[mediaType] : undefined
  if (format) return [{ type: 'input_audio', input_audio: { data, format } }]
  return [{ type: 'file', file: { filename: name ?? 'file', file_data: addressOf(part) } }]
}

function assistantMessage(parts: readonly Part[], profile: Profile): readonly JsonObject[] {
  const isHostRun = (part: Part): part is ToolCallPart =>
    part.type === 'tool-call' && !part.providerExecuted
  const texts = parts.map((part) => {
    if (part.type === 'text') return factsOf(part, profile)?.['refusal'] ? undefined : part.text
    return isHostRun(part) ? undefined : foreignText(part)
  })
  const refusal = parts.find((part) => part.type === 'text' && factsOf(part, profile)?.['refusal'])
  const calls = parts.filter(isHostRun).map((part) => callOf(part, profile))
  const content = texts.some((text) => text !== undefined) ? joined(texts) : null
  if (content === null && calls.length === 0 && !refusal) return []
  return [
    {
      role: 'assistant',
      content,
      ...(refusal?.type === 'text' ? { refusal: refusal.text } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ]
}

function callOf(part: ToolCallPart, profile: Profile): JsonObject {
  const facts = factsOf(part, profile)
  const text = argumentsText(part.input, facts?.['arguments'])
  const extra = isObject(facts?.['call']) ? facts['call'] : {}
  return {
    ...extra,
    id: part.callId,
    type: 'function',
    function: { name: part.name, arguments: text },
  }
}

function toolMessage(part: Part, { profile, warn }: RequestInput): readonly JsonObject[] {
  if (part.type !== 'tool-result') return []
  const { own, output } = nativeOf(part.output, profile)
  if (
    own === undefined &&
    Array.isArray(output) &&
    output.some((item) => isObject(item) && item['type'] === 'file')
  ) {
    warn(`The chat API takes text from tools: the files of "${part.name}" are only named.`)
  }
  const content = own === undefined || isObject(own) ? textOfOutput(own ?? output) : own
  return [{ role: 'tool', tool_call_id: part.callId, content }]
}
