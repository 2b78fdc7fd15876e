import type { Config, Diagnostic } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { didYouMean } from '../suggest.ts'
import { askHook } from './ask-hook.ts'

/** Who is asked for models, in order. */
export interface ModelSources {
  readonly provider: AnyPlugin
  /** Candidate extensions, then candidate features. */
  readonly others: readonly AnyPlugin[]
  /** Beside those that the provider's hook names. */
  readonly known: readonly string[]
  readonly configOf: (plugin: AnyPlugin) => Config
}

/**
 * The models for a config, once, before the rounds: the provider's, then each candidate extension's and
 * feature's change to them. CL-03
 */
export async function offeredModels(
  config: Config,
  { provider, others, known, configOf }: ModelSources,
): Promise<readonly string[]> {
  const own = askHook(provider, 'getModels', [configOf(provider)], config) ?? []
  let models = unique([
    ...(own instanceof Promise ? await own : own),
    ...listed(config, provider),
    ...known,
  ])
  for (const plugin of others) {
    const answer = askHook(plugin, 'getModels', [configOf(plugin), models], config)
    if (answer) models = Object.freeze(answer instanceof Promise ? await answer : answer)
  }
  return models
}

/** A `model` that is not on offer: a diagnostic, not an error. */
export function modelDiagnostics(
  model: string | undefined,
  models: readonly string[],
): Diagnostic[] {
  if (model === undefined || models.length === 0 || models.includes(model)) return []
  const message = `Model "${model}" is not among those on offer.${didYouMean(model, models)}`
  return [{ code: 'MODEL_NOT_OFFERED', level: 'warning', pointer: '/model', message }]
}

/** `settings.<provider>.models` */
function listed(config: Config, provider: AnyPlugin): string[] {
  const models = config.settings?.[provider.name]?.['models']
  return Array.isArray(models) ? models.filter((id) => typeof id === 'string' && id !== '') : []
}

function unique(ids: readonly string[]): readonly string[] {
  return Object.freeze([...new Set(ids)])
}
