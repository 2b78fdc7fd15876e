import { type ChatDialect, COMMON, efforts } from '../model-api/chat/dialect.ts'

/** A server of chat completions, as data: adding one is an entry here and a recording. */
export interface Preset {
  readonly title: string
  readonly baseUrl: string
  /** The variable of its key; a server on the user's own machine needs none. */
  readonly variable?: string
  /** The models on offer without asking, the usual choice first. */
  readonly models: readonly string[]
  /** Which models reason before they answer. */
  readonly reasons: RegExp
  /** What it does otherwise than most. */
  readonly dialect: Partial<ChatDialect>
}

const THINKING = { thinking: { type: 'enabled' } }
const NOT_THINKING = { thinking: { type: 'disabled' } }

/** Chat templates take their switches from here; how vLLM and llama.cpp know of efforts. */
const template = (effort: string) => ({
  chat_template_kwargs: { enable_thinking: true, reasoning_effort: effort },
})

const TEMPLATE_EFFORTS = {
  none: { chat_template_kwargs: { enable_thinking: false } },
  low: template('low'),
  medium: template('medium'),
  high: template('high'),
}

const reasoningEfforts = (...names: readonly string[]) =>
  Object.fromEntries(names.map((effort) => [effort, { reasoning: { effort } }]))

const ANY_THINKER =
  /r1|reason|think|qwq|qwen3|gpt-oss|magistral|glm-4\.[5-9]|glm-5|minimax|kimi-k2/i

export const PRESETS = {
  deepseek: {
    title: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com',
    variable: 'DEEPSEEK_API_KEY',
    models: ['deepseek-flash', 'deepseek-v4-pro'],
    reasons: /reasoner|flash|v4/,
    dialect: {
      formats: ['json'],
      efforts: { none: NOT_THINKING, low: THINKING, medium: THINKING, high: THINKING },
      hasParallelToolCalls: false,
      files: [],
    },
  },
  groq: {
    title: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    variable: 'GROQ_API_KEY',
    models: ['openai/gpt-oss-120b', 'openai/gpt-oss-20b'],
    reasons: /gpt-oss|qwen3|qwq|deepseek-r1/,
    dialect: {
      maxTokens: 'max_completion_tokens',
      // Else the reasoning of some models stands in the text, between tags.
      reasoning: { reasoning_format: 'parsed' },
      efforts: efforts('reasoning_effort', 'none', 'low', 'medium', 'high'),
      files: ['image'],
      largestFile: 4 * 1024 * 1024,
    },
  },
  xai: {
    title: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    variable: 'XAI_API_KEY',
    models: ['grok-4.3', 'grok-4.7', 'grok-4.6'],
    reasons: /grok-(3-mini|4)(?!.*non-reasoning)/,
    dialect: {
      maxTokens: 'max_completion_tokens',
      efforts: efforts('reasoning_effort', 'none', 'low', 'medium', 'high'),
      files: ['image'],
    },
  },
  mistral: {
    title: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    variable: 'MISTRAL_API_KEY',
    models: ['mistral-medium-latest', 'mistral-large-latest', 'mistral-small-latest'],
    reasons: /magistral/,
    dialect: {
      seed: 'random_seed',
      required: 'any',
      asksForUsage: false,
      efforts: efforts('reasoning_effort', 'none', 'high'),
      returnsReasoning: 'always',
      callIds: { pattern: /^[a-zA-Z0-9]{9}$/, longest: 9 },
      files: ['image'],
    },
  },
  openrouter: {
    title: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    variable: 'OPENROUTER_API_KEY',
    models: ['openrouter/auto'],
    reasons: ANY_THINKER,
    dialect: {
      efforts: reasoningEfforts('none', 'minimal', 'low', 'medium', 'high', 'xhigh'),
      returnsReasoning: 'always',
    },
  },
  together: {
    title: 'Together',
    baseUrl: 'https://api.together.xyz/v1',
    variable: 'TOGETHER_API_KEY',
    models: ['openai/gpt-oss-120b', 'meta-llama/Llama-3.3-70B-Instruct-Turbo'],
    reasons: ANY_THINKER,
    dialect: {
      efforts: {
        none: { reasoning: { enabled: false } },
        ...efforts('reasoning_effort', 'low', 'medium', 'high'),
      },
      files: ['image'],
    },
  },
  ollama: {
    title: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    models: [],
    reasons: ANY_THINKER,
    dialect: {
      efforts: efforts('reasoning_effort', 'none', 'low', 'medium', 'high'),
      files: ['image'],
    },
  },
  'lm-studio': {
    title: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    models: [],
    reasons: ANY_THINKER,
    dialect: {
      formats: ['json-schema'],
      efforts: efforts('reasoning_effort', 'low', 'medium', 'high'),
      files: ['image'],
    },
  },
  vllm: {
    title: 'vLLM',
    baseUrl: 'http://127.0.0.1:8000/v1',
    models: [],
    reasons: ANY_THINKER,
    dialect: { efforts: TEMPLATE_EFFORTS, files: ['image', 'audio'] },
  },
  'llama-cpp': {
    title: 'llama.cpp',
    baseUrl: 'http://127.0.0.1:8080/v1',
    models: [],
    reasons: ANY_THINKER,
    dialect: { efforts: TEMPLATE_EFFORTS, returnsReasoning: 'always', files: ['image', 'audio'] },
  },
} as const satisfies { readonly [name: string]: Preset }

export type PresetName = keyof typeof PRESETS

/** The whole of a preset's dialect. */
export function dialectOf({ dialect }: Pick<Preset, 'dialect'>): ChatDialect {
  return { ...COMMON, ...dialect }
}
