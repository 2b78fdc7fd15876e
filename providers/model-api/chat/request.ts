import type { Config, Context, JsonObject } from '@braidwork/plugin'
import { warnOfLoose } from '../content.ts'
import { defined } from '../json.ts'
import type { Profile } from '../profile.ts'
import type { RequestInput } from '../request-input.ts'
import { type Sampling, samplingOf, settingsOf } from '../settings.ts'
import { isStrict } from '../strict.ts'
import { biasFields, labelFields } from './bias.ts'
import type { ChatDialect } from './dialect.ts'
import { chatMessages } from './history.ts'
import type { ChatSettings } from './settings.ts'
import { toolFields } from './tools.ts'

/** The facts of a server that requests depend on. */
export interface ChatServer {
  readonly profile: Profile
  readonly dialect: ChatDialect
  /** Whether a model reasons before it answers. */
  reasons(model: string): boolean
  /** Body fields that only this server has. */
  fields(config: Config): JsonObject
}

/** Builds the body of a request to the chat completions API. */
export function chatRequest(input: RequestInput, server: ChatServer): JsonObject {
  const { model, config, tools, messages, warn } = input
  const settings: ChatSettings = settingsOf(config, server.profile)
  const sampling = samplingOf(config, settings)
  const { dialect } = server
  const reasons = server.reasons(model)
  const isReasoning = reasons && sampling.reasoning_effort !== 'none'
  const { strict_tools: strict } = settings
  const own = { ...server.fields(config), ...settings.body }
  warnOfLoose(tools, settings, input)
  return {
    model,
    messages: chatMessages(messages, { ...server, reasons, warn }),
    ...toolFields(tools, sampling, { dialect, isReasoning, strict, warn }),
    ...samplingFields(sampling, dialect, { model, reasons, isReasoning, warn }),
    ...labelFields(sampling, { isStored: own['store'] === true, warn }),
    ...own,
  }
}

interface Asked {
  readonly model: string
  /** Whether the model can reason. */
  readonly reasons: boolean
  /** Whether it reasons in this request. */
  readonly isReasoning: boolean
  readonly warn: Context['warn']
}

function samplingFields(sampling: Sampling, dialect: ChatDialect, asked: Asked): JsonObject {
  const { response_format, max_output_tokens } = sampling
  return defined({
    ...(dialect.refusesTemperature ? temperatureFields(sampling, asked) : temperatureOf(sampling)),
    [dialect.maxTokens]: max_output_tokens,
    ...biasFields(sampling, {
      ...asked,
      isRefused: dialect.refusesTemperature && asked.isReasoning,
    }),
    ...stopFields(sampling, dialect, asked),
    ...seedFields(sampling, dialect, asked),
    ...effortFields(sampling, dialect, asked),
    response_format: formatOf(response_format, dialect, asked.warn),
  })
}

function temperatureOf({ temperature, top_p }: Sampling): JsonObject {
  return defined({ temperature, top_p })
}

/** Reasoning models refuse a temperature unless reasoning is turned off. */
export function temperatureFields(
  sampling: Sampling,
  { model, reasons, warn }: Pick<Asked, 'model' | 'reasons' | 'warn'>,
): JsonObject {
  const fields = temperatureOf(sampling)
  const isGiven = Object.keys(fields).length > 0
  if (!isGiven || !reasons || sampling.reasoning_effort === 'none') return fields
  warn(`"${model}" reasons and takes neither temperature nor top_p: they are left out.`)
  return {}
}

function stopFields(
  { stop }: Sampling,
  { refusesStop }: ChatDialect,
  { model, isReasoning, warn }: Asked,
): JsonObject {
  // Some servers refuse an empty list, which stops at nothing.
  if (stop === undefined || stop.length === 0) return {}
  if (!refusesStop || !isReasoning) return { stop }
  warn(`"${model}" reasons and takes no stop sequences: they are left out.`)
  return {}
}

function seedFields({ seed }: Sampling, { seed: field }: ChatDialect, { warn }: Asked): JsonObject {
  if (seed === undefined) return {}
  if (field !== 'none') return { [field]: seed }
  warn('This API takes no seed: it is left out.')
  return {}
}

function effortFields(
  { reasoning_effort: effort }: Sampling,
  { efforts, reasoning }: ChatDialect,
  { model, reasons, warn }: Asked,
): JsonObject {
  const always = reasons ? reasoning : {}
  if (effort === undefined) return always
  const fields = Object.hasOwn(efforts, effort) ? efforts[effort] : undefined
  if (fields) return { ...always, ...fields }
  const known = Object.keys(efforts).join(', ')
  const which = known === '' ? 'which knows none' : `which knows ${known}`
  warn(
    `The reasoning effort "${effort}" is not known to this API for "${model}", ${which}: it is left out.`,
  )
  return always
}

function formatOf(
  format: Sampling['response_format'],
  { formats }: ChatDialect,
  warn: Context['warn'],
): JsonObject | undefined {
  if (format?.type === 'json') {
    if (formats.includes('json')) return { type: 'json_object' }
    warn('This API requires a schema for JSON: a schema that every object matches is sent.')
    return schemaFormat({ name: 'answer', schema: { type: 'object' }, strict: false })
  }
  if (format?.type !== 'json-schema') return undefined
  if (!formats.includes('json-schema')) {
    warn('This API cannot enforce a schema: any JSON object is requested instead.')
    return { type: 'json_object' }
  }
  const { schema, name = 'answer', description } = format
  return schemaFormat({ name, schema, strict: isStrict(schema), ...defined({ description }) })
}

function schemaFormat(json_schema: JsonObject): JsonObject {
  return { type: 'json_schema', json_schema }
}
