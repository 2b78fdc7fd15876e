import type { Kind } from './kinds.ts'
import type { HookSignatures } from './signatures.ts'

/** The shape of a hook's answer; `answers.ts` has the check of each. */
export type AnswerShape =
  | 'ids'
  | 'object'
  | 'verdict'
  | 'list'
  | 'native'
  | 'native-state'
  | 'step'
  | 'finals'
  | 'chunks'
  | 'any'

/** Which limit of the config holds where a hook answers with a promise. */
export type HookLimit = 'hook' | 'process_chunk' | 'execute_tool' | 'call'

export interface Hook {
  readonly kinds: readonly Kind[]
  /** Its Python names, the usual one first. */
  readonly python: readonly [string, ...string[]]
  /** Its arguments in order, as the documentation shows them; a request's hooks get `context` last. */
  readonly args: { readonly [K in Kind]?: string } | string
  readonly answer: AnswerShape
  readonly limit: HookLimit
  /** Where the order of plugins shows: asked of each alone, or handed from one to the next. */
  readonly flow: 'each' | 'fold' | 'one'
  /** One sentence: when it runs, and what it is for. */
  readonly about: string
}

const P = 'provider'
const E = 'extension'
const F = 'feature'
const T = 'tool'

/**
 * Every hook, once. The plugin types, the check at load, the answers' checks, the Python names and
 * docs/hooks.md derive from this table. CONTRACT 1
 */
export const HOOKS = {
  getModels: {
    kinds: [P, E, F],
    python: ['get_models'],
    args: { provider: 'config', extension: 'config, models', feature: 'config, models' },
    answer: 'ids',
    limit: 'hook',
    flow: 'fold',
    about:
      'The ids of the models on offer; no I/O. Others than the provider add to its list or take from it.',
  },
  refreshModels: {
    kinds: [P],
    python: ['refresh_models'],
    args: 'config',
    answer: 'ids',
    limit: 'hook',
    flow: 'one',
    about:
      'Asks the API for its models; the only model hook with I/O, run by `host.refreshModels` alone.',
  },
  getModelInfo: {
    kinds: [P],
    python: ['get_model_info'],
    args: 'id, config',
    answer: 'object',
    limit: 'hook',
    flow: 'one',
    about: 'Window, largest output, modalities and prices of a model, as far as they are known.',
  },
  getTags: {
    kinds: [P, E, F, T],
    python: ['get_tags'],
    args: 'config, models',
    answer: 'ids',
    limit: 'hook',
    flow: 'each',
    about: 'The tags that the plugin provides for this config.',
  },
  isEnabled: {
    kinds: [E, F, T],
    python: ['is_enabled'],
    args: 'config, tags, models, context',
    answer: 'verdict',
    limit: 'hook',
    flow: 'each',
    about: 'A verdict of its own: exactly true or false; anything else leaves it to the tags.',
  },
  init: {
    kinds: [P, E, F, T],
    python: ['init'],
    args: {
      provider: 'config',
      tool: 'config',
      extension: 'config, state',
      feature: 'config, state',
    },
    answer: 'object',
    limit: 'hook',
    flow: 'fold',
    about:
      "Starts a request: the provider makes the shared state, others add to it; a tool's state is its own.",
  },
  editMessages: {
    kinds: [E, F],
    python: ['edit_messages'],
    args: 'messages, state',
    answer: 'list',
    limit: 'hook',
    flow: 'fold',
    about: 'Changes the core messages before the provider sees them; works beside any provider.',
  },
  toNative: {
    kinds: [P, E, F],
    python: ['to_native', 'to_native_messages'],
    args: {
      provider: 'messages, state',
      extension: 'messages, native',
      feature: 'messages, native',
    },
    answer: 'native',
    limit: 'hook',
    flow: 'fold',
    about: "Turns core messages into the provider's own format.",
  },
  initializeRequest: {
    kinds: [P, E, F],
    python: ['initialize_request'],
    args: 'native, state',
    answer: 'native-state',
    limit: 'hook',
    flow: 'fold',
    about: 'The last look at the native request before it is sent.',
  },
  call: {
    kinds: [P],
    python: ['call', 'call_api'],
    args: 'native, state',
    answer: 'step',
    limit: 'call',
    flow: 'one',
    about: 'Asks the API and waits for the whole answer.',
  },
  stream: {
    kinds: [P],
    python: ['stream', 'stream_api'],
    args: 'native, state',
    answer: 'chunks',
    limit: 'hook',
    flow: 'one',
    about:
      'Asks the API and yields its chunks as they come; an array is several that arrived together.',
  },
  processChunk: {
    kinds: [P, E],
    python: ['process_chunk'],
    args: { provider: 'chunk, native, state', extension: 'chunk, partials, finals, native, state' },
    answer: 'step',
    limit: 'process_chunk',
    flow: 'fold',
    about: 'Turns one chunk into events (partials) and native messages (finals); the hot path.',
  },
  finalize: {
    kinds: [P, E, F],
    python: ['finalize'],
    args: {
      provider: 'native, state',
      extension: 'finals, native, state',
      feature: 'finals, native, state',
    },
    answer: 'finals',
    limit: 'hook',
    flow: 'fold',
    about: 'After the answer: the provider adds what finals are left, others change them.',
  },
  fromNative: {
    kinds: [P, E, F],
    python: ['from_native', 'from_native_messages'],
    args: { provider: 'natives, state', extension: 'natives, core', feature: 'natives, core' },
    answer: 'list',
    limit: 'hook',
    flow: 'fold',
    about:
      'Native messages to core ones; an extension is given events too, told apart by `context.phase` (an event has a `type`, a message none).',
  },
  getToolSchemas: {
    kinds: [T],
    python: ['get_tool_schemas'],
    args: 'state',
    answer: 'list',
    limit: 'hook',
    flow: 'each',
    about: 'The schemas that the tool offers to the model.',
  },
  executeTool: {
    kinds: [T],
    python: ['execute_tool'],
    args: 'call, state',
    answer: 'any',
    limit: 'execute_tool',
    flow: 'one',
    about: 'Runs one call of the model, its arguments validated.',
  },
  getUiElements: {
    kinds: [P, E, F, T],
    python: ['get_ui_elements'],
    args: 'config, {tags, models, available_tools, tools}',
    answer: 'list',
    limit: 'hook',
    flow: 'each',
    about:
      'Elements for forms, asked for by `host.uiSchema` alone: `{id, kind, title, schema?, action_owner?}`, a setting or an action.',
  },
  runAction: {
    kinds: [E, F],
    python: ['run_action'],
    args: 'id, input',
    answer: 'any',
    limit: 'hook',
    flow: 'one',
    about: 'Runs one of its own actions.',
  },
  close: {
    kinds: [P, E, F, T],
    python: ['close'],
    args: '',
    answer: 'any',
    limit: 'hook',
    flow: 'each',
    about: 'The host is closing: let go of what is open.',
  },
} as const satisfies { readonly [H in keyof HookSignatures]: Hook }

export type HookName = keyof typeof HOOKS

/** A member that is a value, or a function that gives it. */
export interface PluginValue {
  readonly kinds: readonly Kind[]
  readonly python: string
  /** What such a function is given, as with hooks; nothing, unless it is said here. */
  readonly args?: string
  readonly type: 'boolean' | 'strings' | 'object' | 'string'
  readonly about: string
}

export const VALUES = {
  defaultEnabled: {
    kinds: [E, F, T],
    python: 'default_enabled',
    type: 'boolean',
    about: 'Whether it is a candidate without being asked for; true unless said otherwise.',
  },
  providers: {
    kinds: [E],
    python: 'providers',
    type: 'strings',
    about: 'The providers that it serves; all unless said otherwise.',
  },
  requiredTags: {
    kinds: [E, F, T],
    python: 'required_tags',
    type: 'strings',
    about: 'Tags without which it is off.',
  },
  forbiddenTags: {
    kinds: [E, F, T],
    python: 'forbidden_tags',
    type: 'strings',
    about: 'Tags beside which it is off.',
  },
  configSchema: {
    kinds: [P, E, F, T],
    python: 'config_schema',
    type: 'object',
    about:
      'JSON Schema of its settings, also from a library (zod, arktype); `writeOnly` marks a secret, `x-env` names its variable, `"x-syntax": "re2"` says that a text is a pattern, which is checked with the settings.',
  },
  toolSchemaFormat: {
    kinds: [P],
    python: 'tool_schema_format',
    args: 'config',
    type: 'string',
    about:
      'Which tool schemas it takes: json-schema, openai-strict, anthropic or google. The `tools` of the config that `init` is given have them so, with `strict` where the API can hold its model to them; without it they are as the tools wrote them. As a function it is given the config, on which it may depend.',
  },
} as const satisfies { readonly [name: string]: PluginValue }

export type ValueName = keyof typeof VALUES

/** Which limit holds for a hook, or for a value that is a function. */
export function limitOf(name: HookName | ValueName): HookLimit {
  const hooks: { readonly [name: string]: Hook } = HOOKS
  return hooks[name]?.limit ?? 'hook'
}
