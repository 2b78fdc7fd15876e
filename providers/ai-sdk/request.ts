import { defined, type Sampling, samplingOf } from '@braidwork/model-api/exchange'
import type { Config, Context, JsonObject, ModelTool } from '@braidwork/plugin'
import type { Specification } from './model-types.ts'
import { settingsOf } from './settings.ts'

interface RequestInput {
  readonly prompt: readonly JsonObject[]
  readonly tools: readonly ModelTool[]
  readonly config: Config
  readonly specification: Specification
  readonly warn: Context['warn']
}

/** The native request: the options of a call as JSON, in the form of version 7. Those that no model has are told. */
export function requestOf({
  prompt,
  tools,
  config,
  specification,
  warn,
}: RequestInput): JsonObject {
  const settings = settingsOf(config)
  const sampling = samplingOf(config, settings)
  warnOfUnknown(sampling, warn)
  return {
    prompt,
    ...defined({
      maxOutputTokens: sampling.max_output_tokens,
      temperature: sampling.temperature,
      topP: sampling.top_p,
      topK: settings.top_k ?? askedTopK(config),
      presencePenalty: sampling.presence_penalty,
      frequencyPenalty: sampling.frequency_penalty,
      stopSequences: typeof sampling.stop === 'string' ? [sampling.stop] : sampling.stop,
      seed: sampling.seed,
      responseFormat: formatOf(sampling.response_format),
      reasoning: effortOf(sampling.reasoning_effort, specification, warn),
      tools: tools.length > 0 ? tools.map(toolOf) : undefined,
      toolChoice: tools.length > 0 ? choiceOf(sampling.tool_choice) : undefined,
      providerOptions: settings.provider_options,
    }),
  }
}

/** What a client of the Messages API sets, beside the settings of the operator. */
function askedTopK(config: Config): number | undefined {
  const { top_k } = config as Config & { readonly top_k?: number }
  return top_k
}

const OF_PROVIDERS = 'settings.ai-sdk.provider_options'

/** Keys of the config that the AI SDK leaves to the options of each provider. */
function warnOfUnknown(sampling: Sampling, warn: Context['warn']): void {
  const { logit_bias, user, metadata, parallel_tool_calls: isParallel } = sampling
  const given = defined({ logit_bias, user, metadata, parallel_tool_calls: isParallel })
  for (const key of Object.keys(given)) {
    if (key === 'parallel_tool_calls' && isParallel === true) continue
    warn(`The AI SDK has no option "${key}" for all providers. Set it in ${OF_PROVIDERS}.`)
  }
}

function effortOf(
  effort: Sampling['reasoning_effort'],
  specification: Specification,
  warn: Context['warn'],
): string | undefined {
  if (effort === undefined) return undefined
  if (specification === 'v4' && typeof effort === 'string') return effort
  const what = typeof effort === 'number' ? 'A number of reasoning tokens' : 'The reasoning effort'
  const who =
    specification === 'v4' ? 'the AI SDK' : `a model of the specification ${specification}`
  warn(`${what} is no option of ${who}. Set it in ${OF_PROVIDERS}.`)
  return undefined
}

function formatOf(format: Sampling['response_format']): JsonObject | undefined {
  if (format === undefined || format.type === 'text') return undefined
  if (format.type === 'json') return { type: 'json' }
  const { schema, name, description } = format
  return { type: 'json', ...defined({ schema, name, description }) }
}

function toolOf({ name, description, input_schema: inputSchema, strict }: ModelTool): JsonObject {
  return { type: 'function', name, inputSchema, ...defined({ description, strict }) }
}

function choiceOf(choice: Sampling['tool_choice']): JsonObject | undefined {
  if (choice === undefined) return undefined
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool }
}
