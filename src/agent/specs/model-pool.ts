import { SPEC_ID } from './agent-spec.ts'
import type { ModelSpec } from './model-spec.ts'

/** What each model of a pool has to have. Models that lack some of it are left out. */
export interface PoolRequirements {
  /** At least, in tokens. */
  readonly context_window?: number
  /** At least, in tokens. */
  readonly max_output_tokens?: number
  /** The kinds of content that the model takes and makes, such as `image`. */
  readonly modalities?: { readonly input?: readonly string[]; readonly output?: readonly string[] }
  /** Tags that are provided with the model, such as `tools`. */
  readonly tags?: readonly string[]
}

/** A model that a pool has without an id of its own, which is then `<pool>.<number>`, counted from 1. */
export type PooledModel = Omit<ModelSpec, 'id'> & Partial<Pick<ModelSpec, 'id'>>

/** Models of which an agent uses the first that fits, and the next one when it fails. AW-04, LR-11 */
export interface ModelPool {
  readonly id: string
  /** Ids of models, or models themselves, in the order in which they are tried. */
  readonly candidates: readonly (string | PooledModel)[]
  readonly requires?: PoolRequirements
}

const tokens = { type: 'integer', minimum: 1 } as const
const words = { type: 'array', items: { type: 'string', pattern: '.' } } as const

/** The JSON Schema (2020-12) of a {@link ModelPool}. The schema of a model checks the models in it. */
export const MODEL_POOL_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: SPEC_ID },
    candidates: {
      type: 'array',
      items: { type: ['string', 'object'] },
      minItems: 1,
      uniqueItems: true,
    },
    requires: {
      type: 'object',
      properties: {
        context_window: tokens,
        max_output_tokens: tokens,
        modalities: {
          type: 'object',
          properties: { input: words, output: words },
          additionalProperties: false,
        },
        tags: words,
      },
      additionalProperties: false,
    },
  },
  required: ['id', 'candidates'],
  additionalProperties: false,
} as const

/** Whether a spec is to be that of a pool. */
export function isPool(spec: ModelSpec | ModelPool): spec is ModelPool {
  return Object.hasOwn(spec, 'candidates')
}

/** The models that a pool has itself, with their ids, by their place. */
export function pooledModels({
  id,
  candidates,
}: ModelPool): readonly (readonly [place: number, model: ModelSpec])[] {
  return candidates.flatMap((candidate, place) =>
    typeof candidate === 'string' ? [] : [[place, { id: `${id}.${place + 1}`, ...candidate }]],
  )
}
