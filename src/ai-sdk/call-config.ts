import type { CallerTool, ConfigLayer, OpenedConfig } from '@braidwork/core'
import { readableSettingsSchema } from '@braidwork/core/internal'
import { isObject, type ToolChoice } from '@braidwork/plugin'
import type { Warning } from './answer-types.ts'
import type { CallOptions, FunctionTool, ProviderTool, ToolChoiceInput } from './call-types.ts'
import { ownOptions } from './metadata.ts'

/** What a call asks for beside its prompt. */
export interface CallConfig {
  /** Lies over the opened config. */
  readonly layer: ConfigLayer
  readonly tools: readonly CallerTool[]
  readonly warnings: readonly Warning[]
}

/** Reads the options of a call. Options without a counterpart become warnings. */
export function callConfig(options: CallOptions, opened: OpenedConfig): CallConfig {
  const { tools = [] } = options
  const { plugins } = opened.resolved
  const known = settingsOf(plugins.provider)
  const isTopK = options.topK !== undefined && Object.hasOwn(known, 'top_k')
  const settings = { [plugins.provider.name]: { top_k: options.topK } }
  const layer = { ...sampling(options), ...(isTopK ? { settings } : {}) }
  return {
    // What the program says of this one call comes first; the options of the AI SDK lie over it.
    layer: { ...ownOptions(options.providerOptions), ...layer },
    tools: tools.flatMap((tool) => (tool.type === 'function' ? [callerTool(tool)] : [])),
    warnings: [
      ...(options.topK !== undefined && !isTopK ? [unsupported('topK')] : []),
      ...headerWarnings(options.headers),
      ...tools.flatMap(toolWarnings),
    ],
  }
}

/** The choice of the call, or undefined if it leaves that of the config. */
export function toolChoiceOf(
  choice: ToolChoiceInput | undefined,
  modelName: (name: string) => string,
): ToolChoice | undefined {
  return choice?.type === 'tool' ? { tool: modelName(choice.toolName) } : choice?.type
}

function sampling(options: CallOptions): ConfigLayer {
  const { stopSequences, reasoning } = options
  const given = {
    max_output_tokens: options.maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    presence_penalty: options.presencePenalty,
    frequency_penalty: options.frequencyPenalty,
    seed: options.seed,
    stop: stopSequences && stopSequences.length > 0 ? stopSequences : undefined,
    reasoning_effort: reasoning === 'provider-default' ? undefined : reasoning,
    response_format: formatOf(options.responseFormat),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Text is what the AI SDK asks for by default, so it leaves the format of the config. */
function formatOf(format: CallOptions['responseFormat']) {
  if (format?.type !== 'json') return undefined
  const { schema, name, description } = format
  if (!isObject(schema)) return { type: 'json' as const }
  return {
    type: 'json-schema' as const,
    schema: withoutDialect(schema),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  }
}

function callerTool({ name, description = '', inputSchema }: FunctionTool): CallerTool {
  const schema = isObject(inputSchema) ? withoutDialect(inputSchema) : {}
  const input_schema = { type: 'object', ...schema }
  return { name, description, input_schema, replaces: true, source: 'the AI SDK' }
}

/** The AI SDK names draft 7 in every schema. What it writes there means the same in the host's draft. */
function withoutDialect({ $schema: _, ...schema }: { readonly [key: string]: unknown }) {
  return schema
}

function toolWarnings(tool: FunctionTool | ProviderTool): Warning[] {
  if (tool.type !== 'function') return [unsupported(`provider-defined tool ${tool.id}`)]
  return tool.inputExamples === undefined ? [] : [unsupported(`inputExamples of ${tool.name}`)]
}

/** The AI SDK always names itself in `user-agent`. Other headers are settings of the provider. */
function headerWarnings(headers: CallOptions['headers'] = {}): Warning[] {
  const names = Object.keys(headers).filter(
    (name) => name.toLowerCase() !== 'user-agent' && headers[name] !== undefined,
  )
  const details = 'Set headers in the settings of the provider.'
  return names.length > 0 ? [{ ...unsupported('headers'), details }] : []
}

function unsupported(feature: string): Extract<Warning, { type: 'unsupported' }> {
  return { type: 'unsupported', feature }
}

function settingsOf(provider: Parameters<typeof readableSettingsSchema>[0]): object {
  const properties = readableSettingsSchema(provider)?.['properties']
  return isObject(properties) ? properties : {}
}
