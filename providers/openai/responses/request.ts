import { settingsOf } from '@braidwork/model-api'
import { shortUser, temperatureFields } from '@braidwork/model-api/chat'
import {
  defined,
  functionOf,
  isStrict,
  type Profile,
  type RequestInput,
  type Sampling,
  samplingOf,
  textIn,
  warnOfLoose,
} from '@braidwork/model-api/exchange'
import { isObject, type JsonObject, type ModelTool } from '@braidwork/plugin'
import { reasons } from '../models.ts'
import { OPENAI } from '../profile.ts'
import type { OpenAISettings } from '../settings.ts'
import { type Wishes, wishesOf } from '../wishes.ts'
import { inputOf } from './input.ts'

/** Builds the body of a request to the responses API. */
export function responsesRequest(request: RequestInput, profile: Profile): JsonObject {
  const { model, messages, tools, config, warn } = request
  const settings = settingsOf<OpenAISettings>(config, OPENAI)
  const sampling = samplingOf(config, settings)
  const wishes = wishesOf(config, model)
  const hosted = (settings.hosted_tools ?? []).map(hostedTool)
  const offered = [...tools.map(functionTool), ...hosted]
  warnOf(sampling, warn)
  warnOfLoose(tools, settings, request)
  return {
    model,
    input: inputOf(messages, { profile, model, isStored: wishes.store !== false }),
    ...(offered.length > 0 ? toolFields(offered, hosted, sampling) : {}),
    ...temperatureFields(sampling, { model, reasons: reasons(model), warn }),
    ...defined({
      max_output_tokens: sampling.max_output_tokens,
      reasoning: reasoningOf(sampling, wishes),
      text: textOf(sampling, settings),
      store: wishes.store,
      prompt_cache_key: wishes.cacheKey,
      context_management: settings.context_management,
      include: includeOf(settings, hosted, wishes.isSealed),
      service_tier: settings.service_tier,
      user: shortUser(sampling.user, warn),
      metadata: sampling.metadata,
    }),
    ...settings.body,
  }
}

/** Always sets `strict`: without it, the API makes the schema strict itself and requires optional members. */
function functionTool(tool: ModelTool): JsonObject {
  return { type: 'function', ...functionOf(tool), strict: tool.strict === true }
}

/** A hosted tool, given by its name or with its own settings. */
function hostedTool(tool: string | JsonObject): JsonObject {
  if (typeof tool !== 'string') return tool
  return tool === 'code_interpreter' ? { type: tool, container: { type: 'auto' } } : { type: tool }
}

function toolFields(
  tools: readonly JsonObject[],
  hosted: readonly JsonObject[],
  { tool_choice: choice, parallel_tool_calls }: Sampling,
): JsonObject {
  return { tools, ...defined({ tool_choice: choiceOf(choice, hosted), parallel_tool_calls }) }
}

function choiceOf(choice: Sampling['tool_choice'], hosted: readonly JsonObject[]): unknown {
  if (!isObject(choice)) return choice
  const { tool } = choice
  const isHosted = hosted.some(({ type }) => type === tool)
  return isHosted ? { type: tool } : { type: 'function', name: tool }
}

const BIASES = ['presence_penalty', 'frequency_penalty', 'logit_bias'] as const

function warnOf(sampling: Sampling, warn: RequestInput['warn']): void {
  const { seed, reasoning_effort } = sampling
  for (const name of BIASES) {
    if (sampling[name]) warn(`The responses API takes no ${name}: it is left out.`)
  }
  if (seed !== undefined) warn('The responses API takes no seed: "seed" is left out.')
  if (typeof reasoning_effort === 'number') {
    warn('The responses API takes no number as reasoning_effort: it is left out.')
  }
}

function reasoningOf(
  { reasoning_effort: effort }: Sampling,
  { summary }: Wishes,
): JsonObject | undefined {
  const reasoning = defined({ effort: typeof effort === 'number' ? undefined : effort, summary })
  return Object.keys(reasoning).length > 0 ? reasoning : undefined
}

function textOf(
  { response_format: format }: Sampling,
  { verbosity }: OpenAISettings,
): JsonObject | undefined {
  const text = defined({ format: formatOf(format), verbosity })
  return Object.keys(text).length > 0 ? text : undefined
}

function formatOf(format: Sampling['response_format']): JsonObject | undefined {
  if (format?.type === 'json') return { type: 'json_object' }
  if (format?.type !== 'json-schema') return undefined
  const { schema, name = 'answer', description } = format
  return {
    type: 'json_schema',
    name,
    schema,
    strict: isStrict(schema),
    ...defined({ description }),
  }
}

/**
 * Data that the API returns only on request: findings of hosted tools, and encrypted reasoning if answers are not
 * stored.
 */
const INCLUDED: ReadonlyMap<unknown, string> = new Map([
  ['web_search', 'web_search_call.action.sources'],
  ['file_search', 'file_search_call.results'],
  ['code_interpreter', 'code_interpreter_call.outputs'],
])

function includeOf(
  { include = [] }: OpenAISettings,
  hosted: readonly JsonObject[],
  isSealed: boolean,
): readonly string[] | undefined {
  const ofTools = hosted.flatMap(({ type }) => textIn(INCLUDED.get(type)) ?? [])
  const sealed = isSealed ? ['reasoning.encrypted_content'] : []
  const all = [...new Set([...include, ...ofTools, ...sealed])]
  return all.length > 0 ? all : undefined
}
