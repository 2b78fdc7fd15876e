import type { Config, Context, ToolSchema } from 'braidwork/plugin'
import { functionOf, isStrict } from '../content.ts'
import type { RequestInput } from '../exchange.ts'
import { defined, isObject, type JsonObject } from '../json.ts'
import type { Profile } from '../profile.ts'
import { type Sampling, samplingOf, settingsOf } from '../settings.ts'
import type { ChatDialect } from './dialect.ts'
import { chatMessages } from './history.ts'
import type { ChatSettings } from './settings.ts'

/** A server as its requests see it. */
export interface ChatServer {
  readonly profile: Profile
  readonly dialect: ChatDialect
  /** Whether a model reasons before it answers. */
  reasons(model: string): boolean
  /** Fields of the body that only this server has. */
  fields(config: Config): JsonObject
}

/** The body of a request to the chat completions API. */
export function chatRequest(input: RequestInput, server: ChatServer): JsonObject {
  const { model, config, tools, messages, warn } = input
  const settings: ChatSettings = settingsOf(config, server.profile)
  const sampling = samplingOf(config, settings)
  const reasons = server.reasons(model)
  return {
    model,
    messages: chatMessages(messages, { ...server, reasons, warn }),
    ...(tools.length > 0 ? toolFields(tools, sampling, settings, server.dialect) : {}),
    ...samplingFields(sampling, server.dialect, { model, reasons, warn }),
    ...server.fields(config),
    ...settings.body,
  }
}

function toolFields(
  tools: readonly ToolSchema[],
  { tool_choice: choice, parallel_tool_calls: parallel }: Sampling,
  { strict_tools: strict }: ChatSettings,
  { required, hasParallelToolCalls, hasStrictTools }: ChatDialect,
): JsonObject {
  const functions = tools.map((tool) => {
    const { strict: isHeld, ...fields } = functionOf(tool, strict)
    return hasStrictTools || strict !== undefined ? { ...fields, strict: isHeld } : fields
  })
  const named = isObject(choice) ? { type: 'function', function: { name: choice['tool'] } } : choice
  return {
    tools: functions.map((one) => ({ type: 'function', function: one })),
    ...defined({
      tool_choice: named === 'required' ? required : named,
      parallel_tool_calls: hasParallelToolCalls ? parallel : undefined,
    }),
  }
}

interface Asked {
  readonly model: string
  readonly reasons: boolean
  readonly warn: Context['warn']
}

function samplingFields(sampling: Sampling, dialect: ChatDialect, asked: Asked): JsonObject {
  const { response_format, max_output_tokens, stop, seed } = sampling
  return defined({
    ...(dialect.refusesTemperature ? temperatureFields(sampling, asked) : temperatureOf(sampling)),
    [dialect.maxTokens]: max_output_tokens,
    stop,
    [dialect.seed]: seed,
    ...effortFields(sampling, dialect, asked),
    response_format: formatOf(response_format, dialect, asked.warn),
  })
}

function temperatureOf({ temperature, top_p }: Sampling): JsonObject {
  return defined({ temperature, top_p })
}

/** Models that reason refuse a temperature, unless they are told not to reason. */
export function temperatureFields(sampling: Sampling, { model, reasons, warn }: Asked): JsonObject {
  const fields = temperatureOf(sampling)
  const isGiven = Object.keys(fields).length > 0
  if (!isGiven || !reasons || sampling.reasoning_effort === 'none') return fields
  warn(`"${model}" reasons and takes no temperature and no top_p: they are left out.`)
  return {}
}

function effortFields(
  { reasoning_effort: effort }: Sampling,
  { efforts, reasoning }: ChatDialect,
  { reasons, warn }: Asked,
): JsonObject {
  const always = reasons ? reasoning : {}
  if (effort === undefined) return always
  const fields = Object.hasOwn(efforts, effort) ? efforts[effort] : undefined
  if (fields) return { ...always, ...fields }
  const known = Object.keys(efforts).join(', ')
  warn(
    `The reasoning effort "${effort}" is not known to this API, which knows ${known}: it is left out.`,
  )
  return always
}

function formatOf(
  format: Sampling['response_format'],
  { formats }: ChatDialect,
  warn: Context['warn'],
): JsonObject | undefined {
  if (format?.type === 'json') return { type: 'json_object' }
  if (format?.type !== 'json-schema') return undefined
  if (!formats.includes('json-schema')) {
    warn('This API holds no answer to a schema: any JSON object is asked for instead.')
    return { type: 'json_object' }
  }
  const { schema, name = 'answer', description } = format
  const json_schema = { name, schema, strict: isStrict(schema), ...defined({ description }) }
  return { type: 'json_schema', json_schema }
}
