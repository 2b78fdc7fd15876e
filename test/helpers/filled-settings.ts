import type { ConfigLayer } from '../../src/core/index.ts'
import { extension } from './plugins.ts'

/** One form for each: together they show every plugin. */
export const PROVIDERS = [
  'ai-sdk',
  'anthropic',
  'llm',
  'openai',
  'openai-compatible',
  'scripted',
  'smollm',
] as const

/** What a person does in a form: to the field at `keys` of the category, in whatever way the form has. */
export interface FillingStep {
  /** The plugin whose category it is; none for the host's own. */
  readonly plugin?: string
  readonly keys: readonly string[]
  readonly type?: string | number
  readonly choose?: string
  readonly check?: boolean
  /** Rows of a list, each a text, or texts by their keys. */
  readonly add?: readonly (string | { readonly [key: string]: string })[]
  /** The rows are chosen, not typed. */
  readonly pick?: true
}

/** A setting of every kind that a form has a field for, and one that a rule shows. */
export const KINDS = extension('kinds', {
  configSchema: {
    type: 'object',
    title: 'Kinds',
    properties: {
      'a name/with ~signs': { type: 'string', title: 'Strange name' },
      sizes: { enum: [1, 2, 3], title: 'Choice of numbers' },
      titled: {
        anyOf: [
          { const: 'a', title: 'First' },
          { const: 'b', title: 'Second' },
        ],
        title: 'Choice with titles',
      },
      either: { enum: [true, false], title: 'Choice of yes and no' },
      fixed: { const: 'only', title: 'One choice' },
      nullable: { type: ['string', 'null'], title: 'Text or nothing' },
      long: { type: 'string', maxLength: 5000, title: 'Long text' },
      day: { type: 'string', format: 'date', title: 'Day' },
      secret: { type: 'string', writeOnly: true, maxLength: 4000, title: 'Long secret' },
      numbers: { type: 'array', items: { type: 'number' }, title: 'Numbers' },
      set: {
        type: 'array',
        items: { type: 'string', enum: ['x', 'y', 'z'] },
        uniqueItems: true,
        title: 'Set',
      },
      group: {
        type: 'object',
        title: 'Group',
        properties: {
          inner: {
            type: 'object',
            title: 'Inner group',
            properties: { deep: { type: 'string', title: 'Deep' } },
          },
        },
      },
      mode: { enum: ['local', 'remote'], default: 'local', title: 'Mode' },
    },
    if: { properties: { mode: { const: 'remote' } }, required: ['mode'] },
    then: { properties: { url: { type: 'string', title: 'Address' } } },
  },
})

/** Whether a step is about a secret. */
export function isSecret({ keys, type }: Pick<FillingStep, 'keys' | 'type'>): boolean {
  return keys.at(-1) === 'proxy' || String(type).includes('sesame')
}

/** The same filling-in for every form. */
export function fillingSteps(provider: string): readonly FillingStep[] {
  const own = (
    plugin: string,
    key: string | readonly string[],
    step: Partial<FillingStep> = {},
  ): FillingStep => ({ plugin, keys: ['settings', plugin, ...[key].flat()], ...step })
  const ofProvider = {
    openai: [
      own('openai', 'api_key', { type: 'sk-typed-sesame' }),
      own('openai', 'proxy'),
      own('openai', 'models', { add: ['gpt-x', 'gpt-y'] }),
    ],
    anthropic: [
      own('anthropic', 'api_key', { type: 'sk-typed-sesame' }),
      own('anthropic', 'betas', { add: ['new-1'] }),
      own('prompt-cache', 'ttl', { choose: '1h' }),
    ],
    'openai-compatible': [
      own('openai-compatible', 'preset', { choose: 'groq' }),
      own('openai-compatible', ['api_keys', 'groq'], { type: 'gsk-typed-sesame' }),
    ],
    'ai-sdk': [
      own('ai-sdk', 'npm_package', { type: '@ai-sdk/openai' }),
      own('ai-sdk', 'api_key', { type: 'sk-typed-sesame' }),
    ],
    llm: [own('llm', 'models', { add: ['echo'] })],
    scripted: [own('scripted', 'delay_ms', { type: 3 })],
    smollm: [own('smollm', 'threads', { type: 2 })],
  }[provider]
  return [
    { keys: ['temperature'], type: 0.5 },
    { keys: ['reasoning_effort'], choose: 'High' },
    { keys: ['stop'], type: 'END' },
    { keys: ['switches', 'calculator'], check: false },
    ...(ofProvider ?? []),
    own('redact', 'rules', { add: ['email', 'iban'], pick: true }),
    own('redact', 'patterns', { add: [{ label: 'STAFF', pattern: 'S\\d{6}' }] }),
    own('word-filter', 'words', { add: ['damn', 'darn'] }),
    own('word-filter', 'replacement', { type: '…' }),
    own('doc-context', 'folder', { type: 'docs' }),
    own('doc-context', 'max_pieces', { type: 3 }),
    own('instructions', 'text', { type: 'Be brief.\nBe kind.' }),
    own('kinds', 'a name/with ~signs', { type: 's' }),
    own('kinds', 'sizes', { type: 2 }),
    own('kinds', 'titled', { choose: 'Second' }),
    own('kinds', 'either', { check: true }),
    own('kinds', 'fixed', { choose: 'only' }),
    own('kinds', 'nullable', { type: 'n' }),
    own('kinds', 'long', { type: 'l' }),
    own('kinds', 'day', { type: '2026-01-02' }),
    own('kinds', 'secret', { type: 'sesame' }),
    own('kinds', 'numbers', { add: ['1', '2.5'] }),
    own('kinds', 'set', { add: ['x', 'z'], pick: true }),
    own('kinds', ['group', 'inner', 'deep'], { type: 'd' }),
    own('kinds', 'url'),
    own('kinds', 'mode', { choose: 'remote' }),
    own('kinds', 'url', { type: 'http://a.example' }),
  ]
}

/** A config to fill in, with all of some plugins on. */
export function configToFill(provider: string, plugins: readonly string[]): ConfigLayer {
  return {
    provider,
    enabled_plugins: plugins,
    response_format: { type: 'json-schema', schema: { type: 'object' } },
    settings: {
      openai: { proxy: 'http://user:sesame@proxy.example' },
      files: { root: '.' },
      'search-docs': { root: '.' },
      guard: { rules: [{ name: 'curse', words: ['damn'], on: 'answer' }] },
      instructions: { text: 'The office is in Ulm.' },
    },
  }
}

/** What comes of that filling-in. */
export function configFilled(
  config: ConfigLayer,
  provider: string,
  plugins: readonly string[],
): ConfigLayer {
  const { settings = {} } = config
  const own = {
    openai: {
      openai: {
        ...settings['openai'],
        api_key: 'sk-typed-sesame',
        models: ['gpt-x', 'gpt-y'],
      },
    },
    anthropic: {
      anthropic: { api_key: 'sk-typed-sesame', betas: ['new-1'] },
      'prompt-cache': { ttl: '1h' },
    },
    'openai-compatible': {
      'openai-compatible': { preset: 'groq', api_keys: { groq: 'gsk-typed-sesame' } },
    },
    'ai-sdk': { 'ai-sdk': { npm_package: '@ai-sdk/openai', api_key: 'sk-typed-sesame' } },
    llm: { llm: { models: ['echo'] } },
    scripted: { scripted: { delay_ms: 3 } },
    smollm: { smollm: { threads: 2 } },
  }[provider]
  return {
    ...config,
    enabled_plugins: plugins.filter((name) => name !== 'calculator'),
    temperature: 0.5,
    reasoning_effort: 'high',
    stop: 'END',
    disabled_plugins: { add: ['calculator'] },
    settings: {
      ...settings,
      ...own,
      redact: {
        rules: ['email', 'iban'],
        patterns: [{ label: 'STAFF', pattern: 'S\\d{6}' }],
      },
      'word-filter': { words: ['damn', 'darn'], replacement: '…' },
      'doc-context': { folder: 'docs', max_pieces: 3 },
      instructions: { text: 'Be brief.\nBe kind.' },
      kinds: {
        'a name/with ~signs': 's',
        sizes: 2,
        titled: 'b',
        either: true,
        fixed: 'only',
        nullable: 'n',
        long: 'l',
        day: '2026-01-02',
        secret: 'sesame',
        numbers: [1, 2.5],
        set: ['x', 'z'],
        group: { inner: { deep: 'd' } },
        mode: 'remote',
        url: 'http://a.example',
      },
    },
  }
}
