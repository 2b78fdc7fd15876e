import { type ConfigLayer, type Host, mergeLayers } from '@braidwork/core'
import { stackLayers } from '@braidwork/core/internal'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { toolless } from './without-tools.ts'

/**
 * The keys of a config that shape an answer, with the values under which they shape nothing. A layer cannot remove a
 * key of the layer below. A setting of a provider with the same name takes precedence over the key.
 */
const NEUTRAL: ConfigLayer = {
  tool_choice: 'auto',
  parallel_tool_calls: true,
  response_format: { type: 'text' },
  stop: [],
  presence_penalty: 0,
  frequency_penalty: 0,
  logit_bias: {},
}

/** The fields of a request to a model API that shape an answer, as the setting `body` of a provider may have them. */
const SHAPING: ReadonlySet<string> = new Set(
  [
    Object.keys(NEUTRAL),
    ['tools', 'functions', 'function_call', 'max_tool_calls'],
    ['text', 'output_config', 'output_format', 'format', 'json_schema', 'grammar'],
    ['guided_json', 'guided_regex', 'guided_choice', 'guided_grammar', 'structured_outputs'],
    ['n', 'best_of', 'seed', 'random_seed', 'logprobs', 'top_logprobs'],
    ['modalities', 'audio', 'prediction', 'stop_sequences'],
    ['max_tokens', 'max_completion_tokens', 'max_output_tokens'],
  ].flat(),
)

/**
 * The layer under which a model is asked for nothing but text: no tools, no features, which would change the messages,
 * and nothing that shapes the answers of the agent, such as a schema or stop texts. Model, provider, access, limits and
 * sampling stay as the config has them.
 * @param asked what the request itself says. It takes precedence over the config and over settings of providers
 */
export function textOnly(host: Host, config: ConfigLayer, asked: ConfigLayer = {}): ConfigLayer {
  const whole = mergeLayers(host.config, config, asked)
  const neutral = Object.entries(NEUTRAL).filter(([key]) => whole[key] !== undefined)
  const own = { ...NEUTRAL, ...asked }
  const settings = Object.entries(whole.settings ?? {}).map(
    ([plugin, given]) => [plugin, changedIn(given, own)] as const,
  )
  return stackLayers(
    config,
    toolless(host, stackLayers(config, asked), ['feature']),
    Object.fromEntries(neutral),
    { settings: Object.fromEntries(settings) },
    asked,
  )
}

/** The settings of a plugin that would take precedence over keys of the config, or name them in the body. */
function changedIn(given: JsonObject, own: ConfigLayer): JsonObject {
  const same = Object.keys(given).filter((key) => own[key] !== undefined && key !== 'model')
  const { body } = given
  return {
    ...Object.fromEntries(same.map((key) => [key, own[key]])),
    ...(isObject(body) ? { body: unshaped(body) } : {}),
  }
}

function unshaped(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !SHAPING.has(key)))
}
