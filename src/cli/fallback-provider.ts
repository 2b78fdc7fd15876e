import { didYouMean, SHIPPED_PLUGINS } from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import { agentConfigs } from './agent-names.ts'
import type { OpenHost } from './open-host.ts'

/** The provider of a config that names none. It answers with its own texts, for first tries. */
const FALLBACK = 'scripted'
/** The keys of `server` that only a server for other people has. */
const FOR_OTHERS = ['tokens', 'stored_tokens', 'oidc', 'hosts'] as const

/**
 * Refuses a config that is made for a model API or for other people but names no provider: they would get the answers
 * of `scripted`. A config that names `scripted` itself is fine.
 * @throws {HostError} PROVIDER_MISSING
 */
export async function assertProviderNamed(opened: OpenHost): Promise<void> {
  const { config } = opened.host
  if (config.provider !== undefined) return
  const reason = settingsReason(opened) ?? accessReason(opened.server)
  if (reason === undefined || !(await fallsBack(opened))) return
  const misspelled = Object.keys(config).map((key) => [key, didYouMean(key, ['provider'])] as const)
  const [key, meant = ''] = misspelled.find(([, advice]) => advice !== '') ?? []
  const typo = key === undefined ? '' : ` "${key}" is no key of a config.${meant}`
  throw new HostError(
    'PROVIDER_MISSING',
    `The config names no provider, so "${FALLBACK}" would answer with its own texts, but the config has ${reason}. Set "provider", to "${FALLBACK}" if you mean that one.${typo}`,
    { pointer: '/provider' },
  )
}

/** Which other provider the config has settings for. */
function settingsReason({ host }: OpenHost): string | undefined {
  const registered = host.plugins.filter(({ kind }) => kind === 'provider').map(({ name }) => name)
  const providers = new Set<string>([...registered, ...SHIPPED_PLUGINS.provider])
  const names = Object.keys(host.config.settings ?? {})
  const other = names.find((name) => name !== FALLBACK && providers.has(name))
  return other === undefined ? undefined : `settings of the provider "${other}"`
}

function accessReason(server: unknown): string | undefined {
  const key = FOR_OTHERS.find((one) => isObject(server) && server[one] !== undefined)
  return key === undefined ? undefined : `"server.${key}"`
}

/** Whether a published model, or an agent, has no provider of its own. Without `server.models`, all models have none. */
async function fallsBack(opened: OpenHost): Promise<boolean> {
  const { server } = opened
  if (!isObject(server) || !isObject(server['models'])) return true
  const models = Object.values(server['models'])
  if (!models.every(hasProvider)) return true
  for await (const { provider } of agentConfigs(opened)) if (provider === undefined) return true
  return false
}

function hasProvider(model: unknown): boolean {
  return isObject(model) && isObject(model['config']) && model['config']['provider'] !== undefined
}
