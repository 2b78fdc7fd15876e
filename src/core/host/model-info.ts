import type { ModelInfo } from '@braidwork/plugin'
import { limitsOf } from '@braidwork/plugin/internal'
import { bindHook } from '../hooks/index.ts'
import type { Resolved } from '../resolve/index.ts'
import type { HostCore } from './core.ts'

/** The provider's facts about a model. The default is the config's model. Empty if the provider has no such hook. */
export async function modelInfoOf(
  core: HostCore,
  { plugins, config }: Resolved,
  model = config.model,
): Promise<ModelInfo> {
  const { provider } = plugins
  const frame = { plugin: provider, phase: 'resolve', limits: limitsOf(config) } as const
  const ask = bindHook(frame, 'getModelInfo')
  if (!ask || model === undefined) return {}
  return ask(model, core.secrets.viewOf(config, provider.name))
}
