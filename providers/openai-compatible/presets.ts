import { type ChatDialect, COMMON, efforts, MEGABYTE } from '@braidwork/model-api'
import type { JsonObject } from '@braidwork/plugin'

/** A server with a chat completions API, as data. A new server needs an entry here and a recording. */
export interface Preset {
  readonly title: string
  readonly baseUrl: string
  /** The environment variable of its key; absent for a server on the user's own machine. */
  readonly variable?: string
  /** The models offered without asking the server; the first is the default. */
  readonly models: readonly string[]
  /** The seconds to wait for response headers: a server on the user's machine may first load the model. */
  readonly connect?: number
  /** Whether the server refuses a request without a model. Others then ask the only one that they have. */
  readonly needsModel?: boolean
  /** Matches the ids of models that reason before they answer. */
  readonly reasons: RegExp
  /** The differences from the common dialect. */
  readonly dialect: Partial<ChatDialect>
  /** Differences for some of its models. The first matching entry applies. */
  readonly variants?: readonly { readonly models: RegExp; readonly dialect: Partial<ChatDialect> }[]
}

/** A table that maps each effort to its body fields. */
const each = (names: readonly string[], fieldsOf: (effort: string) => JsonObject) =>
  Object.fromEntries(names.map((effort) => [effort, fieldsOf(effort)]))

/** As long as Ollama itself waits for a model to load. */
const LOADING = 300

const USUAL = ['low', 'medium', 'high'] as const

/**
 * Chat templates read reasoning switches from `chat_template_kwargs`, under either of two names. Some models, and
 * newer servers, also accept an effort. "none" is sent without it, since older servers refuse it as an effort.
 */
const TEMPLATE_EFFORTS = {
  none: { chat_template_kwargs: { enable_thinking: false, thinking: false } },
  ...each(USUAL, (reasoning_effort) => ({
    reasoning_effort,
    chat_template_kwargs: { enable_thinking: true, thinking: true, reasoning_effort },
  })),
}

const ANY_THINKER =
  /\br1\b|reason|think|qwq|qwen-?3|gpt-oss|magistral|glm-[4-9]|minimax|kimi-k|deepseek-(v[4-9]|flash)|gemma-?4|nemotron|cogito/i

export const PRESETS = {
  deepseek: {
    title: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com',
    variable: 'DEEPSEEK_API_KEY',
    models: ['deepseek-flash', 'deepseek-v4-pro'],
    reasons: /^(?!deepseek-chat)/,
    dialect: {
      formats: ['json'],
      seed: 'none',
      refusesTemperature: true,
      choicesReasoning: ['none'],
      hasParallelToolCalls: false,
      efforts: {
        none: { thinking: { type: 'disabled' } },
        ...each(['minimal', ...USUAL, 'xhigh', 'max'], (reasoning_effort) => ({
          thinking: { type: 'enabled' },
          reasoning_effort,
        })),
      },
      returnsReasoning: 'always',
      requiredReasoning: 'reasoning_content',
      files: [],
    },
    variants: [{ models: /flash/, dialect: { files: ['image'] } }],
  },
  groq: {
    title: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    variable: 'GROQ_API_KEY',
    models: ['openai/gpt-oss-120b', 'openai/gpt-oss-20b'],
    reasons: /gpt-oss|qwen-?3|qwq|deepseek-r1/,
    dialect: {
      maxTokens: 'max_completion_tokens',
      efforts: {},
      files: ['image'],
    },
    variants: [
      { models: /gpt-oss/, dialect: { efforts: efforts('reasoning_effort', ...USUAL) } },
      {
        models: /qwen|qwq|deepseek-r1/,
        dialect: {
          // Without this, the reasoning is part of the text, between tags.
          reasoning: { reasoning_format: 'parsed' },
          efforts: {
            none: { reasoning_effort: 'none' },
            ...each(USUAL, () => ({ reasoning_effort: 'default' })),
          },
        },
      },
    ],
  },
  xai: {
    title: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    variable: 'XAI_API_KEY',
    models: ['grok-4.3', 'grok-4.7', 'grok-4.6'],
    reasons: /grok-(3-mini|[4-9]|code|build|latest)(?!.*non-reasoning)/,
    dialect: {
      maxTokens: 'max_completion_tokens',
      refusesStop: true,
      // Some models choose their effort themselves and refuse the parameter.
      efforts: {},
      returnsReasoning: 'never',
      files: ['image'],
    },
    variants: [
      { models: /grok-3-mini/, dialect: { efforts: efforts('reasoning_effort', 'low', 'high') } },
      {
        models: /grok-4\.3|grok-latest/,
        dialect: { efforts: efforts('reasoning_effort', 'none', ...USUAL) },
      },
      { models: /grok-4\.5/, dialect: { efforts: efforts('reasoning_effort', ...USUAL) } },
      {
        models: /grok-4\.[6-9]|multi-agent/,
        dialect: { efforts: efforts('reasoning_effort', ...USUAL, 'xhigh') },
      },
    ],
  },
  mistral: {
    title: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    variable: 'MISTRAL_API_KEY',
    models: ['mistral-medium-latest', 'mistral-large-latest', 'mistral-small-latest'],
    reasons: /magistral|mistral-(small|medium)|glm/,
    dialect: {
      seed: 'random_seed',
      required: 'any',
      asksForUsage: false,
      efforts: {},
      returnsReasoning: 'always',
      callIds: { pattern: /^[a-zA-Z0-9]{9}$/, longest: 9 },
      hasUserAfterTools: false,
      files: ['image', 'audio', 'pdf'],
      urls: ['image', 'document'],
      documents: 'document_url',
      largestFile: 50 * MEGABYTE,
    },
    variants: [
      {
        models: /magistral|mistral-(small|medium)|glm/,
        dialect: { efforts: efforts('reasoning_effort', 'none', 'high') },
      },
    ],
  },
  openrouter: {
    title: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    variable: 'OPENROUTER_API_KEY',
    models: ['openrouter/auto'],
    reasons: ANY_THINKER,
    dialect: {
      efforts: each(['none', 'minimal', ...USUAL, 'xhigh', 'max'], (effort) => ({
        reasoning: { effort },
      })),
      returnsReasoning: 'always',
      files: ['image', 'audio', 'pdf'],
      urls: ['image', 'document'],
      largestFile: 50 * MEGABYTE,
    },
  },
  together: {
    title: 'Together',
    baseUrl: 'https://api.together.ai/v1',
    variable: 'TOGETHER_API_KEY',
    models: ['openai/gpt-oss-120b', 'meta-llama/Llama-3.3-70B-Instruct-Turbo'],
    reasons: ANY_THINKER,
    dialect: {
      efforts: {
        none: { reasoning: { enabled: false } },
        ...each(USUAL, () => ({ reasoning: { enabled: true } })),
      },
      files: ['image'],
    },
    variants: [{ models: /gpt-oss/, dialect: { efforts: efforts('reasoning_effort', ...USUAL) } }],
  },
  ollama: {
    title: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    models: [],
    connect: LOADING,
    needsModel: true,
    reasons: ANY_THINKER,
    dialect: {
      choices: [],
      choicesReasoning: [],
      hasParallelToolCalls: false,
      efforts: efforts('reasoning_effort', 'none', ...USUAL, 'max'),
      files: ['image'],
      urls: [],
    },
  },
  'lm-studio': {
    title: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    models: [],
    connect: LOADING,
    reasons: ANY_THINKER,
    dialect: {
      choices: ['none', 'required'],
      choicesReasoning: ['none', 'required'],
      formats: ['json-schema'],
      hasParallelToolCalls: false,
      efforts: efforts('reasoning_effort', 'none', ...USUAL),
      files: ['image'],
      urls: [],
    },
  },
  vllm: {
    title: 'vLLM',
    baseUrl: 'http://127.0.0.1:8000/v1',
    models: [],
    connect: LOADING,
    reasons: ANY_THINKER,
    dialect: { efforts: TEMPLATE_EFFORTS, files: ['image', 'audio'] },
  },
  'llama-cpp': {
    title: 'llama.cpp',
    baseUrl: 'http://127.0.0.1:8080/v1',
    models: [],
    connect: LOADING,
    reasons: ANY_THINKER,
    dialect: {
      choices: ['none', 'required'],
      choicesReasoning: ['none', 'required'],
      efforts: TEMPLATE_EFFORTS,
      returnsReasoning: 'always',
      files: ['image', 'audio'],
    },
  },
} as const satisfies { readonly [name: string]: Preset }

export type PresetName = keyof typeof PRESETS

/** A preset's complete dialect for one of its models. */
export function dialectOf({ dialect, variants = [] }: Preset, model: string): ChatDialect {
  const variant = variants.find(({ models }) => models.test(model))
  return { ...COMMON, ...dialect, ...variant?.dialect }
}
