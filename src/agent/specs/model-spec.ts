import type { ModelInfo } from '@braidwork/plugin'
import { SPEC_ID } from './agent-spec.ts'

/** A model as data: the provider that has it, and facts that take precedence over the provider's own. */
export interface ModelSpec {
  readonly id: string
  /** The name of the provider plugin. */
  readonly provider_id: string
  /** The provider's name of the model. */
  readonly upstream_model: string
  /** In tokens. */
  readonly context_window?: number
  /** In tokens; at most the context window. */
  readonly max_output_tokens?: number
  /** The kinds of content that the model takes and makes, such as `text` and `image`. */
  readonly modalities?: { readonly input?: readonly string[]; readonly output?: readonly string[] }
  /** For people; nothing reads it. */
  readonly knowledge_cutoff?: string
  /** Dollars per million tokens. A cost is told only where both are known. */
  readonly prices?: { readonly input?: number; readonly output?: number }
}

const tokens = { type: 'integer', minimum: 1 } as const
const price = { type: 'number', minimum: 0 } as const
const kinds = { type: 'array', items: { type: 'string', pattern: '.' }, uniqueItems: true } as const

/** The JSON Schema (2020-12) of a {@link ModelSpec}. */
export const MODEL_SPEC_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: SPEC_ID },
    provider_id: { type: 'string', pattern: '.' },
    upstream_model: { type: 'string', pattern: '.' },
    context_window: tokens,
    max_output_tokens: tokens,
    modalities: {
      type: 'object',
      properties: { input: kinds, output: kinds },
      additionalProperties: false,
    },
    knowledge_cutoff: { type: 'string' },
    prices: {
      type: 'object',
      properties: { input: price, output: price },
      additionalProperties: false,
    },
  },
  required: ['id', 'provider_id', 'upstream_model'],
  additionalProperties: false,
} as const

/** The facts about a model that its spec states. */
export function modelInfoOf(spec: ModelSpec): ModelInfo {
  const { context_window: contextWindow, max_output_tokens: maxOutputTokens } = spec
  const { modalities: { input, output } = {}, prices } = spec
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(input ? { input } : {}),
    ...(output ? { output } : {}),
    ...(prices ? { price: prices } : {}),
  }
}
