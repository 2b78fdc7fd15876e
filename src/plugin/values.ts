import type { Kind } from './kinds.ts'

const P = 'provider'
const E = 'extension'
const F = 'feature'
const T = 'tool'

/** A plugin member that is a value, or a function that returns the value. */
export interface PluginValue {
  readonly kinds: readonly Kind[]
  readonly python: string
  /** The arguments of such a function. Without this field it has none. */
  readonly args?: string
  readonly type: 'boolean' | 'strings' | 'object' | 'string'
  readonly about: string
}

/** Every member of a plugin that is a value, once. */
export const VALUES = {
  defaultEnabled: {
    kinds: [E, F, T],
    python: 'default_enabled',
    type: 'boolean',
    about:
      'Whether the plugin is a candidate without being named in the config. The default is true.',
  },
  providers: {
    kinds: [E],
    python: 'providers',
    type: 'strings',
    about: 'The providers that the extension works with. The default is all.',
  },
  requiredTags: {
    kinds: [E, F, T],
    python: 'required_tags',
    type: 'strings',
    about: 'The plugin is off when one of these tags is missing.',
  },
  forbiddenTags: {
    kinds: [E, F, T],
    python: 'forbidden_tags',
    type: 'strings',
    about: 'The plugin is off when one of these tags is provided.',
  },
  configSchema: {
    kinds: [P, E, F, T],
    python: 'config_schema',
    type: 'object',
    about:
      'The JSON Schema of the settings, or a schema of a library such as zod or arktype. `writeOnly` marks a secret. `"x-destination": true` marks a setting that decides where secrets are sent, which callers of a server cannot change. `x-env` names the environment variable that fills a setting. `"x-syntax": "re2"` marks a text as a pattern, which the host checks with the settings. `context.settings` has each `default`; the config has none that was not set.',
  },
  toolSchemaFormat: {
    kinds: [P],
    python: 'tool_schema_format',
    args: 'config',
    type: 'string',
    about:
      'The format of tool schemas that the provider takes: json-schema, openai-strict, anthropic or google. `init` receives the tools in this format as `config.tools`, with `strict` where the API can enforce the schema. Without this value, the schemas are as the tools wrote them. A function receives the config.',
  },
  sections: {
    kinds: [F],
    python: 'sections',
    type: 'object',
    about:
      "The sections of an agent's spec that the feature claims: a JSON Schema for each name. An agent whose section does not match does not run.",
  },
  stateKeys: {
    kinds: [F],
    python: 'state_keys',
    type: 'object',
    about:
      'The state keys of a run that the feature adds: `{merge, initial, shared}` for each key. `merge` is `exclusive`, `sum`, `append` or `assign`.',
  },
  actions: {
    kinds: [F],
    python: 'actions',
    type: 'strings',
    about: 'The keys of the scheduled actions that `handleAction` of the feature runs.',
  },
  effects: {
    kinds: [F],
    python: 'effects',
    type: 'strings',
    about: 'The keys of the effects that `handleEffect` of the feature runs.',
  },
} as const satisfies { readonly [name: string]: PluginValue }

export type ValueName = keyof typeof VALUES
