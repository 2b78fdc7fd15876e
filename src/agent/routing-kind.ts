import {
  isText,
  type Kind,
  listOf,
  MODEL_INFO,
  OBJECT,
  objectOf,
  TEXT,
} from '@braidwork/core/internal'
import { isObject, type ModelChoice } from '@braidwork/plugin'
import type { Routing, RunModel } from './routing.ts'

type KindsOf<T> = { readonly [name in keyof T]-?: Kind }

const CHOICE = { id: TEXT, provider: TEXT, model: TEXT } satisfies KindsOf<ModelChoice>
const MODEL = {
  choice: objectOf(CHOICE),
  config: OBJECT,
  modelInfo: MODEL_INFO,
} satisfies KindsOf<RunModel>

const CANDIDATE: Kind = {
  ...objectOf(MODEL),
  has: (value) =>
    isObject(value) &&
    isObject(value['choice']) &&
    isText(value['choice']['provider']) &&
    isObject(value['config']),
  expected: 'a model: an object with "choice", such as { provider, model }, and its "config"',
}
const EXCLUDED: Kind = {
  ...objectOf({ ...CHOICE, reason: TEXT }),
  has: (value) => isObject(value) && isText(value['provider']) && isText(value['reason']),
  expected: 'a model that was left out: an object with "provider", "model" and the "reason"',
}
const ROUTES = {
  requested: TEXT,
  required: OBJECT,
  candidates: listOf(CANDIDATE, 'a list of models'),
  excluded: listOf(EXCLUDED, 'a list of models that were left out'),
} satisfies KindsOf<Routing>

/** Without a candidate, a run would ask the model of its config instead. */
export const ROUTING: Kind = {
  ...objectOf(ROUTES),
  has: (value) => {
    const { candidates } = Object(value) as { readonly candidates?: unknown }
    return (
      isObject(value) &&
      (Array.isArray(candidates) ? candidates.length > 0 : candidates !== undefined)
    )
  },
  expected: 'an object with "candidates", a list of at least one model',
}
