import type { Config, Context, Message, Part } from '@braidwork/plugin'
import type { Content, NativeMessage } from './native.ts'
import type { Reasoning, ScriptedRequest } from './request.ts'
import type { ScriptedSettings } from './settings.ts'

/** Converts core messages and config to a native request. */
export function toRequest(
  messages: readonly Message[],
  settings: ScriptedSettings,
  context: Context,
): ScriptedRequest {
  const { config } = context
  const model = config.model ?? DEFAULT_MODEL
  warnOfIgnored(config, context)
  return {
    model,
    messages: messages.map(toNativeMessage),
    tools: toolsOf(model, context),
    tool_choice: config.tool_choice ?? 'auto',
    parallel_tool_calls: config.parallel_tool_calls ?? true,
    reasoning: reasoningOf(model, config),
    ...(typeof config.reasoning_effort === 'number'
      ? { max_reasoning_tokens: config.reasoning_effort }
      : {}),
    stop: [config.stop ?? []].flat().filter((text) => text !== ''),
    ...(config.max_output_tokens === undefined
      ? {}
      : { max_output_tokens: config.max_output_tokens }),
    ...(config.response_format === undefined ? {} : { response_format: config.response_format }),
    ...settings,
  }
}

export const DEFAULT_MODEL = 'scripted-1'
export const SMALL_MODEL = 'scripted-mini'
/** The key in `local` under which `init` stores the offered tools. */
export const TOOLS = 'tools'

function toolsOf(model: string, { local, warn }: Context): ScriptedRequest['tools'] {
  const offered = local.get(TOOLS) as Config['tools']
  if (!offered || offered.length === 0) return []
  if (model === SMALL_MODEL) {
    warn(`Model "${model}" takes no tools; ${offered.length} were left out.`)
    return []
  }
  return offered.map(({ name, description = '', input_schema }) => ({
    name,
    description,
    input_schema,
  }))
}

function reasoningOf(model: string, { reasoning_effort: effort }: Config): Reasoning {
  if (model === SMALL_MODEL || effort === 'none' || effort === 0) return 'never'
  return effort === undefined ? 'for-calls' : 'always'
}

const IGNORED = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
] as const

function warnOfIgnored(config: Config, { warn }: Context): void {
  for (const key of IGNORED) {
    if (config[key] !== undefined && config[key] !== 0) {
      warn(`"${key}" has no effect: provider "scripted" answers the same each time.`)
    }
  }
}

function toNativeMessage({ role, parts }: Message): NativeMessage {
  return { role, content: parts.flatMap((part) => toContent(part)) }
}

function toContent(part: Part): Content[] {
  const own = part.providerMetadata?.['scripted'] as { readonly id?: unknown } | undefined
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }]
    case 'reasoning':
      // Reasoning of other providers is dropped.
      return typeof own?.id === 'string' ? [{ type: 'reasoning', text: part.text, id: own.id }] : []
    case 'file': {
      const { mediaType: media_type, data, url, name } = part
      return [{ type: 'file', media_type, ...present({ data, url, name }) }]
    }
    case 'tool-call':
      return toCall(part, own !== undefined)
    case 'tool-result':
      return toResult(part, own !== undefined)
    default:
      return []
  }
}

function toCall(part: Extract<Part, { type: 'tool-call' }>, isOwn: boolean): Content[] {
  const { callId: id, name, input, providerExecuted } = part
  const call = { type: 'tool_call', id, name, arguments: asText(input) } as const
  if (!providerExecuted) return [call]
  if (isOwn) return [{ ...call, provider_executed: true }]
  return [{ type: 'text', text: `[${name} was called with ${asText(input)}]` }]
}

function toResult(part: Extract<Part, { type: 'tool-result' }>, isOwn: boolean): Content[] {
  const { callId: id, name, output, isError, providerExecuted } = part
  if (providerExecuted && !isOwn)
    return [{ type: 'text', text: `[${name} gave ${asText(output)}]` }]
  return [{ type: 'tool_result', id, name, output, ...(isError ? { is_error: true } : {}) }]
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
