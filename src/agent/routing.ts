import type { ConfigLayer } from '@braidwork/core'
import type { ModelChoice, ModelChosenEvent, ModelInfo } from '@braidwork/plugin'

/** A model that a run may not ask, and why. */
export type ExcludedModel = ModelChosenEvent['excluded'][number]

/** A model that a run may ask. A runtime makes these from the specs of models and pools. */
export interface RunModel {
  readonly choice: ModelChoice
  /** The config with which it is asked. */
  readonly config: ConfigLayer
  /** Facts about the model that take precedence over those of the provider. */
  readonly modelInfo?: ModelInfo
}

/** The models that a run may ask, and what was decided about others. LR-09 */
export interface Routing {
  /** The id of the model or pool that was asked for. */
  readonly requested?: string
  /** What the pool requires. */
  readonly required?: object
  /** At least one, in the order in which they are tried. */
  readonly candidates: readonly RunModel[]
  /** The models that were left out. The run only tells them. The default is none. */
  readonly excluded?: readonly ExcludedModel[]
}

/** Tells which candidate is asked from here on. LR-10 */
export function chosenEvent(
  { requested, required, candidates, excluded = [] }: Routing,
  { choice: chosen }: RunModel,
  reason = candidates.length === 1 ? 'It is the only candidate.' : 'It is the first candidate.',
): ModelChosenEvent {
  return {
    type: 'model-chosen',
    ...(requested === undefined ? {} : { requested }),
    ...(required ? { required } : {}),
    candidates: candidates.map(({ choice }) => choice),
    excluded,
    chosen,
    reason,
  }
}

/** Tells the model that a run without a routing asks. LR-09 */
export function configuredEvent(chosen: ModelChoice): ModelChosenEvent {
  const reason = 'It is the model of the config.'
  return { type: 'model-chosen', candidates: [chosen], excluded: [], chosen, reason }
}
