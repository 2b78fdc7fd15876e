import type { KnownModel } from '@braidwork/model-api'
import type { PresetName } from './presets.ts'

interface Catalog {
  /** The server's id in @pydantic/genai-prices. */
  readonly list: string
  /** Model data that the library lacks or has in an outdated form. */
  readonly models: { readonly [id: string]: KnownModel }
}

const TEXT = { input: ['text'], output: ['text'] } as const
const VISION = { input: ['text', 'image'], output: ['text'] } as const
/** The server converts documents for the model: https://docs.mistral.ai/capabilities/document_ai/document_qna */
const DOCUMENTS = { input: ['text', 'image', 'file'], output: ['text'] } as const

/** Model data of servers with priced models. Servers on the user's machine have no prices. */
export const CATALOGUES: { readonly [preset in PresetName]?: Catalog } = {
  deepseek: {
    list: 'deepseek',
    models: {
      // https://api-docs.deepseek.com/quick_start/pricing (without the price, which changes by the hour)
      'deepseek-flash': { contextWindow: 1_000_000, maxOutputTokens: 384_000, ...VISION },
      // https://api-docs.deepseek.com/quick_start/pricing
      'deepseek-v4-pro': { contextWindow: 1_000_000, maxOutputTokens: 384_000, ...TEXT },
    },
  },
  groq: {
    list: 'groq',
    models: {
      // https://console.groq.com/docs/models
      'openai/gpt-oss-120b': { maxOutputTokens: 65_536, ...TEXT },
      // https://console.groq.com/docs/models
      'openai/gpt-oss-20b': { maxOutputTokens: 65_536, ...TEXT },
    },
  },
  xai: {
    list: 'x-ai',
    models: {
      // https://docs.x.ai/developers/models/grok-4.3
      'grok-4.3': VISION,
      // https://docs.x.ai/developers/grok-4-7 (no output limit is documented)
      'grok-4.7': { contextWindow: 500_000, price: { input: 2, output: 6 }, ...VISION },
      // https://docs.x.ai/developers/models/grok-4.6
      'grok-4.6': VISION,
    },
  },
  mistral: {
    list: 'mistral',
    models: {
      // https://docs.mistral.ai/models/mistral-medium-3-5-26-04
      'mistral-medium-latest': { listedAs: 'mistral-medium-3-5', ...DOCUMENTS },
      // https://docs.mistral.ai/models/mistral-large-3-25-12
      'mistral-large-latest': { listedAs: 'mistral-large-2512', ...DOCUMENTS },
      // https://docs.mistral.ai/models/mistral-small-4-0-26-03
      'mistral-small-latest': { listedAs: 'mistral-small-2603', ...DOCUMENTS },
    },
  },
  openrouter: { list: 'openrouter', models: {} },
  together: {
    list: 'together',
    models: {
      // https://developers.openai.com/api/docs/models/gpt-oss-120b (input and output types of the open weights)
      'openai/gpt-oss-120b': TEXT,
      // https://docs.together.ai/docs/serverless/models
      'meta-llama/Llama-3.3-70B-Instruct-Turbo': { contextWindow: 131_072, ...TEXT },
    },
  },
}
