import { settingsOf } from '@braidwork/model-api'
import {
  defined,
  objectsIn,
  ownFactsIn,
  type Profile,
  providerError,
  type RequestInput,
  type Sampling,
  samplingOf,
  textIn,
} from '@braidwork/model-api/exchange'
import { type Config, isObject, type JsonObject } from '@braidwork/plugin'
import { type Family, familyOf } from '../models.ts'
import { ANTHROPIC } from '../profile.ts'
import type { AnthropicSettings } from '../settings.ts'
import { beginsWithThinking } from './blocks.ts'
import { historyOf } from './history.ts'
import { assertHasQuestion } from './question.ts'
import { isThinking, type Thinking, thinkingOf } from './thinking.ts'
import { choiceOf, heldSchema, isForced, toolsOf } from './tools.ts'
import { warnOfUnknown } from './unknown-settings.ts'

interface Ask extends RequestInput {
  readonly profile: Profile
  readonly settings: AnthropicSettings
  readonly sampling: Sampling
  readonly family: Family
}

/** Builds the body of a request to the messages API. */
export function messagesRequest(input: RequestInput, profile: Profile): JsonObject {
  const given = settingsOf<AnthropicSettings>(input.config, ANTHROPIC)
  const sampling = samplingOf(input.config, given)
  const family = familyOf(input.model)
  const ask = {
    ...input,
    profile,
    sampling,
    family,
    settings: compatible(given, sampling, input.warn),
  }
  const { settings } = ask
  const offered = toolsOf(input.tools, ask)
  const { system, messages } = historyOf(input.messages, {
    settings,
    profile,
    offered,
  })
  if (!settings.body?.['messages']) assertHasQuestion(input.messages, messages)
  const thinking = allowedThinking(ask, messages)
  return {
    model: input.model,
    max_tokens: maxTokensOf(ask, thinking),
    ...(system.length > 0 ? { system } : {}),
    messages,
    ...toolFields(ask, offered),
    ...samplingFields(ask, thinking),
    ...defined({ thinking: thinking.thinking, output_config: outputOf(ask, thinking) }),
    ...featureFields(ask, [...system, ...messages.flatMap(({ content }) => objectsIn(content))]),
    ...settings.body,
  }
}

/** Drops citations when the answer must follow a schema, since the API does not combine the two. */
function compatible(
  settings: AnthropicSettings,
  { response_format: format }: Sampling,
  warn: RequestInput['warn'],
): AnthropicSettings {
  if (!settings.citations || format?.type !== 'json-schema') return settings
  warn('The messages API does not cite in an answer that follows a schema: citations are left out.')
  return { ...settings, citations: false }
}

/** The thinking field, unless the messages or a forced tool rule it out. */
function allowedThinking(ask: Ask, messages: readonly JsonObject[]): Thinking {
  const { sampling, family, settings, warn, model } = ask
  const thinking = thinkingOf(ask, settings.thinking)
  if (!isThinking(thinking)) return thinking
  const isManual = thinking.thinking?.['type'] === 'enabled'
  const isUnforced = family.forcedTool === 'without-thinking' || isManual
  const why =
    isForced(sampling) && family.forcedTool !== 'never' && isUnforced
      ? 'a tool is forced'
      : isManual && !beginsWithThinking(messages)
        ? 'the answered tool calls were made without thinking'
        : undefined
  if (why === undefined || family.quiet !== 'disabled') return thinking
  warn(`"${model}" does not think in this request: ${why}.`)
  return { ...thinking, thinking: { type: 'disabled' }, budget: 0 }
}

/** The API requires a limit: the config's, plus a thinking budget that does not fit into it, or the model's maximum. */
function maxTokensOf({ sampling, family, modelInfo, model, warn }: Ask, { budget }: Thinking) {
  const { max_output_tokens: asked } = sampling
  const known = modelInfo.maxOutputTokens
  if (asked === undefined) return known ?? family.maxOutputTokens
  if (known === undefined) return asked + budget
  if (asked > known)
    warn(`"${model}" writes at most ${known} tokens: max_output_tokens is reduced to that.`)
  return Math.min(asked + budget, known)
}

function toolFields(
  { sampling, family, model, warn }: Ask,
  offered: readonly JsonObject[],
): JsonObject {
  if (offered.length === 0) return {}
  const isRefused = isForced(sampling) && family.forcedTool === 'never'
  if (!isRefused) return { tools: offered, ...choiceOf(sampling) }
  warn(`"${model}" cannot be forced to call a tool: it decides itself.`)
  return {
    tools: chosenOf(offered, sampling),
    ...choiceOf({ ...sampling, tool_choice: 'auto' }),
  }
}

/** The tools from which a model chooses that cannot be told to call one: only a named tool, or all. */
function chosenOf(
  offered: readonly JsonObject[],
  { tool_choice: choice }: Sampling,
): readonly JsonObject[] {
  if (typeof choice !== 'object') return offered
  const named = offered.filter(({ name }) => name === choice.tool)
  return named.length > 0 ? named : offered
}

const LARGEST_TEMPERATURE = 1

function samplingFields(ask: Ask, thinking: Thinking): JsonObject {
  const { sampling, settings, warn } = ask
  warnOfUnknown(sampling, warn)
  const stops = [sampling.stop ?? []].flat()
  const stop_sequences = stops.filter((stop) => stop.trim() !== '')
  if (stop_sequences.length < stops.length) {
    warn('The messages API refuses stop sequences that are only white space: they are left out.')
  }
  return {
    ...temperatureFields(ask, thinking),
    ...(stop_sequences.length > 0 ? { stop_sequences } : {}),
    ...defined({ service_tier: settings.service_tier, metadata: metadataOf(sampling) }),
  }
}

/** The API takes the id of the end user as metadata, and no other metadata. */
function metadataOf({ user }: Sampling): JsonObject | undefined {
  return user === undefined ? undefined : { user_id: user }
}

/** Thinking models and all newer ones take no sampling parameters; others take temperature or top_p, not both. */
function temperatureFields(
  { sampling, settings, config, family, model, warn }: Ask,
  thinking: Thinking,
): JsonObject {
  const { temperature, top_p } = sampling
  const top_k = settings.top_k ?? askedTopK(config)
  const given = defined({ temperature, top_p, top_k })
  const names = Object.keys(given)
  if (names.length === 0) return {}
  if (!family.takesSampling || isThinking(thinking)) {
    const why = family.takesSampling ? 'takes none while it thinks' : 'takes none'
    warn(`"${model}" ${why}: ${names.join(', ')} left out.`)
    return {}
  }
  if (temperature === undefined) return given
  if (top_p !== undefined)
    warn('The messages API takes temperature or top_p, not both: top_p is left out.')
  if (temperature > LARGEST_TEMPERATURE)
    warn('The messages API takes no temperature above 1: it is reduced to 1.')
  return defined({ temperature: Math.min(temperature, LARGEST_TEMPERATURE), top_k })
}

/** What a client of the Messages API sets, beside the settings of the operator. */
function askedTopK(config: Config): number | undefined {
  const { top_k } = config as Config & { readonly top_k?: number }
  return top_k
}

function outputOf(ask: Ask, { effort }: Thinking): JsonObject | undefined {
  const format = formatOf(ask)
  const output = defined({ effort, format })
  return Object.keys(output).length > 0 ? output : undefined
}

/** The format field that makes an answer follow a schema. */
function formatOf({ sampling, family, model, warn }: Ask): JsonObject | undefined {
  const { response_format: format } = sampling
  if (format?.type === 'json') {
    warn('The messages API enforces JSON only with a schema: response_format is left out.')
  }
  if (format?.type !== 'json-schema') return undefined
  if (!family.takesSchemas) {
    warn(`"${model}" cannot enforce a schema: response_format is left out.`)
    return undefined
  }
  const schema = heldSchema(format.schema)
  if (schema) return { type: 'json_schema', schema }
  const message =
    'The schema of response_format has a part without a type, which the API does not enforce.'
  throw providerError('INVALID_REQUEST', message, { pointer: '/response_format/schema' })
}

function featureFields(
  { settings, messages, profile }: Ask,
  blocks: readonly JsonObject[],
): JsonObject {
  const { context_management, mcp_servers: servers } = settings
  return defined({
    cache_control: cacheMark(settings, blocks),
    context_management,
    container: settings.container ?? lastContainer(messages, profile),
    mcp_servers: servers?.map((server) => ({ type: 'url', ...server })),
  })
}

/** The most marks of a request, with the automatic one. */
const MOST_MARKS = 4

/**
 * The mark with which the API caches as much as it can. The marks of the caller take precedence: the API refuses a fifth
 * one, and one of an hour behind one of five minutes.
 */
function cacheMark(
  { prompt_cache: cache }: AnthropicSettings,
  blocks: readonly JsonObject[],
): JsonObject | undefined {
  if (!cache) return undefined
  const marks = blocks.map((block) => block['cache_control']).filter(isObject)
  const isBehindShorter = cache === '1h' && marks.some(({ ttl }) => ttl !== '1h')
  if (marks.length >= MOST_MARKS || isBehindShorter) return undefined
  return { type: 'ephemeral', ...(typeof cache === 'string' ? { ttl: cache } : {}) }
}

/** The container in which earlier code ran, if it still exists. It contains that code's files. */
function lastContainer(messages: RequestInput['messages'], profile: Profile): string | undefined {
  const own = messages.map(({ metadata }) => ownFactsIn(metadata, profile)).findLast(isObject)
  const container = isObject(own?.['container']) ? own['container'] : {}
  const { id, expires_at: end } = container
  const isAlive = typeof end === 'string' && Date.parse(end) > Date.now()
  return isAlive ? textIn(id) : undefined
}
