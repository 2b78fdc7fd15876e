/** Keys inside the values of others, which the guides describe within a sentence. */
interface Inner {
  /** The path of the keys in a config, as for a table of a guide. */
  readonly place: readonly string[]
  readonly keys: { readonly [key: string]: string }
}

const EACH = '*'
const AGENT = ['agents', EACH] as const
const TOKEN = ['server', 'tokens', EACH] as const

const SWITCHES = {
  add: 'Plugins that are added to the list of the layers below.',
  remove: 'Plugins that are taken out of the list of the layers below.',
}
const KINDS = {
  input: 'The kinds of content that the model takes, such as `text` and `image`.',
  output: 'The kinds of content that the model makes, such as `text`.',
}
const PRICES = {
  input: 'US dollars per million tokens of input.',
  output: 'US dollars per million tokens of output.',
}
const AMOUNTS = {
  requests_per_minute: 'The most requests in 60 seconds.',
  requests_per_day: 'The most requests in 24 hours.',
  tokens_per_day: 'The most tokens of input and output in 24 hours.',
  cost_per_day: 'The most US dollars in 24 hours, where prices are known.',
}
const STOP_CONDITION = {
  type: 'The kind of the condition.',
  rounds: 'The run stops after this many steps.',
  seconds: 'The run stops when it has worked this long. Waiting for a person does not count.',
  max_total:
    'The run stops when its requests have used this many tokens, input and output together.',
  max_dollars: 'The run stops when it has cost this many US dollars. The prices must be known.',
  max: 'The run stops when this many calls have failed, and none in between has succeeded.',
  tool_name: 'The run stops when the model calls this tool. The call does not run.',
  pattern: 'The run stops when the text of an answer has a match for this RE2 pattern.',
  window: 'The run stops when this many answers in a row are equal, and not empty.',
}
const ENDPOINT = {
  backend: 'The protocol, such as `a2a`.',
  base_url: 'The address of the agent, http or https, without a query.',
  auth: 'The token that each request carries.',
  target: 'Which agent is meant, if several have the address.',
  timeout_ms: 'The longest time of a run in milliseconds. Default: 300,000.',
  options: 'Other options of the backend.',
}
const REQUIREMENTS = {
  context_window: 'The fewest tokens of the context window.',
  max_output_tokens: 'The fewest tokens of an answer that the model can give.',
  modalities: 'The kinds of content that each model takes and makes.',
  tags: 'Tags that are provided with each model, such as `tools`.',
}

/** The places of the spec of a model. */
const MODELS = [
  ['models', EACH],
  ['models', EACH, EACH],
  ['models', EACH, 'candidates', EACH],
] as const
/** The places of the rights of a caller. */
const RIGHTS = [TOKEN, ['server', 'oidc']] as const

export const INNER: readonly Inner[] = [
  ...['enabled_plugins', 'disabled_plugins', 'force_enabled_plugins'].map((key) => ({
    place: [key],
    keys: SWITCHES,
  })),
  { place: ['tool_choice'], keys: { tool: 'The name of the tool that the model has to call.' } },
  {
    place: ['response_format'],
    keys: {
      type: 'The kind of format: text, JSON, or JSON of a schema.',
      schema: 'The JSON Schema of the answer.',
      name: 'The name of the schema, for the model.',
      description: 'What the schema is for, for the model.',
    },
  },
  {
    place: ['server', 'models', EACH],
    keys: {
      title: 'The name that people read.',
      config: "A layer over the server's config.",
      host_tools: '`none`: the tools of the host are not offered.',
    },
  },
  {
    place: TOKEN,
    keys: {
      token: 'The token, at least 16 characters.',
      id: 'Who calls with the token.',
      role: '`user`; `admin`, who sees the settings of all plugins; or `monitor`, who may only read metrics. Default: `user`.',
      models:
        'The names of models and ids of agents that the caller may use, or limits by name. By default all.',
      limits: 'The limits of the token, over all models.',
      host_tools: '`none`: the tools of the host are not offered to the caller.',
      scope: 'A text for plugins, as the scope of the caller.',
      data: 'An object for plugins, as the data of the caller.',
    },
  },
  ...RIGHTS.flatMap((place) => [
    { place: [...place, 'limits'], keys: AMOUNTS },
    { place: [...place, 'models', EACH], keys: AMOUNTS },
  ]),
  {
    place: ['server', 'telemetry'],
    keys: { content: 'Whether arguments, results and answers are attributes. Default: `false`.' },
  },
  {
    place: ['server', 'push_notifications'],
    keys: { allow_private: 'Whether receivers may have private addresses. Default: `false`.' },
  },
  { place: [...AGENT, 'stop_conditions', EACH], keys: STOP_CONDITION },
  {
    place: [...AGENT, 'context_policy'],
    keys: {
      enable_prompt_cache:
        'Whether the extension `prompt-cache` is on, where it is installed and the provider has the tag `prompt-caching`. Default: `true`.',
    },
  },
  {
    place: [...AGENT, 'team', 'members', EACH],
    keys: {
      agent: 'The id of the agent.',
      type: 'The kind of work that the member does.',
      capabilities: 'What the member can do.',
    },
  },
  {
    place: [...AGENT, 'sections'],
    keys: {
      compaction: 'How the conversation is compacted.',
      retry: 'Which failed requests are repeated, and when.',
      permission: 'Which tools may run, over the `tool_policy` of the config.',
    },
  },
  {
    place: [...AGENT, 'sections', 'permission'],
    keys: { rules: 'What may run. Of two rules for a tool, the later one counts.' },
  },
  {
    place: [...AGENT, 'sections', 'permission', 'rules', EACH],
    keys: {
      tool: 'The name of the tool.',
      decision: 'Whether the tool runs, asks first or is refused.',
    },
  },
  { place: [...AGENT, 'endpoint'], keys: ENDPOINT },
  {
    place: [...AGENT, 'endpoint', 'auth'],
    keys: { type: 'The scheme of the token.', token: 'The token.' },
  },
  ...MODELS.flatMap((place) => [
    { place: [...place, 'modalities'], keys: KINDS },
    { place: [...place, 'prices'], keys: PRICES },
  ]),
  { place: ['models', EACH, 'requires'], keys: REQUIREMENTS },
  { place: ['models', EACH, 'requires', 'modalities'], keys: KINDS },
]
