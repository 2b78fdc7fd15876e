import type { Hook, HookLimit } from './hook.ts'
import { RUN_HOOKS } from './run-hooks.ts'
import type { HookSignatures } from './signatures.ts'
import { TOOL_CALL_HOOKS } from './tool-call-hooks.ts'
import type { ValueName } from './values.ts'

const P = 'provider'
const E = 'extension'
const F = 'feature'
const T = 'tool'

/**
 * Every hook, once. The plugin types, the check at load, the answers' checks, the Python names and
 * docs/hooks.md derive from this table.
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
      'Lists the ids of the available models, without I/O. Extensions and features may add to the list of the provider or remove from it.',
  },
  refreshModels: {
    kinds: [P],
    python: ['refresh_models'],
    args: 'config',
    answer: 'ids',
    limit: 'hook',
    flow: 'one',
    about:
      'Asks the API for its models. It is the only model hook with I/O, and only `host.refreshModels` calls it.',
  },
  getModelInfo: {
    kinds: [P],
    python: ['get_model_info'],
    args: 'id, config',
    answer: 'object',
    limit: 'hook',
    flow: 'one',
    about:
      'Describes a model: context window, largest output, modalities and prices. Unknown facts are absent.',
  },
  getTags: {
    kinds: [P, E, F, T],
    python: ['get_tags'],
    args: 'config, models',
    answer: 'ids',
    limit: 'hook',
    flow: 'each',
    about: 'Lists the tags that the plugin provides for this config.',
  },
  isEnabled: {
    kinds: [E, F, T],
    python: ['is_enabled'],
    args: 'config, tags, models, context',
    answer: 'verdict',
    limit: 'hook',
    flow: 'each',
    about:
      'Switches the plugin on with `true` or off with `false`. With any other answer, the tags decide.',
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
      "Starts a request. The provider creates the shared state; extensions and features add to it. A tool's state is its own.",
  },
  editMessages: {
    kinds: [E, F],
    python: ['edit_messages'],
    args: 'messages, state',
    answer: 'list',
    limit: 'hook',
    flow: 'fold',
    about:
      'Changes the core messages before the provider converts them. It works with any provider.',
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
    about: "Converts core messages into the provider's native format.",
  },
  initializeRequest: {
    kinds: [P, E, F],
    python: ['initialize_request'],
    args: 'native, state',
    answer: 'native-state',
    limit: 'hook',
    flow: 'fold',
    about: 'Makes the last changes to the native request before it is sent.',
  },
  call: {
    kinds: [P],
    python: ['call', 'call_api'],
    args: 'native, state',
    answer: 'step',
    limit: 'call',
    flow: 'one',
    about: 'Sends the request and waits for the whole answer.',
  },
  stream: {
    kinds: [P],
    python: ['stream', 'stream_api'],
    args: 'native, state',
    answer: 'chunks',
    limit: 'hook',
    flow: 'one',
    about:
      'Sends the request and yields chunks as they arrive. An array stands for several chunks that arrived together.',
  },
  processChunk: {
    kinds: [P, E],
    python: ['process_chunk'],
    args: { provider: 'chunk, native, state', extension: 'chunk, partials, finals, native, state' },
    answer: 'step',
    limit: 'process_chunk',
    flow: 'fold',
    about:
      'Converts one chunk into events (partials) and native messages (finals). It runs for every chunk, so it should be fast. The partials of a provider may also be texts, or messages of the assistant whose parts are appended, as in `stream`. If a provider without `finalize` and `fromNative` gives such partials and no finals, the host gathers the final message.',
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
    about:
      'Runs after the last chunk. The provider adds the remaining finals; extensions and features may change the finals.',
  },
  fromNative: {
    kinds: [P, E, F],
    python: ['from_native', 'from_native_messages'],
    args: { provider: 'natives, state', extension: 'natives, core', feature: 'natives, core' },
    answer: 'list',
    limit: 'hook',
    flow: 'fold',
    about:
      'Converts native messages into core messages. The host also calls extensions for the events of a stream. `context.phase` is then `partials`, and `core` is a list of events. An event has a `type`; a message has none.',
  },
  embed: {
    kinds: [P],
    python: ['embed'],
    args: 'inputs, options',
    answer: 'object',
    limit: 'call',
    flow: 'one',
    about: 'Turns texts, or lists of token ids, into vectors. Only `host.embed` calls it.',
  },
  getToolSchemas: {
    kinds: [T],
    python: ['get_tool_schemas'],
    args: 'state',
    answer: 'list',
    limit: 'hook',
    flow: 'each',
    about: 'Lists the tools that the plugin offers to the model, with their schemas.',
  },
  executeTool: {
    kinds: [T],
    python: ['execute_tool'],
    args: 'call, state',
    answer: 'any',
    limit: 'execute_tool',
    flow: 'one',
    about: 'Runs one tool call, whose arguments the host has validated.',
  },
  ...TOOL_CALL_HOOKS,
  ...RUN_HOOKS,
  getUiElements: {
    kinds: [P, E, F, T],
    python: ['get_ui_elements'],
    args: 'config, {tags, models, available_tools, tools}',
    answer: 'list',
    limit: 'hook',
    flow: 'each',
    about:
      'Lists settings and actions for forms: `{id, kind, title, schema?, action_owner?}`. `host.uiSchema` calls it, and the check of settings that the schema of the plugin does not name.',
  },
  runAction: {
    kinds: [E, F],
    python: ['run_action'],
    args: 'id, input',
    answer: 'any',
    limit: 'hook',
    flow: 'one',
    about: 'Runs one of the actions that the plugin lists in `getUiElements`.',
  },
  close: {
    kinds: [P, E, F, T],
    python: ['close'],
    args: '',
    answer: 'any',
    limit: 'hook',
    flow: 'each',
    about:
      'Runs when the host closes, after the cancelled streams of the plugin have cleaned up, or after a second. It releases open resources.',
  },
} as const satisfies { readonly [H in keyof HookSignatures]: Hook }

export type HookName = keyof typeof HOOKS

/** The name of the limit for a hook, or for a value that is a function. */
export function limitOf(name: HookName | ValueName): HookLimit {
  const hooks: { readonly [name: string]: Hook } = HOOKS
  return hooks[name]?.limit ?? 'hook'
}
