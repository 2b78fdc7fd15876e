import type { Config, Diagnostic } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { didYouMean } from '../suggest.ts'
import { askHook } from './ask-hook.ts'

/** The sources of models, in the order in which they are asked. */
export interface ModelSources {
  readonly provider: AnyPlugin
  /** Candidate extensions, then candidate features. */
  readonly others: readonly AnyPlugin[]
  /** Models in addition to those that the provider's hook lists. */
  readonly known: readonly string[]
  readonly configOf: (plugin: AnyPlugin) => Config
}

/**
 * The available models for a config, determined once before the rounds: the provider lists models, then each candidate
 * extension and feature may change the list. CL-03
 */
export async function offeredModels(
  config: Config,
  { provider, others, known, configOf }: ModelSources,
): Promise<readonly string[]> {
  const asked = askHook(provider, 'getModels', [configOf(provider)], config) ?? []
  const own = asked instanceof Promise ? await asked : asked
  const more = [...listed(config, provider), ...known]
  // An answer is a fresh list without duplicates, which most requests need not copy.
  let models = Object.freeze(more.length === 0 ? own : [...new Set([...own, ...more])])
  for (const plugin of others) {
    const answer = askHook(plugin, 'getModels', [configOf(plugin), models], config)
    if (answer) models = Object.freeze(answer instanceof Promise ? await answer : answer)
  }
  return models
}

/** A diagnostic, not an error, for a `model` that is not among the available models. */
export function modelDiagnostics(
  model: string | undefined,
  models: readonly string[],
  provider: string,
): Diagnostic[] {
  if (model === undefined || models.length === 0 || models.includes(model)) return []
  const hint =
    didYouMean(model, models) || ` Check its name, or add it to settings.${provider}.models.`
  const message = `Model "${model}" is not among the available models.${hint}`
  return [{ code: 'MODEL_NOT_OFFERED', level: 'warning', pointer: '/model', message }]
}

/** The models in `settings.<provider>.models`. */
function listed(config: Config, provider: AnyPlugin): string[] {
  const models = config.settings?.[provider.name]?.['models']
  return Array.isArray(models) ? models.filter((id) => typeof id === 'string' && id !== '') : []
}
