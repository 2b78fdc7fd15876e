import { HostError, type ModelInfo } from '@braidwork/plugin'
import type { ExcludedModel } from '../routing.ts'
import type { PoolRequirements } from '../specs/index.ts'
import type { Found } from './look-up.ts'
import type { Trial } from './trials.ts'

/** The models that have what their pool requires, and the others with the reasons. LR-10 */
export interface FittingModels {
  readonly fitting: readonly Trial[]
  readonly excluded: readonly ExcludedModel[]
}

/** @throws {HostError} MODEL_UNFIT with all reasons, if no model fits */
export function fittingModels(
  { spec, requires = {} }: Found,
  trials: readonly Trial[],
): FittingModels {
  const fitting: Trial[] = []
  const excluded: ExcludedModel[] = []
  for (const trial of trials) {
    const lacks = lacksOf(requires, trial)
    if (lacks.length === 0) fitting.push(trial)
    else excluded.push({ ...trial.choice, reason: lacks.join('; ') })
  }
  if (fitting.length > 0) return { fitting, excluded }
  const head = `No model of the pool "${spec.model_id}", which the agent "${spec.id}" asks, has what the pool requires:`
  const reasons = excluded.map(({ id, reason }) => `- ${id}: ${reason}`)
  throw new HostError('MODEL_UNFIT', [head, ...reasons].join('\n'), { pointer: '/model_id' })
}

/** What a model lacks of the requirements, a phrase each. */
function lacksOf(requires: PoolRequirements, { facts, resolution }: Trial): readonly string[] {
  const { context_window: window, max_output_tokens: output, modalities = {}, tags = [] } = requires
  const missing = tags.filter((tag) => !resolution.tags.includes(tag))
  return [
    ...tooFew('context window', facts.contextWindow, window),
    ...tooFew('longest output', facts.maxOutputTokens, output),
    ...without('take', facts.input, modalities.input),
    ...without('make', facts.output, modalities.output),
    ...missing.map((tag) => `the tag "${tag}" is missing`),
  ]
}

function tooFew(what: string, has: number | undefined, needs: number | undefined): string[] {
  if (needs === undefined || (has !== undefined && has >= needs)) return []
  if (has === undefined) return [`its ${what} is not known`]
  return [`its ${what} has ${has} tokens instead of ${needs}`]
}

function without(verb: string, has: ModelInfo['input'], needs: readonly string[] = []): string[] {
  const missing = needs.filter((kind) => !has?.includes(kind))
  if (missing.length === 0) return []
  const kinds = missing.map((kind) => `"${kind}"`).join(', ')
  return [has ? `it does not ${verb} ${kinds}` : `it is not known whether it can ${verb} ${kinds}`]
}
